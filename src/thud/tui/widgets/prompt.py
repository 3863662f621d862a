"""Questions asked beside the board, never over it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from typing import ClassVar, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Span, Text
from textual import events
from textual.binding import BindingType
from textual.widgets import Static

from thud.tui.keys.bindings import PROMPT_KEYS

Run: TypeAlias = Callable[[], Awaitable[None] | None]
"""What an answer does, at once or awaited."""


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
        key_style = self.get_component_rich_style("prompt--key", partial=True)
        text.append("\n")
        for index, answer in enumerate(question.answers):
            if answer.label is not None:
                click = Style(meta={"@click": f"answer({self._number}, {index})"})
                text.append("\n")
                text.append(f" {_key_name(answer.keys[0])} ", key_style + click)
                text.append(f" {answer.label}", click)
        return text

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


def _key_name(key: str) -> str:
    return {"enter": "Enter", "escape": "Esc", "space": "Space"}.get(key, key)
