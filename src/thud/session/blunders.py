"""What the coach says of a move: how much it loses against the best, and the visible reason."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.ai.player import Decision
from thud.ai.scores import GOAL, seen_by
from thud.engines.outlook import is_exact
from thud.review.judgement import grave_loss
from thud.rules.position import Move, Position
from thud.rules.tactics import Compared, fault
from thud.rules.variant import Variant
from thud.words.remarks import describe_fault

_UNEVEN: Final = 5 / 4
"""Factor of a blunder's least loss for searches of different depths, as scores vary with depth."""

_SURE: Final = 2
"""Smallest depth of a search to be trusted."""


class Best(NamedTuple):
    """The best move, and the expected reply."""

    move: Move
    answer: Decision | None
    """None if the move ends the battle."""


class Blunder(NamedTuple):
    """The reason against a chosen move, and the move to show."""

    move: Move
    because: str
    """A sentence."""
    answer: Move | None
    """The other side's reply, if that is the reason."""
    instead: Move | None
    """The better move, if that is the reason."""


def doubt(
    variant: Variant, position: Position, move: Move, best: Best, answer: Decision
) -> Blunder | None:
    """Return why a move is a blunder; None if it is not, or if no visible reason is found.

    Args:
        variant: the variant.
        position: the position before the move.
        move: the chosen move.
        best: the best move there.
        answer: the other side's reply to the chosen move.
    """
    depth = depth_of(variant, position, move, answer)
    is_even = depth in (None, depth_of(variant, position, *best))
    least = grave_loss(variant) * (1 if is_even else _UNEVEN)
    if loss(variant, position, move, best, answer) < least:
        return None
    compared = Compared(position, move, best.move, answer.move)
    found = fault(variant, compared)
    if found is None:
        return None
    because = describe_fault(variant, compared, found)
    if found.answered:
        return Blunder(move, because, answer.move, None)
    return Blunder(move, because, None, best.move)


def loss(variant: Variant, position: Position, move: Move, best: Best, answer: Decision) -> int:
    """Return a move's loss against the best, in hundredths of a point; 0 if unsure."""
    found = answer.thought
    if found is None:
        return 0
    if best.answer is None:
        outcome = variant.outcome(position.after(best.move))
        if outcome is None or not variant.counts_points:
            return GOAL
        return seen_by(position.to_move, round(100 * outcome.margin)) + found.score
    spared = best.answer.thought
    if spared is None:
        return 0
    for depth in (depth_of(variant, position, move, answer), depth_of(variant, position, *best)):
        if depth is not None and depth < _SURE:
            return 0
    return found.score - spared.score


def depth_of(
    variant: Variant, position: Position, move: Move, answer: Decision | None
) -> int | None:
    """Return the search depth of the reply to a move; None if it is unknown, or the score exact."""
    thought = answer.thought if answer else None
    if thought is None or is_exact(variant, position.after(move), thought):
        return None
    return thought.depth
