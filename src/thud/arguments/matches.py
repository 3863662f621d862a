"""Arguments of the commands that play a match, here or with another place."""

from __future__ import annotations

import argparse

from thud.arguments.options import (
    add_clock,
    add_doors,
    add_looks,
    add_place_of_host,
    add_plain,
    add_position,
    add_seats,
    sources,
)


def add_play(command: argparse.ArgumentParser) -> None:
    """Add the players of a match, and how it begins."""
    add_position(command)
    command.add_argument(
        "--names",
        nargs="+",
        metavar=("NAME", "NAME"),
        help="the players; the first commands the dwarfs in the first battle. Against a computer "
        "the person's name is enough",
    )
    command.add_argument(
        "--handicap",
        metavar="WHO:STEPS",
        help="who begins both battles with fewer pieces, by a name, or 1 or 2 for the first or the "
        "second player; 1 to 4 steps, such as Ann:2",
    )
    add_clock(command)
    command.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help=f"go on from where a record ends: {sources()}",
    )
    add_seats(command)
    add_looks(command)
    add_plain(command)


def add_host(command: argparse.ArgumentParser) -> None:
    """Add a match, and who can come to it."""
    add_play(command)
    add_doors(command)


def add_join(command: argparse.ArgumentParser) -> None:
    """Add which match elsewhere, and who comes."""
    add_place_of_host(command)
    add_looks(command)
    add_plain(command)


def add_watch(command: argparse.ArgumentParser) -> None:
    """Add which match elsewhere, and who looks on."""
    add_join(command)


def add_resume(command: argparse.ArgumentParser) -> None:
    """Add which unfinished match, and who plays it now."""
    command.add_argument("id", metavar="ID", nargs="?", help="which match; the latest if not given")
    command.add_argument("--list", action="store_true", help="list the unfinished matches")
    command.add_argument("--delete", metavar="ID", help="delete a match that is kept")
    command.add_argument("--yes", action="store_true", help="delete it without a question")
    add_seats(command)
    add_looks(command)
    add_plain(command)
