"""Whether a move that a person has chosen is a blunder, and why: every word true on the board."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.ai.scores import GOAL, LIMIT
from thud.rules.position import Move, Position, Side
from thud.rules.remarks import instead, then_taken, then_won, wins
from thud.rules.variant import Variant

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought

MARGIN: Final = 400
"""So many hundredths of a point a quick look has to miss: three points, and what it may err."""

UNEVEN: Final = 500
"""The same where one look has seen further than the other: scores sway from depth to depth."""

_SURE: Final = 2
"""So many moves a look has to see ahead before it is believed."""

_TELLING: Final = 2
"""So many points a capture has to be worth to be given as the reason."""

_WORTH: Final = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 3})
"""What a piece is worth where none counts in the end."""


class Best(NamedTuple):
    """What is best in a position, and what a quick look expects the other side to answer."""

    move: Move
    answer: Decision | None
    """None where the battle is over then."""

    @property
    def depth(self) -> int | None:
        """How many moves the look at the answer has seen ahead, None if there was none."""
        return _depth(self.answer) if self.answer else None


class Doubt(NamedTuple):
    """Why a move should not be played, unless that is meant."""

    move: Move
    because: str
    """A sentence."""
    answer: Move | None
    """What the other side can then do, if that is the reason."""
    instead: Move | None
    """What could be done instead, if that is the reason."""


def doubt(
    variant: Variant, position: Position, move: Move, best: Best, answer: Decision
) -> Doubt | None:
    """Return why a move is a blunder, None if it is none or if nothing on the board shows it.

    Args:
        variant: what is played.
        position: where the move is to be played.
        move: the move that was chosen.
        best: what is best there.
        answer: what the other side does after the move.
    """
    if loss(best, answer) < (MARGIN if best.depth == _depth(answer) else UNEVEN):
        return None
    after = position.after(move)
    if wins(variant, after, answer.move):
        return Doubt(move, then_won(after, answer.move), answer.move, None)
    if wins(variant, position, best.move):
        return Doubt(move, instead(variant, position, best.move), None, best.move)
    return _material(variant, position, move, best.move, answer.move)


def _material(
    variant: Variant, position: Position, move: Move, best: Move, answer: Move
) -> Doubt | None:
    """Return what is lost or missed at once, whichever is more, if it is telling."""
    after = position.after(move)
    lost, taken = _value(variant, after, answer), _value(variant, position, move)
    missed = _value(variant, position, best)
    if missed >= _TELLING and missed > max(lost, taken):
        return Doubt(move, instead(variant, position, best), None, best)
    if lost >= _TELLING:
        return Doubt(move, then_taken(after, answer), answer, None)
    return None


def loss(best: Best, answer: Decision) -> int:
    """Return how much worse than the best a move is, in hundredths of a point; 0 if unsure."""
    if best.answer is None:
        return GOAL if answer.thought else 0
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


def _value(variant: Variant, position: Position, move: Move) -> int:
    """Return what a move of a position captures at once, in points."""
    worth: Mapping[Side, int] = variant.worth or _WORTH
    return move.captures.bit_count() * worth[position.to_move.other]
