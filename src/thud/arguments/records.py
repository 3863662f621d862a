"""Arguments of the commands that look at matches which were played."""

from __future__ import annotations

import argparse

from thud.arguments.numbers import amount, number
from thud.arguments.options import (
    add_file,
    add_limits,
    add_looks,
    add_place,
    add_plain,
    add_position,
    add_variant,
)


def add_replay(command: argparse.ArgumentParser) -> None:
    """Add which match."""
    add_file(command)
    add_looks(command)
    add_variant(command, "the game of a .thud file, which does not name it")


def add_explore(command: argparse.ArgumentParser) -> None:
    """Add where to look, and from which position."""
    from thud.records.formats import READABLE
    from thud.wording.text import joined

    command.add_argument(
        "files",
        metavar="FILE|DIR",
        nargs="*",
        help=f"{joined(READABLE, 'or')} files, and folders of them, to look into besides the "
        "matches that are kept here",
    )
    add_position(command)
    command.add_argument(
        "--corpus",
        action="store_true",
        help="look into the battles between computers, too, that come with the program",
    )
    command.add_argument(
        "--json", action="store_true", help="print the moves that were made in the position"
    )
    add_looks(command)
    add_plain(command, "walk")


def add_review(command: argparse.ArgumentParser) -> None:
    """Add what to judge, how deeply, and what becomes of it."""
    add_file(command)
    add_variant(command, "the game of a .thud file, which does not name it")
    command.add_argument("--battle", type=number, metavar="N", help="only one battle, 1 or 2")
    add_limits(command, "look at a move; 16000 positions if neither is given")
    command.add_argument("--jobs", type=amount, metavar="J", help="processes; else one a core")
    command.add_argument("--anew", action="store_true", help="judge again what was judged before")
    command.add_argument("--output", "-o", metavar="OUT", help="write a record with the judgement")
    command.add_argument("--force", action="store_true", help="replace a file that is there")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--all", action="store_true", help="print every move, not the marked ones")
    instead.add_argument("--json", action="store_true", help="print the review as JSON")
    instead.add_argument(
        "--learn",
        choices=("dwarfs", "trolls"),
        help="go over the mistakes of a side, as questions, in the first battle or --battle",
    )
    add_plain(command)


def add_history(command: argparse.ArgumentParser) -> None:
    """Add which matches, and whose rating begins anew."""
    command.add_argument("--name", metavar="PLAYER", help="only the matches of a player")
    add_variant(command, "only the matches of a game")
    command.add_argument(
        "--reset-rating",
        action="store_true",
        help="let the rating begin anew, that of --name or all; the matches stay",
    )


def add_export(command: argparse.ArgumentParser) -> None:
    """Add what to write, as what, and where."""
    add_file(command)
    add_variant(command, "the game of a .thud file, which does not name it")
    add_place(command)
    from thud.records.formats import FORMATS

    kinds = ", ".join(f"{kind.name} ({kind.purpose})" for kind in FORMATS.values())
    command.add_argument(
        "--format",
        choices=[kind.name for kind in FORMATS.values()],
        help=f"the format to write, if it is not to be that of OUT: {kinds}",
    )
    command.add_argument("--output", "-o", metavar="OUT", help="the file to write, not the screen")
    command.add_argument("--svg", metavar="OUT", help="write a picture of the position")
    command.add_argument("--png", metavar="OUT", help="write a picture of it in pixels")
    command.add_argument("--gif", metavar="OUT", help="write a moving picture of the battle")
    command.add_argument("--force", action="store_true", help="replace files that are there")
    command.add_argument(
        "--no-judgements", action="store_true", help="leave out what a review has judged"
    )
    command.add_argument("--flip", action="store_true", help="turn the picture's board round")
    _add_look(command)


def _add_look(command: argparse.ArgumentParser) -> None:
    """Add how a picture looks."""
    from thud.settings.values import PICTURED

    command.add_argument("--theme", metavar="NAME", help="draw pictures in the colours of a theme")
    command.add_argument(
        "--pieces", choices=PICTURED, help="draw the pieces of the terminal, not those carved"
    )
    command.add_argument(
        "--arrows",
        choices=("last", "hint", "both"),
        help="draw an arrow for the last move, for what the best computer would do, or for both",
    )
