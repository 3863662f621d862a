"""Textual's driver for the web, for a board that is looked at from the first moment on."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus


class BrowserDriver(WebDriver):
    """Speaks in packets over the standard streams; keys count before anything is clicked."""

    def start_application_mode(self) -> None:
        """Begin, and take the focus that the driver lets go of at its beginning."""
        super().start_application_mode()
        self._app.call_later(self._app.post_message, AppFocus())
