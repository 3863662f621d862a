"""`thud engine`: Thud's computer players over the engine protocol."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import number
from thud.engines.server import serve
from thud.records.programs import HIGHEST_LEVEL, SIMPLE_PLAYERS
from thud.text import is_number


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add the arguments: level, seed and player."""
    command.add_argument(
        "--level",
        type=_level,
        default=0,
        metavar="N",
        help=f"1 to {HIGHEST_LEVEL}, or 0 for full strength within the limits of go (default: 0)",
    )
    command.add_argument("--seed", type=number, metavar="N", help="make the play repeatable")
    command.add_argument(
        "--player",
        choices=("cpu", *SIMPLE_PLAYERS),
        default="cpu",
        help="cpu thinks ahead (the default), random plays any move, material captures what it can",
    )


def _level(text: str) -> int:
    if not (is_number(text) and int(text) <= HIGHEST_LEVEL):
        raise argparse.ArgumentTypeError(f"a level is a whole number from 0 to {HIGHEST_LEVEL}")
    return int(text)


def engine(options: Namespace) -> None:
    """Run an engine on standard input and output."""
    serve(options.player, options.level, options.seed)
