"""Arguments of several commands, and parsers of numbers."""

from __future__ import annotations

import argparse
from typing import Final

from thud.records.bounds import READABLE
from thud.records.programs import HIGHEST_LEVEL, SIMPLE_PLAYERS
from thud.rules.variants import VARIANTS
from thud.text import joined, quoted

ID_HELP: Final = "its id, the beginning of it, or last"
OPPONENTS: Final = f"1 to {HIGHEST_LEVEL}, max, or fair for a level as strong as you"


def amount(text: str) -> int:
    """Parse a whole number from 1."""
    return _whole(text, 999_999_999, least=1)


def number(text: str) -> int:
    """Parse a whole number from 0."""
    return _whole(text, 999_999)


def _whole(text: str, most: int, *, least: int = 0) -> int:
    digits = text.lstrip("0") or "0"
    # Python refuses to read thousands of digits.
    if not (text.isascii() and text.isdigit()) or (least and digits == "0"):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from {least}")
    if len(digits) > len(str(most)):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is more than {most}, the most possible")
    return int(digits)


def add_variant(command: argparse.ArgumentParser, purpose: str) -> None:
    """Add the option of the game, with its purpose in the help."""
    names = ", ".join(f"{name} ({variant.title})" for name, variant in VARIANTS.items())
    command.add_argument("--variant", choices=VARIANTS, help=f"{purpose}: {names}")


def add_position(command: argparse.ArgumentParser) -> None:
    """Add the options of a position: the game, and a position text."""
    add_variant(command, "the game (default: classic)")
    command.add_argument(
        "--position",
        metavar="TEXT",
        help="use this position text instead of the usual start",
    )


def add_seats(command: argparse.ArgumentParser) -> None:
    """Add the options of the players."""
    for side in ("dwarfs", "trolls"):
        command.add_argument(
            f"--{side}",
            metavar="WHO",
            help=f"who plays the {side} now: human, cpu:1 (weak) to cpu:{HIGHEST_LEVEL}, "
            f"max (full strength), {', '.join(SIMPLE_PLAYERS)} or engine:COMMAND; "
            "sides switch for battle 2",
        )
    command.add_argument(
        "--opponent",
        metavar="WHO",
        help=f"your opponent in both battles: {OPPONENTS}",
    )
    command.add_argument(
        "--coach",
        action="store_true",
        default=None,
        help="against a computer: be warned before you blunder, with the reason",
    )


def add_plain(command: argparse.ArgumentParser, does: str = "play") -> None:
    """Add the option of plain text; `does` is what it is for."""
    command.add_argument(
        "--plain",
        action="store_true",
        help=f"{does} in lines of text, for screen readers, simple terminals and scripts",
    )


ALL: Final = "all"
"""All matches of a file, where one may be chosen."""


def _number_or_all(text: str) -> int | str:
    return ALL if text == ALL else number(text)


def add_file(
    command: argparse.ArgumentParser, *, optional: bool = False, several: bool = False
) -> None:
    """Add the arguments of a record: file or id, and the match in it, or several of them."""
    command.add_argument(
        "file",
        metavar="FILE|ID",
        nargs="?" if optional else None,
        help=source_help(),
    )
    command.add_argument(
        "--match",
        type=_number_or_all if several else number,
        default=1,
        metavar="N",
        help="which match of the file" + (", or all" if several else "") + " (default: 1)",
    )


def add_place(command: argparse.ArgumentParser) -> None:
    """Add the options of a place in a record."""
    add_battle(command, "which battle, 1 or 2")
    command.add_argument("--ply", type=number, metavar="N", help="after this many of its moves")


def add_battle(command: argparse.ArgumentParser, purpose: str) -> None:
    """Add the option of one battle of a match, with its purpose in the help."""
    command.add_argument("--battle", type=_battle, metavar="N", help=purpose)


def _battle(text: str) -> int:
    """Parse the number of a battle of a match."""
    if text not in ("1", "2"):
        raise argparse.ArgumentTypeError(f"a match has battles 1 and 2, not {quoted(text)}")
    return int(text)


def add_clock(command: argparse.ArgumentParser) -> None:
    """Add the option of the clock."""
    command.add_argument(
        "--clock",
        metavar="TIME",
        help="time for each player and battle: 20 (minutes), 20+10 (plus 10 seconds a move) or "
        "15/3x30 (then three periods of 30 seconds), or 3d (days for each move)",
    )


def add_limits(command: argparse.ArgumentParser, each: str, otherwise: str = "") -> None:
    """Add the options of a search's limit.

    Args:
        command: the command.
        each: what is searched for.
        otherwise: the number of positions if neither limit is given, if it is fixed.
    """
    limits = command.add_mutually_exclusive_group()
    time, positions = f"milliseconds for each {each}", f"positions for each {each}"
    if otherwise:
        time, positions = f"{time}, instead of --nodes", f"{positions} (default: {otherwise})"
    limits.add_argument("--movetime", type=amount, metavar="MS", help=time)
    limits.add_argument("--nodes", type=amount, metavar="N", help=positions)


def source_help() -> str:
    """Return the help on what a record can be read from."""
    return (
        f"a {joined(READABLE, 'or')} file, - for a record on standard input, a link, or a saved "
        "match: "
        f"{ID_HELP}"
    )
