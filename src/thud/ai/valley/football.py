"""The game of Football for the search: passes and shots, no captures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thud.ai.bitboards import BITS, NEAR, seen, spread
from thud.ai.game import DWARFS, TROLLS, State
from thud.ai.scores import GOAL, Score
from thud.ai.valley.choice import FOOTBALL_REGION, chosen, chosen_blocks, chosen_rolls
from thud.ai.valley.evaluation import FOOTBALL_WEIGHTS, football_score
from thud.ai.valley.game import ValleyGame
from thud.ai.valley.moves import FOOTBALL_TROLL, QUEEN, slides
from thud.rules.geometry import BOARD, EDGE, Mask
from thud.rules.valley import FAR_SIDE
from thud.rules.variants.football import FOOTBALL


class FootballGame(ValleyGame):
    """Football: the ball rolls any distance, nothing is captured, trolls keep off the edge."""

    variant = FOOTBALL
    swing = 0
    stone_rays = QUEEN
    troll_rays = FOOTBALL_TROLL
    troll_stops = BOARD & ~EDGE

    def _taken(self, state: State, move: int) -> Mask:
        return 0

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that reach a goal."""
        return [(GOAL, move) for move in self.goals(state)]

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move that reaches no goal."""
        dwarfs, trolls, side, stone = state
        occupied = dwarfs | trolls | BITS[stone]
        if side:
            moves = slides(self.troll_rays, trolls, occupied)
        else:
            moves = self._rolls(state) + slides(QUEEN, dwarfs, occupied)
        won = self.goals(state)
        return [m for m in moves if m not in won] if won else moves

    def make(self, state: State, move: int) -> State:
        """Return the state after a move."""
        dwarfs, trolls, side, stone = state
        origin, destination = move & 255, move >> 8
        path = BITS[origin] ^ BITS[destination]
        if side:
            return dwarfs, trolls ^ path, DWARFS, stone
        if origin == stone:
            return dwarfs, trolls, TROLLS, destination
        return dwarfs ^ path, trolls, TROLLS, stone

    def evaluate(self, state: State) -> Score:
        """Return the evaluation of an undecided state, for the side to move."""
        score = football_score(state, self.weights)
        return -score if state[2] else score

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the promising quiet moves, the most promising first."""
        dwarfs, trolls, side, stone = state
        ball = BITS[stone]
        empty = BOARD & ~(dwarfs | trolls | ball)
        lanes = seen(spread(dwarfs) & empty & FAR_SIDE, empty)
        moves = self.all_quiets(state)
        if side:
            return chosen_blocks(moves, stone, lanes)
        rolls = chosen_rolls((m for m in moves if m & 255 == stone), lanes)
        others = (m for m in moves if m & 255 != stone)
        return rolls + chosen(others, FOOTBALL_REGION[stone], NEAR[stone])


FOOTBALL_GAME: Final = FootballGame(FOOTBALL_WEIGHTS)
