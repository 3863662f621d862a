"""`thud join` and `thud watch`: play or watch a remote match."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import add_plain


def add_join(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match, and the name of the player or spectator."""
    command.add_argument(
        "where",
        metavar="WHERE",
        nargs="?",
        default="",
        help="an invitation (thud://...), ssh://USER@MACHINE, or the id of a match on this "
        "machine (default: the open one); @FILE or - reads it from a file or from standard input",
    )
    command.add_argument("--name", metavar="NAME", help="your name")
    command.add_argument(
        "--thud",
        metavar="PATH",
        default="thud",
        help="where thud is at the other end of ssh, if not on the path",
    )
    add_plain(command)


def join(options: Namespace) -> None:
    """Join a remote match, as a player or a spectator."""
    from thud.cli.remote import join_match

    join_match(options, "watch" if options.command == "watch" else "seat")


add_watch, watch = add_join, join
