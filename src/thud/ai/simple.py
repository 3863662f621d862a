"""Two simple players as yardsticks: random, and material."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter
from types import MappingProxyType
from typing import Final

from thud.ai.player import Decision, Limits, Report, Stop, Thought
from thud.rules.position import Position, Side
from thud.rules.variant import Variant

_WORTH: Final = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 2})
"""A piece's value where pieces do not count; three trolls win, and dwarfs are many."""


class RandomPlayer:
    """Plays any legal move, all equally likely."""

    name: Final = "Random"

    def __init__(self, variant: Variant, seed: int | None = None) -> None:
        self._variant = variant
        self._random = Random(seed)

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Return a random legal move."""
        return Decision(self._random.choice(self._variant.legal_moves(positions[-1])))


class MaterialPlayer:
    """Wins at once if it can, else captures most; ties are broken at random."""

    name: Final = "Material"

    def __init__(self, variant: Variant, seed: int | None = None) -> None:
        self._variant = variant
        self._random = Random(seed)
        self._worth = variant.worth or _WORTH

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Return one of the best moves, disregarding any answer."""
        begun, position = perf_counter(), positions[-1]
        moves = self._variant.legal_moves(position)
        ends = {move: self._variant.decided(position.after(move)) for move in moves}
        winning = [move for move, end in ends.items() if end and end.winner is position.to_move]
        most = max(move.captures.bit_count() for move in moves)
        greediest = [move for move in moves if move.captures.bit_count() == most]
        move = self._random.choice(winning or greediest)
        after, side = position.after(move), position.to_move
        own, other = (
            after.pieces(each).bit_count() * self._worth[each] for each in (side, side.other)
        )
        score = 100 * (own - other)
        seconds = perf_counter() - begun
        thought = Thought(1, score, len(moves), seconds, (move,), 1 if winning else None)
        if report is not None:
            report(thought)
        return Decision(move, thought)
