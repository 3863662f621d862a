"""Textual's driver for the web, for a board that has the focus from the start."""

from __future__ import annotations

from textual.command import CommandPalette
from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus
from textual.widgets import Input


class BrowserDriver(WebDriver):
    """Speaks in packets over the standard streams; keys count before anything is clicked.

    The page is told whether there is a line to type in, so that a phone can bring its keyboard; not
    that of the palette, since fingers choose from its list, which the keyboard would hide.
    """

    _writing = False

    def start_application_mode(self) -> None:
        """Begin, and take the focus that the driver lets go of at its beginning."""
        super().start_application_mode()
        self._app.call_later(self._app.post_message, AppFocus())

    def write(self, data: str) -> None:
        """Send what is drawn; a line that gets the keys, or loses them, is always drawn anew."""
        super().write(data)
        if self._app.screen_stack and self._app.app_focus:
            self._tell_writing()

    def _tell_writing(self) -> None:
        app = self._app
        writing = isinstance(app.focused, Input) and not CommandPalette.is_open(app)
        if writing != self._writing:
            self._writing = writing
            self.write_meta({"type": "writing", "now": writing})
