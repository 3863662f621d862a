"""`thud edit`: set up a position, on the board or in plain text."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli import launch
from thud.cli.options import add_plain, add_position
from thud.engines.spec import Contender
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.terminal.signals import exit_cleanly


def add_edit(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the position to begin with."""
    add_position(command)
    add_plain(command, "edit")


def edit(options: Namespace) -> None:
    """Set up a position, legal in its game or not."""
    setup = Setup.usual(VARIANTS[options.variant or "classic"])
    if options.position is not None:
        setup = setup.read(options.position)
    if not options.plain:
        from thud.tui.start import Edit

        launch.show(Edit(setup), options)
        return
    from thud.plain.setup import SetupRepl, run
    from thud.session.autosave import Autosave
    from thud.session.session import Session

    lines = launch.lines()

    def play(match: Match, seats: tuple[Contender, Contender]) -> None:
        launch.play_in_lines(Session(match, Autosave(Store()), seats), lines)

    with exit_cleanly():
        run(SetupRepl(setup, lines, play))
