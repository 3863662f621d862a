"""The match that would be fairer than the one just played: another level, or a handicap."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.ai.levels import LEVELS
from thud.engines.spec import HUMAN, Contender, distinct, level_contender, parse_contender
from thud.rules.match import (
    BATTLES,
    MOST_STEPS,
    Handicap,
    Match,
    handicap_in,
    pieces_missing,
    starts_at,
)
from thud.rules.position import Side
from thud.rules.variant import Variant
from thud.session.state import TableState
from thud.text import counted, does

STEP: Final = 8
"""Points a match that a step of a handicap is worth: see benchmarks/results/handicaps.md."""


class FairerMatch(NamedTuple):
    """Another match against a computer."""

    match: Match
    contenders: tuple[Contender, Contender]
    words: str
    """What is different, in a few words: `easier: level 1`."""


def fairer_match(state: TableState) -> FairerMatch | None:
    """Return a fairer match than the one that is over; None if that was even, or none is known.

    The loser gives less of a handicap, or the winner meets a level nearer to theirs.  Where there
    is none, the winner gives more of a handicap.
    """
    match, seats = state.match, state.seats
    if not match.over or len(seats.local) != 1 or seats.has_remote:
        return None
    (person,) = seats.local
    level, variant = seats[1 - person].level, match.variant
    lead = match.tally[person] - match.tally[1 - person]
    if not level or abs(lead) < (STEP if variant.counts_points else BATTLES):
        return None
    winner, known = person if lead > 0 else 1 - person, handicap_in(variant, match.starts)
    given = (known.steps if known.player == winner else -known.steps) if known else 0
    next_level, starts = level + (1 if lead > 0 else -1), match.starts
    if given >= 0 and next_level in LEVELS:
        level, words = next_level, f"level {next_level}"
    else:
        usual = variant.start, variant.start
        far = variant.counts_points and given >= 0 and abs(lead) >= 2 * STEP
        steps = min(MOST_STEPS, given + 1 + far)
        if steps == given or not variant.handicaps or not (known or starts == usual):
            return None
        by = Handicap(winner if steps > 0 else 1 - winner, abs(steps))
        starts = starts_at(variant, by) if steps else usual
        words = _pieces(variant, match.players[by.player], by) if steps else "no handicap"
    computer = level_contender(level)
    names, pair = (match.players[person], computer.name), (parse_contender(HUMAN), computer)
    names = distinct(*names)
    if person:
        names, pair = names[::-1], pair[::-1]
    fairer = Match(variant, names, *starts, control=match.control)
    return FairerMatch(fairer, pair, f"{'harder' if lead > 0 else 'easier'}: {words}")


def _pieces(variant: Variant, name: str, handicap: Handicap) -> str:
    """Say which pieces a player gives: `Pebble gives 8 dwarfs or 2 trolls`."""
    dwarfs, trolls = (
        counted(pieces_missing(variant, side, handicap.steps).bit_count(), side.singular)
        for side in Side
    )
    return f"{does(name, 'give')} {dwarfs} or {trolls}"
