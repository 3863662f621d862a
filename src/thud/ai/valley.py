"""Koom Valley and Football as the search plays them: states, moves, goals, what is decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from thud.ai.game import DWARFS, GOAL, TROLLS, Score, State
from thud.ai.search import SELECTIVE
from thud.ai.valley_choice import (
    FOOTBALL_REGION,
    chosen,
    chosen_blocks,
    chosen_rolls,
    dwarf_ranks,
    troll_ranks,
)
from thud.ai.valley_evaluation import DWARF, football_score, koom_score, seen
from thud.ai.valley_evaluation import TROLL as TROLL_WORTH
from thud.ai.valley_moves import (
    FOOTBALL_TROLL,
    KING,
    NEAR,
    QUEEN,
    TROLL,
    VICTIMS,
    Rays,
    slides,
    slides_to,
    spread,
    tramples,
    trap_squares,
    trapped,
)
from thud.rules import position as rules
from thud.rules.geometry import BOARD, EDGE, Mask, squares_of
from thud.rules.position import Position, Side
from thud.rules.valley import FAR_SIDE, TROLLS_NEEDED
from thud.rules.variant import Variant
from thud.rules.variants.football import FOOTBALL
from thud.rules.variants.koom_valley import KOOM_VALLEY

VALLEY_OPTIONS: Final = SELECTIVE._replace(
    caps=((0, 10, 16, 24, 40), (0, 12, 20, 30, 40)),
    tried=((1000, 300, 200, 150, 120), (1000, 100, 100, 80, 60)),
)
"""Who stands well at a glance is looked at first, and soon alone: goals call for depth."""

_BITS: Final = [1 << square for square in range(256)]


class ValleyGame(ABC):
    """What the two games share; a state is `(dwarfs, trolls, side, stone)`."""

    variant: Variant
    swing: Score
    stone_rays: Rays
    troll_rays: Rays
    troll_stops: Mask = BOARD

    def state(self, position: Position) -> State:
        """Return the state of a position."""
        side = DWARFS if position.to_move is Side.DWARFS else TROLLS
        return position.dwarfs, position.trolls, side, position.stone

    def seen_from(self, state: State, quiet: int) -> ValleyGame:
        """Return the game: it is the same from everywhere."""
        return self

    def rules_move(self, state: State, move: int) -> rules.Move:
        """Return a move of the search as the rules have it."""
        origin, destination = move & 255, move >> 8 & 255
        return rules.Move(origin, destination, self._taken(state, move))

    @abstractmethod
    def _taken(self, state: State, move: int) -> Mask:
        """Return what a move captures."""

    @abstractmethod
    def make(self, state: State, move: int) -> State:
        """Return the state after a move."""

    @abstractmethod
    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that reach a goal or capture, each with its gain, the highest first."""

    @abstractmethod
    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move that `captures` does not list."""

    @abstractmethod
    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the other moves worth a look, the most promising first."""

    @abstractmethod
    def evaluate(self, state: State) -> Score:
        """Return how good an undecided state is, for the side to move."""

    def rescues(self, state: State) -> Sequence[int]:
        """List no moves: what threatens is a goal, and `pressed` looks at that in full."""
        return ()

    def decided(self, state: State) -> Score | None:
        """Return the score of a battle that has ended here."""
        dwarfs, trolls, side, stone = state
        if _BITS[stone] & FAR_SIDE:
            return GOAL if side == DWARFS else -GOAL
        if side == DWARFS and (NEAR[stone] & trolls).bit_count() >= TROLLS_NEEDED:
            return -GOAL
        return None if dwarfs or trolls.bit_count() >= TROLLS_NEEDED else 0

    def stuck(self, state: State) -> Score:
        """Return the score of a side that cannot move: lost, if the other one has a goal left."""
        dwarfs, trolls, side, _ = state
        lost = trolls.bit_count() >= TROLLS_NEEDED if side == DWARFS else dwarfs
        return -GOAL if lost else 0

    def repeated(self, state: State) -> Score:
        """Return the score of a state that comes back: a draw."""
        return 0

    def passed(self, state: State) -> State | None:
        """Return the state with the other side to move, unless the stone is held already."""
        dwarfs, trolls, side, stone = state
        if side and (NEAR[stone] & trolls).bit_count() >= TROLLS_NEEDED:
            return None
        return dwarfs, trolls, 1 - side, stone

    def pressed(self, state: State) -> bool:
        """Say whether the other side threatens to reach its goal at once."""
        _, trolls, side, stone = state
        if side == DWARFS:
            beside = (NEAR[stone] & trolls).bit_count()
            return beside == TROLLS_NEEDED - 1 and bool(self._troll_goals(state, beside))
        return bool(self._dwarf_goals(state))

    def shown(self, state: State, score: Score) -> int:
        """Return an evaluation's score as people see it."""
        return score

    def goals(self, state: State) -> list[int]:
        """List the moves that win at once."""
        _, trolls, side, stone = state
        if side == DWARFS:
            return self._dwarf_goals(state)
        beside = (NEAR[stone] & trolls).bit_count()
        return self._troll_goals(state, beside) if beside >= TROLLS_NEEDED - 1 else []

    def _dwarf_goals(self, state: State) -> list[int]:
        return [move for move in self._rolls(state) if _BITS[move >> 8] & FAR_SIDE]

    def _rolls(self, state: State) -> list[int]:
        """List the moves of the stone."""
        dwarfs, trolls, _, stone = state
        if not NEAR[stone] & dwarfs:
            return []
        cover = spread(dwarfs)
        rolls = slides(self.stone_rays, _BITS[stone], dwarfs | trolls | _BITS[stone])
        return [move for move in rolls if _BITS[move >> 8] & cover]

    def _troll_goals(self, state: State, beside: int) -> list[int]:
        """List the troll moves that leave three beside the stone, where two are or more."""
        dwarfs, trolls, _, stone = state
        near = NEAR[stone]
        if beside >= TROLLS_NEEDED:
            return [m for m in self._troll_moves(state) if _holds(m, near, beside)]
        occupied = dwarfs | trolls | _BITS[stone]
        moves = []
        for square in squares_of(near & ~occupied & self.troll_stops):
            moves += slides_to(self.troll_rays, square, trolls & ~near, occupied)
        return moves + [m for m in self._tramples(state) if _holds(m, near, beside)]

    def _tramples(self, state: State) -> list[int]:
        """List the trolls' captures."""
        return []

    def _troll_moves(self, state: State) -> list[int]:
        """List all moves of the trolls."""
        dwarfs, trolls, _, stone = state
        occupied = dwarfs | trolls | _BITS[stone]
        return slides(self.troll_rays, trolls, occupied) + self._tramples(state)


