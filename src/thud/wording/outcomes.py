"""Sentences about results: who won, why, and by how much."""

from __future__ import annotations

from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Outcome, Reason
from thud.text import YOU, called, does, plural, whose
from thud.wording.pieces import pieces_left


def figure(number: float) -> str:
    """Return points in figures: 21, 0.5, 1.5."""
    return f"{number:g}"


def points(number: float) -> str:
    """Return points in words: `"21 points"`, `"1 point"`, `"half a point"`."""
    whole, half = int(number), number % 1 == 0.5
    if half:
        return f"{whole} and a half points" if whole else "half a point"
    return f"{whole} {plural(whole, 'point')}"


def verdict(match: Match, outcome: Outcome) -> str:
    """Say who won a battle: `"Ann wins the battle by 21 points."`."""
    return f"{result_of(match, outcome)}."


def leader(match: Match) -> Side | None:
    """Return the side that wins the battle if both players agree to end it now."""
    return match.variant.settled(match.battle.position, Reason.AGREEMENT).winner


def why_over(match: Match, outcome: Outcome, number: int | None = None) -> str:
    """Say why a battle is over, within a sentence: `"no dwarf is left"`, `"you resign"`.

    Args:
        match: the battle's match.
        outcome: the battle's outcome.
        number: the battle's number; None for the current one.
    """
    if not outcome.forfeit:
        return outcome.because
    name = match.name_of(outcome.forfeit.loser, number)
    told = {
        Reason.TIME: f"{whose(name)} time is up",
        Reason.RESIGNATION: does(name, "resign"),
        Reason.CLAIM: f"{does(name, 'have')} been away for too long",
    }[outcome.forfeit.reason]
    return told.replace(YOU, called(YOU), 1) if name == YOU else told


def over(match: Match, outcome: Outcome) -> str:
    """Say that the battle is over, and why."""
    return f"The battle is over: {why_over(match, outcome)}."


def if_agreed(match: Match) -> str:
    """Say who wins the battle if both players agree to end it now."""
    outcome = match.variant.settled(match.battle.position, Reason.AGREEMENT)
    if outcome.winner is None:
        return "That makes the battle a draw."
    return f"{result_of(match, outcome)} if it ends here."


def if_forfeited(match: Match, loser: Side, reason: Reason) -> str:
    """Say who would win the battle if a side forfeited it now."""
    outcome = match.variant.forfeited(match.battle.position, Forfeit(loser, reason))
    return f"{match.name_of(loser.other)} would win the battle{_by(match, outcome.margin)}."


def result_of(
    match: Match, outcome: Outcome, number: int | None = None, *, brief: bool = False
) -> str:
    """Say who won a battle, and by how much: `"Ann wins the battle by 21 points"`.

    Args:
        match: the battle's match.
        outcome: the battle's outcome.
        number: the battle's number; None for the current one.
        brief: whether to leave out that it is a battle: `"Ann wins by 21 points"`.
    """
    winner = None if outcome.winner is None else match.name_of(outcome.winner, number)
    won = _won(match, winner, outcome.margin, "" if brief else " the battle")
    return won or "The battle is drawn"


def match_verdict(match: Match, *, brief: bool = False) -> str:
    """Say who won a match, with the margin where points count; `brief` as in `result_of`."""
    first, second = match.tally
    winner = None if match.winner is None else match.players[match.winner]
    won = _won(match, winner, first - second, "" if brief else " the match")
    return won or "The match is drawn"


def _won(match: Match, winner: str | None, margin: float, what: str) -> str:
    return f"{does(winner, 'win')}{what}{_by(match, margin)}" if winner is not None else ""


def _by(match: Match, margin: float) -> str:
    return f" by {points(abs(margin))}" if match.variant.counts_points else ""


def result(match: Match) -> list[str]:
    """Say how the battle ended, and the match if it was the last."""
    battle = match.battle
    assert battle.outcome is not None
    outcome = battle.outcome
    lines = [over(match, outcome)]
    if match.variant.counts_points:
        lines += [_reckoned(match, side, outcome) for side in Side]
    lines.append(verdict(match, outcome))
    return lines + (_match_result(match) if match.over else [])


def _reckoned(match: Match, side: Side, outcome: Outcome) -> str:
    if outcome.is_forfeit(side):
        return f"{match.name_of(side)}: {points(0)}, {outcome.reason.value}."
    worth, left = match.variant.worth[side], pieces_left(match.battle.position, side)
    several = match.battle.position.pieces(side).bit_count() > 1
    each = f", {points(worth)} each" if worth > 1 and several else ""
    return f"{match.name_of(side)}: {points(outcome.score.of(side))}, {left}{each}."


def _match_result(match: Match) -> list[str]:
    lines = [
        f"{name}: {points(match.tally[player])} in the match."
        for player, name in enumerate(match.players)
    ]
    return [*lines, f"{match_verdict(match)}."]
