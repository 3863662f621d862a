"""Textual's web driver, with the app focused from the start."""

from __future__ import annotations

import asyncio

from textual.command import CommandPalette
from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus, Resize
from textual.geometry import Size
from textual.widgets import Input


class BrowserDriver(WebDriver):
    """Speaks in packets over the standard streams; keys work before the first click.

    It tells the page whether an `Input` has the focus, so that a phone can show its keyboard; not
    for the command palette, whose list is tapped and would be hidden by the keyboard.
    """

    _writing = False

    def start_application_mode(self) -> None:
        """Start, and restore the app's focus, which the driver drops at the start."""
        super().start_application_mode()
        self._app.call_later(self._app.post_message, AppFocus())
        asyncio.run_coroutine_threadsafe(self._resize(), asyncio.get_running_loop())

    async def _resize(self) -> None:
        """Restore a size that was read so early that the driver's own first one came after it."""
        if self._size:
            size = Size(*self._size)
            self._app.post_message(Resize(size, size))

    def write(self, data: str) -> None:
        """Send output; an `Input` is always redrawn when it gets or loses the focus."""
        super().write(data)
        if self._app.screen_stack and self._app.app_focus:
            self._tell_writing()

    def _tell_writing(self) -> None:
        app = self._app
        writing = isinstance(app.focused, Input) and not CommandPalette.is_open(app)
        if writing != self._writing:
            self._writing = writing
            self.write_meta({"type": "writing", "now": writing})