def _holds(move: int, near: Mask, beside: int) -> bool:
    """Say whether three trolls stand near the stone after a troll's move."""
    gone, come = bool(_BITS[move & 255] & near), bool(_BITS[move >> 8 & 255] & near)
    return beside - gone + come >= TROLLS_NEEDED


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

    def make(self, state: State, move: int) -> State:
        """Return the state after a move; a dwarf takes whatever it traps."""
        dwarfs, trolls, side, stone = state
        origin, destination = move & 255, move >> 8 & 255
        if side:
            path = _BITS[origin] ^ _BITS[destination]
            return dwarfs & ~(move >> VICTIMS), trolls ^ path, DWARFS, stone
        if origin == stone:
            return dwarfs, trolls, TROLLS, destination
        if trolls & NEAR[destination]:
            trolls &= ~trapped(dwarfs, trolls, destination)
        return dwarfs ^ _BITS[origin] ^ _BITS[destination], trolls, TROLLS, stone

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that reach a goal or capture, each with its gain, the highest first."""
        won = self.goals(state)
        taking = self._tramples(state) if state[2] else self._traps(state)
        worth = DWARF if state[2] else TROLL_WORTH
        gains = [(worth * self._taken(state, m).bit_count(), m) for m in taking if m not in won]
        gains.sort(reverse=True)
        return [(GOAL, move) for move in won] + gains

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move that `captures` does not list."""
        dwarfs, trolls, side, stone = state
        occupied = dwarfs | trolls | _BITS[stone]
        won = self.goals(state)
        if side:
            moves = slides(self.troll_rays, trolls, occupied)
        else:
            moves = self._rolls(state) + slides(QUEEN, dwarfs, occupied)
            if traps := trap_squares(dwarfs, trolls, BOARD & ~occupied):
                moves = [m for m in moves if m & 255 == stone or not traps >> (m >> 8) & 1]
        return [m for m in moves if m not in won] if won else moves

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the other moves worth a look, the most promising first."""
        dwarfs, trolls, side, stone = state
        empty = BOARD & ~(dwarfs | trolls | _BITS[stone])
        if side:
            return chosen(self.all_quiets(state), troll_ranks(stone, dwarfs, trolls, empty), 0)
        ranks = dwarf_ranks(stone, dwarfs, trolls, empty)
        return chosen(self.all_quiets(state), ranks, NEAR[stone])

    def evaluate(self, state: State) -> Score:
        """Return how good an undecided state is, for the side to move."""
        score = koom_score(state)
        return -score if state[2] else score

    def _tramples(self, state: State) -> list[int]:
        dwarfs, trolls, _, stone = state
        return tramples(dwarfs, trolls, BOARD & ~(dwarfs | trolls | _BITS[stone]))

    def _traps(self, state: State) -> list[int]:
        """List the dwarfs' captures."""
        dwarfs, trolls, _, stone = state
        occupied = dwarfs | trolls | _BITS[stone]
        moves: list[int] = []
        for square in squares_of(trap_squares(dwarfs, trolls, BOARD & ~occupied)):
            moves += slides_to(QUEEN, square, dwarfs, occupied)
        return moves


