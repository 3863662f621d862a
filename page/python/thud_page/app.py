"""The app with what only a page needs: all that is kept as a file, and files opened."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import thud_host
from textual.app import SystemCommand
from textual.screen import Screen
from textual.timer import Timer

from thud.disk.directories import data_directory, settings_directory
from thud.text import sentence, why
from thud.tui.app import ThudApp
from thud_page.keeping import restore, saved_as_one

_OPENED: Final = Path("/tmp/opened")
"""Where the worker puts the content of a file that was chosen."""

_POLL: Final = 0.2

_NOT_KEPT: Final = "This browser keeps no files here: download the matches that you want to keep."


class PageApp(ThudApp):
    """The program on a page."""

    _link = ""
    _opening: Timer | None = None

    def on_ready(self) -> None:
        """Say if nothing is kept."""
        if not thud_host.kept:
            self.notify(_NOT_KEPT, severity="warning", timeout=20, markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer to save all as a file, and to open one."""
        yield from super().get_system_commands(screen)
        about = "Your matches, settings and progress, to open here or elsewhere"
        yield SystemCommand("Save all as a file", about, self.save_all)
        about = "A match (.tgn), or all that was saved as a file"
        yield SystemCommand("Open a file", about, self.choose_file)

    def open_link(self, text: str) -> None:
        """Open a link or a record on the front page, as soon as that is shown."""
        self._link = text
        if not self._opens_link():
            if len(self.screen_stack) > 1:
                self.notify("It opens once you are on the front page.", markup=False)
            self._opening = self._opening or self.set_interval(_POLL, self._opens_link)

    def _opens_link(self) -> bool:
        front = self.front
        if not (front and front.waiting):
            return False
        if self._opening:
            self._opening.stop()
            self._opening = None
        front.open_pasted(self._link)
        return True

    @property
    def _places(self) -> dict[str, Path]:
        return {"data": data_directory(), "settings": settings_directory()}

    def save_all(self) -> None:
        """Download all that is kept."""
        name = f"thud-{date.today().isoformat()}.zip"
        data = BytesIO(saved_as_one(self._places))
        self.deliver_binary(data, save_directory=".", save_filename=name)

    def choose_file(self) -> None:
        """Let the player choose a file to open."""
        thud_host.choose_file()  # Textual looks at signatures, and JavaScript's functions have none

    def open_file(self) -> None:
        """Open the file that was chosen."""
        data = _OPENED.read_bytes()
        _OPENED.unlink()
        if not data.startswith(b"PK"):
            self.open_link(data.decode("utf-8", "replace"))
            return
        try:
            said = restore(BytesIO(data), self._places).sentence
        except (ValueError, OSError) as error:
            said = sentence(f"Not opened: {why(error) if isinstance(error, OSError) else error}")
        self.notify(said, markup=False)
        if self.front:
            self.front.on_screen_resume()
