"""`thud edit`: set up a position, on the board or in plain text."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.cli import launch
from thud.cli.options import add_looks, add_plain, add_position
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.plain.lines import Lines
    from thud.rules.match import Match


def add_edit(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the position to begin with."""
    add_position(command)
    add_looks(command)
    add_plain(command, "edit")


def edit(options: Namespace) -> None:
    """Set up a position, legal in its game or not."""
    setup = Setup.usual(VARIANTS[options.variant or "classic"])
    if options.position is not None:
        setup = setup.read(options.position)
    if options.plain:
        _edit_in_lines(setup)
    else:
        _edit_on_board(setup, options)


def _edit_in_lines(setup: Setup) -> None:
    from thud.plain.setup import SetupTalk, run
    from thud.terminal.signals import exit_cleanly

    lines = launch.lines()

    def play(match: Match, seats: tuple[Contender, Contender]) -> None:
        _play(match, seats, lines)

    with exit_cleanly():
        run(SetupTalk(setup, lines, play))


def _play(match: Match, seats: tuple[Contender, Contender], lines: Lines) -> None:
    from thud.plain.conversation import Conversation
    from thud.plain.match import run
    from thud.records.store import Store
    from thud.session.autosave import Autosave
    from thud.session.session import Session

    run(Conversation(Session(match, Autosave(Store()), seats), lines))


def _edit_on_board(setup: Setup, options: Namespace) -> None:
    launch.require_terminal(options)
    looks = launch.preferences(options)
    from thud.records.store import Store
    from thud.tui.app import ThudApp
    from thud.tui.start import Edit

    launch.run(ThudApp(Edit(setup), preferences=looks, store=Store()), farewell=False)
