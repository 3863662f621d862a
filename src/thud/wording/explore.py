"""Sentences about the moves that others played, and the index of matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.rules.variant import Variant
from thud.wording.text import counted

TITLE: Final = "What others played"

NOBODY_WENT_ON: Final = "No match continues from here."

NOBODY_HERE: Final = "No match reached this position."

NO_MATCHES: Final = (
    "There are no matches yet. 'thud explore --corpus' has battles between computers."
)

FLEETING: Final = "The index cannot be saved, so all files will be read again next time."


def percent(share: float) -> str:
    """Return a share as it is written: `"27%"`."""
    return f"{share:.0%}"


def average(variant: Variant, mean: float | None, score: float | None) -> str:
    """Return what came of the battles on average, in short; nothing if none is over.

    Args:
        variant: the game.
        mean: the dwarfs' margin, which is told where points are counted: `"+3.5"`.
        score: the dwarfs' share of the wins, told elsewhere.
    """
    if mean is None or score is None:
        return ""
    if not variant.worth:
        return percent(score)
    return f"{mean:+.1f}" if round(mean, 1) else "0.0"


def made(
    variant: Variant,
    number: int,
    share: float,
    won: tuple[int, int, int],
    mean: float | None,
) -> str:
    """Say in how many battles a move was made, and what came of them.

    Args:
        variant: the game.
        number: in how many battles.
        share: of all that went on from the position.
        won: how many the dwarfs won, the trolls won, and nobody.
        mean: the dwarfs' margin on average, None if no battle is over.
    """
    found = f"in {counted(number, 'battle')}, {percent(share)}"
    if mean is None:
        return f"{found}. None is finished."
    dwarfs, trolls, drawn = won
    going = f", {number - sum(won)} not over" if number > sum(won) else ""
    results = f"Dwarfs won {dwarfs}, trolls {trolls}, drawn {drawn}{going}."
    return f"{found}. {results}{_margin(variant, mean)}"


def _margin(variant: Variant, mean: float) -> str:
    if not variant.worth:
        return ""
    if not round(mean, 1):
        return " On average the sides are level."
    ahead = "dwarfs" if mean > 0 else "trolls"
    return f" On average the {ahead} are {abs(mean):.1f} points ahead."


def spot(battle: int, ply: int) -> str:
    """Say where in a match a position was reached: the battle, and the move made there."""
    return f"battle {battle}, move {ply + 1}"


def result(variant: Variant, margin: float | None, points: Callable[[float], str]) -> str:
    """Say what came of a battle, by how much where points are counted, as `points` writes them."""
    if margin is None:
        return "not over"
    if not margin:
        return "drawn"
    winner = "dwarfs" if margin > 0 else "trolls"
    return f"{winner} by {points(abs(margin))}" if variant.worth else f"{winner} won"


def counting(variant: Variant) -> str:
    """Say what the averages of a game are."""
    if variant.worth:
        return "the dwarfs' points minus the trolls', on average"
    return "the dwarfs' share of the wins; a draw is half a win"


def reading(read: int, files: int) -> str:
    """Say how far the index is, nothing where all has been read."""
    return f"Reading: {read} of {files} files" if read < files else ""


def faults(number: int, first: str) -> str:
    """Say which files could not be read, the first by name; nothing if all could."""
    if not number:
        return ""
    if number == 1:
        return f"1 file cannot be read in full: {first}"
    return f"{number} files cannot be read in full, such as {first}"
