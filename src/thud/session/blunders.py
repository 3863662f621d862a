"""Whether a chosen move is a blunder, and why, for reasons visible on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from thud.ai.scores import GOAL, LIMIT
from thud.review.judgement import grave_loss
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import Compared, fault
from thud.rules.variant import Variant
from thud.wording.remarks import describe_fault

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought

_UNEVEN: Final = 5 / 4
"""Factor of a blunder's least loss for searches of different depths, as scores vary with depth."""

_SURE: Final = 2
"""Smallest depth of a search to be trusted."""


class Best(NamedTuple):
    """The best move, and the expected reply."""

    move: Move
    answer: Decision | None
    """None if the move ends the battle."""

    @property
    def depth(self) -> int | None:
        """Search depth of the reply, None if unknown."""
        return _depth(self.answer) if self.answer else None


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
    least = grave_loss(variant) * (1 if best.depth == _depth(answer) else _UNEVEN)
    if loss(variant, position, best, answer) < least:
        return None
    compared = Compared(position, move, best.move, answer.move)
    found = fault(variant, compared)
    if found is None:
        return None
    because = describe_fault(variant, compared, found)
    if found.answered:
        return Blunder(move, because, answer.move, None)
    return Blunder(move, because, None, best.move)


def loss(variant: Variant, position: Position, best: Best, answer: Decision) -> int:
    """Return a move's loss against the best, in hundredths of a point; 0 if unsure."""
    if best.answer is None:
        if not answer.thought:
            return 0
        outcome = variant.outcome(position.after(best.move))
        if outcome is None or not variant.counts_points:
            return GOAL
        sign = 1 if position.to_move is Side.DWARFS else -1
        return round(100 * sign * outcome.margin) + _score(answer)
    thoughts = best.answer.thought, answer.thought
    if any(not _sure(thought) for thought in thoughts):
        return 0
    return _score(answer) - _score(best.answer)


def _sure(thought: Thought | None) -> bool:
    return thought is not None and (thought.depth >= _SURE or abs(thought.score) > LIMIT)


def _depth(decision: Decision) -> int | None:
    return decision.thought.depth if decision.thought else None


def _score(decision: Decision) -> int:
    return decision.thought.score if decision.thought else 0
