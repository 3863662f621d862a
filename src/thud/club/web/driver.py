"""Textual's web driver, with the app focused from the start.

Its fixes are described as in `tui/textual_fixes.py`.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import CommandPalette
from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus, Resize
from textual.geometry import Size
from textual.widgets import Input

from thud.tui.board.pieces import PICTURED
from thud.tui.board.sprites import SHEETS, colours, pixels
from thud.tui.looks.themes import paints

if TYPE_CHECKING:
    from thud.tui.app import ThudApp


class BrowserDriver(WebDriver):
    """Speaks in packets over the standard streams; keys work before the first click.

    It tells the page what it does itself: whether an `Input` has the focus, so that a phone can
    show its keyboard, but not for the command palette, whose list is tapped and would be hidden by
    the keyboard; and the theme's colours with the pieces, which the page draws on small squares.
    """

    _writing = False
    _theme = ""

    # Fix browser_focus (textual-web's #16): the app begins without the focus.  Until it has it.
    # Fix browser_size (not reported): a size that is read at the start is overtaken by the driver's
    # own first one.  Until that is sent first.

    def start_application_mode(self) -> None:
        """Start with the focus, and with the size of the page."""
        super().start_application_mode()
        self.begin()

    def begin(self) -> None:
        """Tell the app that it has the focus, and the size of the page."""
        self._app.call_later(self._app.post_message, AppFocus())
        asyncio.run_coroutine_threadsafe(self._resize(), asyncio.get_running_loop())

    async def _resize(self) -> None:
        if self._size:
            size = Size(*self._size)
            self._app.post_message(Resize(size, size))

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Follow what the visitor's browser prefers, too."""
        if packet_type == "prefers":
            wanted = {name: payload[name] is True for name in ("touch", "calm", "light")}
            self._app.call_later(partial(cast("ThudApp", self._app).prefer, **wanted))
        else:
            super().on_meta(packet_type, payload)

    def write(self, data: str) -> None:
        """Send output; an `Input` is always redrawn when it gets or loses the focus."""
        super().write(data)
        self.follow()

    def follow(self) -> None:
        """Tell the page of another theme, and of an `Input` that gets or loses the focus."""
        app = self._app
        if not app.screen_stack:
            return
        theme = app.current_theme
        if theme.name != self._theme:
            self._theme = theme.name
            variables, there, sheet = app.theme_variables, paints(theme), SHEETS[0]
            self.write_meta(
                {
                    "type": "looks",
                    "ground": variables["background"],
                    "ink": variables["foreground"],
                    "colours": {letter: there[name] for letter, name in colours(sheet).items()},
                    "pieces": {PICTURED[name]: rows for name, rows in pixels(sheet).items()},
                }
            )
        writing = isinstance(app.focused, Input) and not CommandPalette.is_open(app)
        if app.app_focus and writing != self._writing:
            self._writing = writing
            self.write_meta({"type": "writing", "now": writing})
