"""A player who knows the rules and the goal, and looks no further than its own move."""

from collections.abc import Sequence

from thud.ai.player import Decision, Limits, Report, Stop
from thud.ai.simple import MaterialPlayer
from thud.rules.geometry import distance, rank_of, squares_of
from thud.rules.position import Position, Side

_NEAREST = 3


class BeginnerPlayer(MaterialPlayer):
    """Wins at once if it can, else captures most, else brings its goal nearer.

    In the Koom Valley games the dwarfs bring the stone to lower ranks, and dwarfs before it; the
    trolls gather at it. In Classic, moves that capture nothing are random.
    """

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Return one of the best moves, disregarding any answer."""
        decision = super().decide(positions, limits, stop=stop, report=report)
        position = positions[-1]
        thought = decision.thought
        if (
            self._variant.counts_points
            or decision.move.captures
            or thought is None
            or thought.goal_in
        ):
            return decision
        moves = self._variant.legal_moves(position)
        far = {move: _to_goal(position.after(move), position.to_move) for move in moves}
        least = min(far.values())
        return Decision(
            self._random.choice([move for move in moves if far[move] == least]), thought
        )


def _to_goal(position: Position, side: Side) -> int:
    """Return how far a side is from its goal."""
    pieces, stone = squares_of(position.pieces(side)), position.stone
    if side is Side.TROLLS:
        return sum(sorted(distance(square, stone) for square in pieces)[:_NEAREST])
    rank = rank_of(stone)
    near = sorted(distance(square, stone) + max(0, rank_of(square) - rank) for square in pieces)
    return 20 * rank + sum(near[:_NEAREST])
