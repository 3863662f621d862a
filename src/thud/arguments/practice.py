"""Arguments of the commands that teach the game."""

from __future__ import annotations

import argparse

from thud.arguments.options import add_looks, add_plain, add_variant
from thud.rules.variants import VARIANTS
from thud.wording.text import quoted


def add_learn(command: argparse.ArgumentParser) -> None:
    """Add which lesson."""
    command.add_argument("name", metavar="NAME", nargs="?", help="the lesson to begin at")
    command.add_argument("--list", action="store_true", help="list the lessons, and which are done")
    command.add_argument("--reset", action="store_true", help="count no lesson as done any more")
    add_looks(command)
    add_plain(command)


def add_rules(command: argparse.ArgumentParser) -> None:
    """Add which rules."""
    gists = "; ".join(f"{name}: {variant.gist}" for name, variant in VARIANTS.items())
    command.add_argument(
        "variant",
        metavar="VARIANT",
        nargs="?",
        type=_variant,
        help=f"begin with the rules of one game. {gists}",
    )
    add_looks(command)
    command.add_argument("--plain", action="store_true", help="print them as text")


def _variant(text: str) -> str:
    if text not in VARIANTS:
        known = f"{', '.join([*VARIANTS][:-1])} and {[*VARIANTS][-1]}"
        raise argparse.ArgumentTypeError(f"there is no game {quoted(text)}: there are {known}")
    return text


def add_puzzles(command: argparse.ArgumentParser) -> None:
    """Add which puzzles."""
    command.add_argument("id", metavar="ID", nargs="?", help="one puzzle, such as classic-1")
    add_variant(command, "only the puzzles of a game")
    command.add_argument(
        "--band", choices=("easy", "middling", "hard"), help="only those that are so hard"
    )
    command.add_argument(
        "--file", metavar="FILE", help="those of a file, as 'thud edit' writes it, not our own"
    )
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="list them, and which are solved")
    instead.add_argument("--json", action="store_true", help="print them, solutions and all")
    instead.add_argument("--reset", action="store_true", help="forget which are solved")
    add_looks(command)
    add_plain(command)