class FootballGame(ValleyGame):
    """Football: the ball rolls any distance, nothing is captured, trolls keep off the edge."""

    variant = FOOTBALL
    swing = 0
    stone_rays = QUEEN
    troll_rays = FOOTBALL_TROLL
    troll_stops = BOARD & ~EDGE

    def _taken(self, state: State, move: int) -> Mask:
        return 0

    def make(self, state: State, move: int) -> State:
        """Return the state after a move."""
        dwarfs, trolls, side, stone = state
        origin, destination = move & 255, move >> 8
        path = _BITS[origin] ^ _BITS[destination]
        if side:
            return dwarfs, trolls ^ path, DWARFS, stone
        if origin == stone:
            return dwarfs, trolls, TROLLS, destination
        return dwarfs ^ path, trolls, TROLLS, stone

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that reach a goal."""
        return [(GOAL, move) for move in self.goals(state)]

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move that reaches no goal."""
        dwarfs, trolls, side, stone = state
        occupied = dwarfs | trolls | _BITS[stone]
        if side:
            moves = slides(self.troll_rays, trolls, occupied)
        else:
            moves = self._rolls(state) + slides(QUEEN, dwarfs, occupied)
        won = self.goals(state)
        return [m for m in moves if m not in won] if won else moves

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the other moves worth a look, the most promising first."""
        dwarfs, trolls, side, stone = state
        ball = _BITS[stone]
        empty = BOARD & ~(dwarfs | trolls | ball)
        lanes = seen(spread(dwarfs) & empty & FAR_SIDE, empty)
        moves = self.all_quiets(state)
        if side:
            return chosen_blocks(moves, stone, lanes)
        rolls = chosen_rolls((m for m in moves if m & 255 == stone), lanes)
        others = (m for m in moves if m & 255 != stone)
        return rolls + chosen(others, FOOTBALL_REGION[stone], NEAR[stone])

    def evaluate(self, state: State) -> Score:
        """Return how good an undecided state is, for the side to move."""
        score = football_score(state)
        return -score if state[2] else score


KOOM: Final = KoomGame()
FOOTBALL_GAME: Final = FootballGame()
