"""Who has won, in words; how points are written is up to whoever says it."""

from __future__ import annotations

from collections.abc import Callable

from thud.rules.match import Match
from thud.rules.variant import Outcome


def battle_verdict(
    match: Match, outcome: Outcome, points: Callable[[float], str], number: int | None = None
) -> str:
    """Say who won a battle, and by how much where points are counted.

    Args:
        match: the match that the battle is of.
        outcome: how the battle ended.
        points: writes a number of points.
        number: which battle it is, the one now if that is None.
    """
    winner = None if outcome.winner is None else match.name_of(outcome.winner, number)
    return _verdict("battle", winner, outcome.margin, points if match.variant.worth else None)


def match_verdict(match: Match, points: Callable[[float], str]) -> str:
    """Say who won a match, and by how much where points are counted; `points` writes them."""
    first, second = match.tally
    winner = None if match.winner is None else match.players[match.winner]
    return _verdict("match", winner, first - second, points if match.variant.worth else None)


def _verdict(
    what: str, winner: str | None, margin: float, points: Callable[[float], str] | None
) -> str:
    if winner is None:
        return f"The {what} is drawn"
    by = f" by {points(abs(margin))}" if points else ""
    return f"{winner} wins the {what}{by}"
