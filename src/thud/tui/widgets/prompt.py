"""Questions asked beside the board, never over it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from itertools import zip_longest
from typing import ClassVar, Final, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Span, Text
from textual import events
from textual.binding import BindingType
from textual.widgets import Static

from thud.tui.keys.bindings import PROMPT_KEYS

Run: TypeAlias = Callable[[], Awaitable[None] | None]
"""What an answer does, at once or awaited."""


_MANY: Final = 5
"""From so many answers on, they stand in pairs where there is room."""
_GAP: Final = 2


class Answer(NamedTuple):
    """One answer: the keys that give it, its label (None: not shown), and what it does."""

    keys: tuple[str, ...]
    label: str | None
    run: Run


class Question(NamedTuple):
    """What is asked, and the answers."""

    text: Text
    answers: Sequence[Answer]
    holds: bool = False
    """Whether computers wait until it is answered."""


class Prompt(Static, can_focus=True):
    """Shows one question at a time and runs the answer that is pressed or clicked."""

    DEFAULT_CSS = "Prompt { link-style: none; }"

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key", "prompt--dwarfs", "prompt--trolls"}

    BINDINGS: ClassVar[list[BindingType]] = [*PROMPT_KEYS]

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self.question: Question | None = None
        self._number = 0
        self._width = 0
        self.display = False

    def ask(self, question: Question) -> None:
        """Show a question in place of any other and take the keys."""
        self.question = question
        self._number += 1
        self.display = True
        self.update(self._written(question))
        self.screen.set_focus(self)

    def close(self) -> None:
        """Withdraw the question."""
        self.question = None
        self.display = False

    def _written(self, question: Question) -> Text:
        text = question.text.copy()
        text.spans = [self._styled(span) for span in text.spans]
        written = [
            self._answer_written(index, answer)
            for index, answer in enumerate(question.answers)
            if answer.label is not None
        ]
        return Text("\n").join([text, Text(), *_in_rows(written, self._width)])

    def _answer_written(self, index: int, answer: Answer) -> Text:
        key = self.get_component_rich_style("prompt--key", partial=True)
        click = Style(meta={"@click": f"answer({self._number}, {index})"})
        return Text.assemble(
            (f" {_key_name(answer.keys[0])} ", key + click), (f" {answer.label}", click)
        )

    def on_resize(self) -> None:
        """Write the answers anew where there is other room for them."""
        if self.question and self.content_size.width != self._width:
            self._width = self.content_size.width
            self.update(self._written(self.question))

    def _styled(self, span: Span) -> Span:
        """Return a part of a text, in the colours of the theme where it only names its style."""
        if isinstance(span.style, str) and span.style in self.COMPONENT_CLASSES:
            return Span(
                span.start, span.end, self.get_component_rich_style(span.style, partial=True)
            )
        return span

    def on_click(self, event: events.Click) -> None:
        """Keep clicks on the question from meaning anything else."""
        event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether a key answers the question; other keys go on to the screen."""
        if self.screen.has_class("-too-small"):
            return False
        return action != "press" or self._answer(str(parameters[0])) is not None

    def _answer(self, key: str) -> Answer | None:
        answers = self.question.answers if self.question else ()
        return next((answer for answer in answers if key in answer.keys), None)

    async def action_press(self, key: str) -> None:
        """Give the answer that a key stands for."""
        if answer := self._answer(key):
            await self._give(answer)

    async def _give(self, answer: Answer) -> None:
        if isawaitable(running := answer.run()):
            await running

    def action_stay(self) -> None:
        """Keep the keys: the question is answered first."""

    async def action_answer(self, number: int, index: int) -> None:
        """Run the answer that was clicked, unless another question has replaced its own."""
        if self.question and number == self._number:
            await self._give(self.question.answers[index])


def _in_rows(answers: list[Text], width: int) -> list[Text]:
    """Return the answers one a line; where they are many, those after the first in pairs."""
    if len(answers) < _MANY:
        return answers
    first, left, right = answers[0], answers[1::2], answers[2::2]
    column = max(answer.cell_len for answer in left) + _GAP
    if column + max(answer.cell_len for answer in right) > width:
        return answers
    for answer in left[: len(right)]:
        answer.pad_right(column - answer.cell_len)
    return [first, *(Text.assemble(*pair) for pair in zip_longest(left, right, fillvalue=""))]


def _key_name(key: str) -> str:
    return {"enter": "Enter", "escape": "Esc", "space": "Space"}.get(key, key)
