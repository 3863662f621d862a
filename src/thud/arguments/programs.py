"""Arguments of the commands for other programs: computer players, shells, guests over ssh."""

from __future__ import annotations

import argparse

from thud.arguments.numbers import LONGEST_OPENING, amount, level, number, opening
from thud.arguments.options import add_clock, add_limits, add_open_match, add_variant


def add_completions(command: argparse.ArgumentParser) -> None:
    """Add for which shell."""
    command.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="which")


def add_relay(command: argparse.ArgumentParser) -> None:
    """Add which match a guest wants to come to."""
    command.description = "Be the far end of 'thud join ssh://'."
    add_open_match(command)


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add who plays."""
    command.add_argument(
        "--level",
        type=level,
        default=0,
        metavar="N",
        help="1 to 7; 0, full strength within the limits that are asked for, if not given",
    )
    command.add_argument("--seed", type=number, metavar="N", help="make its play repeatable")
    command.add_argument(
        "--player",
        choices=("cpu", "random", "material"),
        default="cpu",
        help="cpu thinks ahead, the others are to be measured by: random plays anything, "
        "material captures what it can",
    )


def add_arena(command: argparse.ArgumentParser) -> None:
    """Add who plays whom, how often and where."""
    who = "cpu:1 to cpu:7, cpu for full strength, random, material, or engine:COMMAND"
    command.add_argument("first", metavar="A", help=f"a player: {who}")
    command.add_argument("second", metavar="B", help="another, or the same")
    command.add_argument(
        "--matches",
        type=amount,
        default=10,
        metavar="N",
        help="so many matches of two battles, sides exchanged; 10 if not given",
    )
    add_limits(command, "move")
    add_clock(command)
    add_variant(command, "the game, classic if not given")
    command.add_argument(
        "--openings",
        type=opening,
        default=2,
        metavar="K",
        help="begin both battles of a match with the same K moves at random, at most "
        f"{LONGEST_OPENING}; 2 if not given",
    )
    command.add_argument(
        "--jobs", type=amount, metavar="J", help="so many matches at a time; 1 if not given"
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="have the matches played by the workers of a Dask scheduler, such as tcp://host:8786",
    )
    command.add_argument("--seed", type=number, metavar="S", help="choose the same openings again")
    command.add_argument(
        "--output",
        "-o",
        metavar="DIR",
        help="where to save the matches; in the data directory, below arena, if not given",
    )
    command.add_argument("--json", action="store_true", help="print the result as JSON")
