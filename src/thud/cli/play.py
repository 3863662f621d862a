"""`thud play`: a match, on the board or in plain text."""

from __future__ import annotations

import argparse
import gc
from argparse import Namespace

from thud.cli.options import add_clock, add_plain, add_position, add_seats, source_help


def add_play(command: argparse.ArgumentParser) -> None:
    """Add the arguments: players, start and clock."""
    add_position(command)
    command.add_argument(
        "--names",
        nargs="+",
        metavar=("NAME", "NAME"),
        help="the players; the first one starts with the dwarfs. Against a computer, give only "
        "your own name",
    )
    command.add_argument(
        "--handicap",
        metavar="WHO:STEPS",
        help="start a player with fewer pieces in both battles: 1 for the first player, 2 for the "
        "second, or a name of --names, and 1 to 4 steps, such as 1:2",
    )
    add_clock(command)
    command.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help=f"continue from the end of a record: {source_help()}",
    )
    add_seats(command)
    add_plain(command)


def play(options: Namespace) -> None:
    """Play a new match, or continue one from the end of a record."""
    if not options.plain:
        gc.disable()  # as in `launch.require_terminal`
    from thud.cli.match import begun, show

    session, notice = begun(options)
    show(session, options, notice=notice, mention=not options.source)
