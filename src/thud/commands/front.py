"""`thud` without a command: the front page."""

from __future__ import annotations

import gc
import sys
from argparse import Namespace

from thud.commands.play import require_terminal


def front_page(options: Namespace) -> None:
    """Open the front page."""
    require_terminal()
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.front.app import FrontApp

    app = FrontApp(Store(), Preferences.load())
    try:
        app.run()
    finally:
        gc.enable()
        app.keeper.close()
    if app.return_code:
        sys.exit(app.return_code)
