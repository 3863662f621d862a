"""Questions beside the board, with answers to press or tap."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import zip_longest
from time import monotonic
from typing import Any, ClassVar, Final, Generic, TypeVar

from msgspec import Struct
from rich.style import Style
from rich.text import Span, Text
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from thud.tui.actions import bindings
from thud.tui.keys.keymap import key_name


class Tappable(Struct, frozen=True):
    """Text, and the style that makes it tappable."""

    text: Text
    click: Style


def side_by_side(each: Sequence[Tappable], width: int, columns: int, *, high: bool) -> Text:
    """Lay tappable texts out in columns, each padded so that its whole cell can be tapped.

    Args:
        each: the texts.
        width: the screen columns that they share.
        columns: the number of texts in a row.
        high: whether a row is two lines high.
    """
    share = width // columns
    lines: list[Text] = []
    for first in range(0, len(each), columns):
        for below in (False, True)[: 1 + high]:
            line = Text()
            for part in each[first : first + columns]:
                shown = Text() if below else part.text
                line.append_text(shown).append(" " * max(0, share - shown.cell_len), part.click)
            lines.append(line)
    return Text("\n").join(lines)


_Means = TypeVar("_Means")
_Means_co = TypeVar("_Means_co", covariant=True)

_MANY: Final = 5
"""Fewest answers laid out in pairs, if there is room."""
_GAP: Final = 1

MOMENT: Final = 0.7
"""Seconds for which Enter and Escape answer no unhurried question, nor any key while one types."""


class PromptAnswer(Struct, Generic[_Means_co], frozen=True):
    """An answer: its keys, its label (None: hidden), and the value that it gives."""

    keys: tuple[str, ...]
    label: str | None
    means: _Means_co


class Question(Struct, Generic[_Means_co], frozen=True):
    """A question and its answers."""

    text: Text
    answers: Sequence[PromptAnswer[_Means_co]]
    is_modal: bool = False
    """Whether it decides something: other actions wait for its answer, also after the battle."""
    is_unhurried: bool = False
    """Whether Enter and Escape answer it only after `MOMENT`, as they may mean what was before."""
    yields: bool = False
    """Whether any other key closes it, and then does what it does without it."""
    stands: Callable[[], bool] = lambda: True
    """Whether there is still something to answer, after whatever has happened since."""


class Prompt(Static, can_focus=True):
    """Shows one question, and gives the answer pressed or clicked to whoever asked."""

    DEFAULT_CSS = "Prompt { link-style: none; }"

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key", "prompt--dwarfs", "prompt--trolls"}

    BINDINGS: ClassVar[list[BindingType]] = bindings("prompt")

    ALLOW_SELECT = False

    class Resized(Message):
        """It needs another room than before."""

    def __init__(self) -> None:
        super().__init__()
        self.question: Question[Any] | None = None
        self._carry_out: Callable[[Any], Awaitable[None]] | None = None
        self._awaited: asyncio.Future[Any] | None = None
        self._settled = asyncio.Event()
        """Set once something is asked, or what has been asking is done."""
        self._number = 0
        self._asked = 0.0
        self._width = 0
        self.display = False

    def show(
        self, question: Question[_Means], carry_out: Callable[[_Means], Awaitable[None]]
    ) -> None:
        """Show a question in place of any other; whoever asks it gives it the keys.

        One with the same answers replaces only the words.

        Args:
            question: the question; it stays until it is closed, whatever is answered.
            carry_out: carries out an answer, before the next key is handled.
        """
        self._drop()
        if self.question is None or self.question.answers != question.answers:
            self._number += 1
            self._asked = monotonic()
        self.question, self._carry_out = question, carry_out
        self.display = True
        self.update(self._written(question))
        self._settled.set()

    def ask(self, question: Question[_Means]) -> asyncio.Future[_Means | None]:
        """Ask a question in `converse`; return its answer, None once the question is withdrawn."""
        answer = asyncio.get_running_loop().create_future()

        async def resume(means: _Means) -> None:
            if not answer.done():
                self._settled.clear()
                answer.set_result(means)
                await self._settled.wait()

        self.show(question, resume)
        self._awaited = answer
        return answer

    async def converse(self, asking: Coroutine[object, object, None]) -> None:
        """Run what asks questions; return once it has asked one, or is done.

        So a key's action can ask: the next key, which is handled once the action returns, is the
        answer.  That key's action returns as soon as something else is asked, or all is done.
        """

        async def run() -> None:
            try:
                await asking
            finally:
                self._settled.set()

        self._settled.clear()
        self.run_worker(run(), group="asking")
        await self._settled.wait()

    def close(self) -> None:
        """Withdraw the question."""
        self._drop()
        self.question = self._carry_out = None
        self.display = False

    def _drop(self) -> None:
        """Return None to whoever awaits an answer."""
        awaited, self._awaited = self._awaited, None
        if awaited and not awaited.done():
            awaited.set_result(None)

    def on_unmount(self) -> None:
        """Let nobody wait for what is cancelled with the prompt."""
        self._settled.set()

    def _written(self, question: Question[Any]) -> Text:
        """Return a question above its answers, each with its key, and tappable."""
        text = question.text.copy()
        styles = {
            name: self.get_component_rich_style(name, partial=True)
            for name in self.COMPONENT_CLASSES
        }
        text.spans = [
            Span(first, end, styles.get(style, style) if isinstance(style, str) else style)
            for first, end, style in text.spans
        ]
        upright = self.app.has_class("-upright")
        panel = self.parent if isinstance(self.parent, Widget) else self.screen
        width = max(1, panel.size.width - self.gutter.width) if upright else self._width
        answers: list[Tappable] = []
        for index, each in enumerate(question.answers):
            if each.label is not None:
                click = Style(meta={"@click": f"answer({self._number}, {index})"})
                shown = Text(f" {key_name(each.keys[0])} ", styles["prompt--key"] + click, end="")
                column = shown.cell_len + 1
                label = Text(each.label)
                # Its further lines begin below its first one.
                fits = width > column
                lines = label.wrap(self.app.console, width - column) if fits else [label]
                told = f"\n{' ' * column}".join(line.plain for line in lines)
                answers.append(Tappable(Text.assemble(shown, (f" {told}", click)), click))
        if upright:
            # In two columns, and two lines high, if there is room.
            in_row = 2 if all(each.text.cell_len < width // 2 for each in answers) else 1
            rows = -(-len(answers) // in_row)
            said = len(text.wrap(self.app.console, width)) + 1
            above_all = self.region.y - panel.content_region.y if self.region else 0
            high = said + 2 * rows <= panel.size.height - above_all - self.gutter.height
            below = side_by_side(answers, width, in_row, high=high)
        else:
            below = Text("\n").join(_in_rows([each.text for each in answers], self._width))
        return text.append("\n\n").append(below)

    def on_resize(self) -> None:
        """Lay the answers out for the new size."""
        self.post_message(self.Resized())
        self._width = self.content_size.width
        if self.question and (written := self._written(self.question)) != self.content:
            self.update(written)

    def on_click(self, event: events.Click) -> None:
        """Stop clicks on the question from reaching the screen."""
        event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key answers the question; other keys go on to the screen."""
        if self.screen.has_class("-too-small"):
            return False
        return action != "press" or self._answer(str(parameters[0])) is not None

    def _answer(self, key: str) -> PromptAnswer[Any] | None:
        answers = self.question.answers if self.question else ()
        return next((answer for answer in answers if key in answer.keys), None)

    async def action_press(self, key: str) -> None:
        """Give the answer of a key."""
        hurried = self.question and self.question.is_unhurried and key in ("enter", "escape")
        if hurried and monotonic() - self._asked < MOMENT:
            return
        if answer := self._answer(key):
            await self._give(answer)

    async def _give(self, answer: PromptAnswer[Any]) -> None:
        if self._carry_out:
            await self._carry_out(answer.means)

    def action_stay(self) -> None:
        """Keep the focus: the question is to be answered first."""

    async def action_answer(self, number: int, index: int) -> None:
        """Give the answer that was clicked, unless another question has replaced its own."""
        if self.question and number == self._number:
            await self._give(self.question.answers[index])


def _in_rows(answers: list[Text], width: int) -> list[Text]:
    """Return the answers one a line, or of many the last ones in pairs, as far as they fit."""
    for alone in range(1, len(answers) - 1) if len(answers) >= _MANY else ():
        left, right = answers[alone::2], answers[alone + 1 :: 2]
        column = max(answer.cell_len for answer in left) + _GAP
        if column + max(answer.cell_len for answer in right) <= width:
            for answer in left[: len(right)]:
                answer.pad_right(column - answer.cell_len)
            pairs = zip_longest(left, right, fillvalue="")
            return [*answers[:alone], *(Text.assemble(*pair) for pair in pairs)]
    return answers
