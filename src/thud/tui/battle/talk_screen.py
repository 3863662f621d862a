"""The line for a chat message."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual import on
from textual.widgets import Input

from thud.session.participants import LONGEST_WORDS
from thud.tui.widgets.modals import AskScreen

_QUESTION = f"Say something, up to {LONGEST_WORDS} characters"


class TalkScreen(AskScreen[None]):
    """Asks for a chat message; a question at the table interrupts it.

    Args:
        draft: what was typed before a question interrupted it.
        say: sends the message.
        typed: called after each change of the line.

    Attributes:
        draft: what is typed.
    """

    def __init__(
        self, draft: str, say: Callable[[str], Awaitable[None]], typed: Callable[[], None]
    ) -> None:
        super().__init__(_QUESTION, draft, say, select=False)
        self.draft = draft
        self._typed = typed

    @on(Input.Changed)
    def _note(self, event: Input.Changed) -> None:
        self.draft = event.value
        self._typed()
