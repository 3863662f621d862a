"""The game of Koom Valley for the search: traps, tramples, the rock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thud.ai.bitboards import BITS, NEAR, squares_in
from thud.ai.game import DWARFS, TROLLS, State
from thud.ai.scores import GOAL, Score
from thud.ai.valley.choice import chosen, dwarf_ranks, troll_ranks
from thud.ai.valley.evaluation import KOOM_WEIGHTS, koom_score
from thud.ai.valley.game import ValleyGame
from thud.ai.valley.moves import (
    KING,
    QUEEN,
    TROLL,
    VICTIMS,
    slides,
    slides_to,
    tramples,
    trap_squares,
    trapped,
)
from thud.rules.geometry import BOARD, Mask
from thud.rules.variants.koom_valley import KOOM_VALLEY


class KoomGame(ValleyGame):
    """Koom Valley: the rock moves one square, dwarfs trap, trolls trample."""

    variant = KOOM_VALLEY
    swing = 150
    stone_rays = KING
    troll_rays = TROLL

    def _taken(self, state: State, move: int) -> Mask:
        dwarfs, trolls, side, stone = state
        if side:
            return move >> VICTIMS
        return 0 if move & 255 == stone else trapped(dwarfs, trolls, move >> 8)

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that reach a goal or capture, each with its gain, highest first."""
        won = self.goals(state)
        taking = self._tramples(state) if state[2] else self._traps(state)
        worth = self.weights.dwarf if state[2] else self.weights.troll
        gains = [(worth * self._taken(state, m).bit_count(), m) for m in taking if m not in won]
        gains.sort(reverse=True)
        return [(GOAL, move) for move in won] + gains

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move not in `captures`."""
        dwarfs, trolls, side, stone = state
        occupied = dwarfs | trolls | BITS[stone]
        won = self.goals(state)
        if side:
            moves = slides(self.troll_rays, trolls, occupied)
        else:
            moves = self._rolls(state) + slides(QUEEN, dwarfs, occupied)
            if traps := trap_squares(dwarfs, trolls, BOARD & ~occupied):
                moves = [m for m in moves if m & 255 == stone or not traps >> (m >> 8) & 1]
        return [m for m in moves if m not in won] if won else moves

    def make(self, state: State, move: int) -> State:
        """Return the state after a move; a dwarf takes all trolls it traps."""
        dwarfs, trolls, side, stone = state
        origin, destination = move & 255, move >> 8 & 255
        if side:
            path = BITS[origin] ^ BITS[destination]
            return dwarfs & ~(move >> VICTIMS), trolls ^ path, DWARFS, stone
        if origin == stone:
            return dwarfs, trolls, TROLLS, destination
        if trolls & NEAR[destination]:
            trolls &= ~trapped(dwarfs, trolls, destination)
        return dwarfs ^ BITS[origin] ^ BITS[destination], trolls, TROLLS, stone

    def _tramples(self, state: State) -> list[int]:
        dwarfs, trolls, _, stone = state
        return tramples(dwarfs, trolls, BOARD & ~(dwarfs | trolls | BITS[stone]))

    def _traps(self, state: State) -> list[int]:
        """List the dwarfs' captures."""
        dwarfs, trolls, _, stone = state
        occupied = dwarfs | trolls | BITS[stone]
        moves: list[int] = []
        for square in squares_in(trap_squares(dwarfs, trolls, BOARD & ~occupied)):
            moves += slides_to(QUEEN, square, dwarfs, occupied)
        return moves

    def evaluate(self, state: State) -> Score:
        """Return the evaluation of an undecided state, for the side to move."""
        score = koom_score(state, self.weights)
        return -score if state[2] else score

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the promising quiet moves, the most promising first."""
        dwarfs, trolls, side, stone = state
        empty = BOARD & ~(dwarfs | trolls | BITS[stone])
        if side:
            return chosen(self.all_quiets(state), troll_ranks(stone, dwarfs, trolls, empty), 0)
        ranks = dwarf_ranks(stone, dwarfs, trolls, empty)
        return chosen(self.all_quiets(state), ranks, NEAR[stone])


KOOM: Final = KoomGame(KOOM_WEIGHTS)
