"""What whoever comes to a club sees first: which game it is, and the question for a name."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from thud.tui.front.title import Title
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.ask_screen import AskScreen

_WELCOME: Final = "Welcome to the club.\nDwarfs and trolls meet here."


class Welcome(AskScreen[str]):
    """Asks for a name below the name of the game and a word of welcome."""

    DEFAULT_CSS = """
    Welcome {
        background: $background;
        #welcome { height: 1fr; background: $background; align: center middle; }
        #welcome Title, #welcome Static { width: auto; }
        #welcome Title { margin-bottom: 1; }
    }
    """

    def compose(self) -> ComposeResult:
        """Lay out the welcome above the question."""
        with Container(id="welcome"):
            yield Title()
            yield Static(_WELCOME, markup=False)
        yield from super().compose()

    def on_mount(self) -> None:
        """Write the name in the colours that there are now."""
        self.query_one(Title).write(ascii_only=settings_of(self.app).ascii)
