"""`thud` without a command: the front page."""

from __future__ import annotations

from argparse import Namespace

from thud.commands import launch


def front_page(options: Namespace) -> None:
    """Open the front page."""
    launch.require_terminal()
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.front.app import FrontApp

    launch.run(FrontApp(Store(), Preferences.load()), farewell=False)
