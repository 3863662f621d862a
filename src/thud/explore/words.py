"""What is said of the moves that were made, and of the index."""

from __future__ import annotations

from collections.abc import Callable

from thud.explore.library import Played, Sample, State
from thud.rules.variant import Variant
from thud.wording.text import counted


def percent(share: float) -> str:
    """Return a share as it is written: `"27%"`."""
    return f"{share:.0%}"


def average(variant: Variant, played: Played) -> str:
    """Return what came of the battles on average, in short; nothing if none is over.

    Where points are counted it is the dwarfs' margin, `"+3.5"`, elsewhere their share of the wins.
    """
    if played.mean is None or played.score is None:
        return ""
    if not variant.worth:
        return percent(played.score)
    return f"{played.mean:+.1f}" if round(played.mean, 1) else "0.0"


def results(variant: Variant, played: Played) -> str:
    """Say what came of the battles in which a move was made."""
    if played.mean is None:
        return "None of them is over."
    goes_on = played.number - played.over
    won = f"Dwarfs won {played.dwarfs}, trolls {played.trolls}, drawn {played.drawn}"
    going = f", {goes_on} not over" if goes_on else ""
    return f"{won}{going}.{_margin(variant, played.mean)}"


def _margin(variant: Variant, mean: float) -> str:
    if not variant.worth:
        return ""
    if not round(mean, 1):
        return " On average the sides are level."
    ahead = "dwarfs" if mean > 0 else "trolls"
    return f" On average the {ahead} are {abs(mean):.1f} points ahead."


def times(played: Played) -> str:
    """Say in how many battles a move was made."""
    return f"in {counted(played.number, 'battle')}, {percent(played.share)}"


def spot(sample: Sample) -> str:
    """Say where in a match a position was reached: the battle, and the move made there."""
    return f"battle {sample.where.battle}, move {sample.where.ply + 1}"


def result(variant: Variant, sample: Sample, points: Callable[[float], str]) -> str:
    """Say what came of a battle, by how much where points are counted, as `points` writes them."""
    margin = sample.margin
    if margin is None:
        return "not over"
    if not margin:
        return "drawn"
    winner = "dwarfs" if margin > 0 else "trolls"
    return f"{winner} by {points(abs(margin))}" if variant.worth else f"{winner} won"


def counting(variant: Variant) -> str:
    """Say what the averages of a game are."""
    if variant.worth:
        return "the dwarfs' points less the trolls', on average"
    return "the dwarfs' share of the wins, a draw half a win"


def reading(state: State) -> str:
    """Say how far the index is, nothing where all has been read."""
    if state.read >= state.files:
        return ""
    return f"Reading: {state.read} of {state.files} files"


def empty(state: State) -> str:
    """Say what there is to look into where there are no matches at all; nothing where there are."""
    if state.files:
        return ""
    return "There are no matches yet. 'thud explore --corpus' has battles between computers."


def faults(state: State) -> str:
    """Say which files could not be read, in one line; nothing if all could."""
    if not state.faulty:
        return ""
    if state.faulty == 1:
        return f"1 file is passed over where it cannot be read: {state.fault}"
    return f"{state.faulty} files are passed over where they cannot be read; one is {state.fault}"


def fleeting(state: State) -> str:
    """Say that the index cannot be kept, nothing if it can."""
    return "" if state.lasts else "The index cannot be kept: all is read anew next time."
