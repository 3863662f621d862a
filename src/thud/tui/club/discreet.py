"""What a visitor is told where something went wrong: that it did, and nothing of this machine."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from rich.console import Console

from thud.disk.directories import data_directory
from thud.tui.app import ThudApp

FAULT: Final = "Something went wrong here. What you have played is kept."

_KEPT: Final = "fault.txt"
_WIDTH: Final = 100


class DiscreetApp(ThudApp):
    """Keeps what went wrong beside what the visitor has, for whoever runs the club."""

    def _print_error_renderables(self) -> None:
        # Behind a browser this is read by who runs the club, and by nobody else.
        if self._exit_renderables and not self.is_web:
            with suppress(OSError), (data_directory() / _KEPT).open("w", encoding="utf-8") as file:
                Console(file=file, width=_WIDTH).print(*self._exit_renderables)
            self._exit_renderables[:] = [FAULT]
        super()._print_error_renderables()
