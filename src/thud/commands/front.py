"""`thud` without a command: the front page."""

from __future__ import annotations

import gc
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import seating
from thud.commands.play import require_terminal

if TYPE_CHECKING:
    from thud.tui.computers import Seats


def front_page(options: Namespace) -> None:
    """Open the front page."""
    require_terminal()
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.front_app import FrontApp

    app = FrontApp(Store(), Preferences.load(), _seats_for)
    try:
        app.run()
    finally:
        gc.enable()
        app.keeper.close()
    if app.return_code:
        sys.exit(app.return_code)


def _seats_for(programs: tuple[str, str]) -> Seats:
    """Return who goes on with a match: persons, and our own computers."""
    nothing_said = Namespace(dwarfs=None, trolls=None, opponent=None)
    return seating.seats(nothing_said, programs=programs) if any(programs) else None
