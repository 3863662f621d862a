"""Sentences about a match's standing: the sides, the pieces left, the handicap."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from typing import Final

from thud.rules.handicaps import Handicap, handicap_in, missing
from thud.rules.match import BATTLES, Match
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.text import YOU, counted, does, sentence
from thud.wording.moves import turn_of
from thud.wording.outcomes import points
from thud.wording.pieces import pieces_left


def standing(match: Match, free: Collection[int] = ()) -> list[str]:
    """Describe the state of the match; `free` are seats nobody has taken."""
    battle = match.battle
    played = battle.played
    left = " and ".join(pieces_left(battle.position, side) for side in Side)
    return [
        heading(match),
        seats(match, free),
        *handicap(match),
        *([f"Turn {turn_of(battle, played)}."] if battle.outcome is None else []),
        f"{left} on the board.",
        *map(_row, match.variant.progress(battle.position)),
        *_first_battle(match),
    ]


def with_display_names(match: Match, you: int | None) -> Match:
    """Return a copy of a match with one player called `You`; None for neither."""
    told = copy(match)
    told.players = calling_you(match.players, you)
    return told


def calling_you(players: tuple[str, str], you: int | None) -> tuple[str, str]:
    """Return the players' names with `You` for one, unless the other has that name."""
    if you is None or players[1 - you].casefold() == YOU.casefold():
        return players
    first, second = players
    return (YOU, second) if you == 0 else (first, YOU)


def heading(match: Match) -> str:
    """Say the variant, and the battle's number."""
    return f"{match.variant.title}, battle {match.number} of {BATTLES}."


def seats(match: Match, free: Collection[int] = ()) -> str:
    """Say who has which side; `free` are seats nobody has taken."""
    return " ".join(
        sentence(untaken(side))
        if match.commander(side) in free
        else f"{does(match.name_of(side), 'have')} the {side.plural}."
        for side in Side
    )


def _first_battle(match: Match) -> list[str]:
    if match.number == 1:
        return []
    made = (f"{name} made {points(match.points(i)[0])}" for i, name in enumerate(match.players))
    return [f"In the first battle {', '.join(made)}."]


def changes(variant: Variant, before: Position, after: Position) -> list[str]:
    """Say what a move has changed: the pieces left, and the standing."""
    lines = [
        f"{pieces_left(after, side)} left."
        for side in Side
        if before.pieces(side).bit_count() > after.pieces(side).bit_count()
    ]
    counted_before = variant.progress(before)
    return lines + [_row(row) for row in variant.progress(after) if row not in counted_before]


def _row(row: tuple[str, str]) -> str:
    label, value = row
    return sentence(f"{label}: {value}")


def handicap(match: Match) -> list[str]:
    """Say a match's handicap, empty if there is none."""
    found = handicap_in(match.variant, match.starts)
    return [handicap_in_words(match.variant, match.players, found)] if found else []


def handicap_in_short(players: tuple[str, str], handicap: Handicap) -> str:
    """Describe a handicap in a few words: `"2 by Ann"`."""
    return f"{handicap.steps} by {players[handicap.player]}"


def handicap_in_words(variant: Variant, players: tuple[str, str], handicap: Handicap) -> str:
    """Describe a handicap: `"Ann gives two steps: four dwarfs fewer, or two trolls fewer."`."""
    dwarfs, trolls = (
        counted(missing(variant, side, handicap.steps).bit_count(), side.singular) for side in Side
    )
    gives = f"{does(players[handicap.player], 'give')} {counted(handicap.steps, 'step')}"
    return f"{gives}: {dwarfs} fewer to begin with, or {trolls} fewer."


LOOKS_ON: Final = "You are watching."
"""Message to a guest without a seat."""


def says(name: str, text: str) -> str:
    """Return a chat message with its author."""
    return f"{name} says: {text}"


def untaken(side: Side) -> str:
    """Say that nobody has taken the seat of a side yet."""
    return f"nobody has taken the {side.plural} yet"
