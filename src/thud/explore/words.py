"""Sentences about the moves that others played, and the index of matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.explore.library import ExploredMove, Sample, shown_path
from thud.rules.variant import Variant
from thud.text import capitalised, counted, spelled
from thud.words.match import points

TITLE: Final = "What others played"

NOBODY_WENT_ON: Final = "No match continues from here."
NOBODY_YET: Final = "No match read so far continues from here."

NO_MATCHES: Final = (
    "There are no matches yet. 'thud explore --corpus' has battles between computers."
)

_SHOWN: Final = 3
"""Moves of a battle that tell it from others."""

FLEETING: Final = "The index cannot be saved, so all files will be read again next time."


def nobody_had(material: object) -> str:
    """Say that no match has some material."""
    return f"No match has {material}."


def percent(share: float) -> str:
    """Return a share as a percentage, such as `"27%"`; none is 0% unless there is nothing."""
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def average(variant: Variant, mean: float | None, score: float | None) -> str:
    """Return the average result of battles in short; empty if none is finished.

    Args:
        variant: the game.
        mean: the dwarfs' mean margin, returned where points count, such as `"+3.5"`.
        score: the dwarfs' share of the wins, returned in other variants.
    """
    if mean is None or score is None:
        return ""
    if not variant.counts_points:
        return percent(score)
    return f"{mean:+.1f}" if round(mean, 1) else "0.0"


def made(variant: Variant, played: ExploredMove, *, compared: bool = False) -> str:
    """Say in how many battles a move was made, and their results.

    Args:
        variant: the game.
        played: the move.
        compared: whether to say how many of them are people's own battles.
    """
    found = f"in {counted(played.number, 'battle')}, {percent(played.share)}"
    if compared and played.own:
        found += f", {f'{spelled(played.own)} of them ' if played.number > 1 else ''}yours"
        if played.own_mean is not None and played.own < played.number:
            score = (played.own_mean + 1) / 2
            often = " on average" if played.own > 1 else ""
            found += f" (dwarfs {average(variant, played.own_mean, score)}{often})"
    if played.mean is None:
        return f"{found}, not finished yet."
    kinds = ("dwarf win", "troll win", "draw")
    ends = [counted(each, kind) for each, kind in zip(played.won, kinds, strict=True) if each]
    if unfinished := played.number - played.over:
        ends.append(f"{spelled(unfinished)} unfinished")
    found = f"{found}. {capitalised(', '.join(ends))}."
    if not variant.counts_points:
        share = average(variant, played.mean, played.score)
        return found if played.over == 1 else f"{found} The dwarfs' share: {share}."
    if not round(played.mean, 1):
        return f"{found} On average the sides are level."
    ahead = "dwarfs" if played.mean > 0 else "trolls"
    if played.over == 1:
        return f"{found} The {ahead} were {abs(played.mean):.1f} points ahead."
    error = "" if played.error is None else f" ± {played.error:.1f}"
    return f"{found} On average the {ahead} are {abs(played.mean):.1f}{error} points ahead."


def spot(battle: int, ply: int) -> str:
    """Return where in a match a position was reached: the battle, and the next move."""
    return f"battle {battle}, move {ply + 1}"


def result(variant: Variant, margin: float | None, number: Callable[[float], str]) -> str:
    """Return a battle's result, with the margin, formatted by `number`, where points count."""
    if margin is None:
        return "not over"
    if not margin:
        return "drawn"
    winner = "dwarfs" if margin > 0 else "trolls"
    return f"{winner} by {number(abs(margin))}" if variant.counts_points else f"{winner} won"


def sample_line(variant: Variant, sample: Sample, *, after: int = 0) -> str:
    """Return a match as a line: players, place, some moves, result and file."""
    match = sample.where.match
    which = f", match {match}" if match > 1 else ""
    how = result(variant, sample.margin, points)
    file = f"{shown_path(sample.path)}{which}"
    return f"{sample.battle.players}, {place_in(sample, after=after)}: {how}. {file}"


def place_in(sample: Sample, *, after: int = 0) -> str:
    """Return where in its battle a position was reached, and moves that tell it from others.

    Such as `"battle 1, move 4 of 61, then dA6-B7 TG7-F6 dA7-B6"`.

    Args:
        sample: the battle and the place.
        after: moves after the place that the others have, too.
    """
    _, battle, ply = sample.where
    place = f"{spot(battle, ply)} of {sample.battle.moves}"
    if ply >= sample.battle.moves:
        place = f"battle {battle}, after {counted(sample.battle.moves, 'move')}"
    moves = sample.battle.opening.split()
    if going_on := moves[ply + after :][:_SHOWN]:
        return f"{place}, then {' '.join(going_on)}"
    return f"{place}, begun {' '.join(moves[:_SHOWN])}" if moves else place


def give_or_take(variant: Variant, error: float | None) -> str:
    """Return the standard error of an average in short, `"±0.9"` or `"±4%"`; empty if unknown."""
    if error is None:
        return ""
    return f"±{error:.1f}" if variant.counts_points else f"±{percent(error / 2)}"


def counting(variant: Variant) -> str:
    """Say what a variant's averages mean."""
    if variant.counts_points:
        return "the dwarfs' points minus the trolls', on average"
    return "the dwarfs' share of the wins; a draw is half a win"


def reading(read: int, files: int) -> str:
    """Return the progress of indexing, empty when complete."""
    return f"Reading: {read} of {files} files" if read < files else ""


def faults(number: int, first: str) -> str:
    """Say how many files could not be read, naming the first; empty if all could."""
    if not number:
        return ""
    if number == 1:
        return f"1 file cannot be read in full: {first}"
    return f"{number} files cannot be read in full, such as {first}"
