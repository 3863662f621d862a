"""A text over the whole screen, to be read or copied where it cannot be had as a file."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import TEXT_KEYS


class TextScreen(ModalScreen[None]):
    """Shows a text until a key closes it.

    Args:
        title: what it is.
        text: all of it; nothing in it is taken for markup.
        advice: what to do with it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*TEXT_KEYS]

    DEFAULT_CSS = """
    TextScreen {
        background: $surface;
        .title { text-style: bold; padding: 0 1; }
        .said { padding: 0 1; color: $foreground-muted; height: 1; }
        VerticalScroll { height: 1fr; padding: 1 1 0 1; scrollbar-size-vertical: 1; }
    }
    """

    def __init__(self, title: str, text: str, advice: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._advice = advice

    def compose(self) -> ComposeResult:
        """Lay out the title above the text."""
        yield Static(self._title, classes="title", markup=False)
        yield Static(self._advice, classes="said", markup=False)
        with VerticalScroll():
            yield Static(self._text, markup=False)
        yield KeyBar()

    def action_copy(self) -> None:
        """Send the text to the terminal's clipboard."""
        self.app.copy_to_clipboard(self._text)
        self.query_one(".said", Static).update("It was sent to the terminal's clipboard.")
