"""A line to type in, until something can be done with it: a file's name, a comment, a position."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar, Final, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from thud.tui.keys.bar import Entry, KeyBar
from thud.tui.keys.bindings import ASK_KEYS
from thud.tui.premises import premises_of
from thud.tui.widgets.text_line import TextLine

MAX_TEXT: Final = 4000
"""The most characters of a line: a comment has as many."""

_TAPS: Final = (Entry("enter", "Enter", "Done"), Entry("escape", "Esc", "Cancel"))

_Result = TypeVar("_Result")


class AskScreen(ModalScreen[_Result | None], Generic[_Result]):
    """Asks for one line until something can be done with it; None is the answer of who gives up.

    Args:
        question: what is asked.
        proposal: what stands in the line at first.
        attempt: does it and returns what is to be answered, or raises a ValueError with the reason
            why not, which is shown above the line.
        empty: what an empty line answers; without it that is to give up.  The line is then
            gone on with, and not typed over.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*ASK_KEYS]

    def __init__(
        self,
        question: str,
        proposal: str,
        attempt: Callable[[str], Awaitable[_Result]],
        empty: _Result | None = None,
    ) -> None:
        super().__init__()
        self._question = question
        self._proposal = proposal
        self._attempt = attempt
        self._empty = empty

    def compose(self) -> ComposeResult:
        """Lay out the question above the line, and what is wrong with the line between them."""
        with Vertical():
            yield Label(f"{self._question} (Enter, or Esc to cancel)", markup=False)
            yield Static(id="refusal", markup=False)
            whole = self._empty is None
            yield TextLine(self._proposal, max_length=MAX_TEXT, compact=True, select_on_focus=whole)
            yield from self.compose_below()
        if premises_of(self.app).taps:
            yield KeyBar(lambda: _TAPS)

    def compose_below(self) -> ComposeResult:
        """Lay out what stands below the line."""
        yield from ()

    @on(Input.Submitted)
    async def _try(self, event: Input.Submitted) -> None:
        """Do what is asked with the line, once however often Enter was pressed."""
        if not self.is_current:
            return
        if not event.value.strip():
            self.dismiss(self._empty)
            return
        try:
            done = await self._attempt(event.value.strip())
        except ValueError as refusal:
            self._refuse(str(refusal))
            return
        if self.is_current:
            self.dismiss(done)

    def _refuse(self, reason: str) -> None:
        refusal = self.query_one("#refusal", Static)
        refusal.update(reason)
        refusal.display = bool(reason)
