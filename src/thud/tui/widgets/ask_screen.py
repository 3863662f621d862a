"""A line to type in: the name of a file."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from thud.tui.keys.bindings import ASK_KEYS


class AskScreen(ModalScreen[str | None]):
    """Asks for one line; None is the answer of somebody who thought better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [*ASK_KEYS]

    def __init__(self, question: str, proposal: str = "") -> None:
        super().__init__()
        self._question = question
        self._proposal = proposal

    def compose(self) -> ComposeResult:
        """Lay out the question above the line."""
        with Vertical():
            yield Label(f"{self._question} (Enter, or Esc to cancel)", markup=False)
            yield Input(self._proposal, max_length=1000, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the answer, once however often Enter was pressed."""
        if self.is_current:
            self.dismiss(event.value.strip() or None)
