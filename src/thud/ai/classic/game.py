"""The game of Classic Thud for the search, with either capture rule.

A state is `(dwarfs, trolls, side)`.  Trolls take every dwarf they can: that is nearly always best,
and keeps the moves few.  Where a step takes one dwarf at most, each victim makes its own move, with
its square in bits 16 to 23 and bit 24 set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thud.ai.bitboards import NEAR
from thud.ai.classic.evaluation import (
    ADVANCE_WEIGHTS,
    DWARF_WEIGHTS,
    TROLL_WEIGHTS,
    Weights,
    hanging_dwarfs,
    worth,
)
from thud.ai.classic.gathering import Area, advance, gathering
from thud.ai.classic.moves import (
    ONE,
    all_slides,
    flights,
    hurls,
    promising_slides,
    single_takes,
    steps,
    takes,
)
from thud.ai.game import DWARFS, SELECTIVE, TROLLS, Options, State
from thud.ai.scores import Score
from thud.rules.geometry import BOARD, bit
from thud.rules.position import Move, Position, Side
from thud.rules.variants.classic import THUDSTONE, Classic

FREE: Final = BOARD & ~bit(THUDSTONE)
"""Every square that can hold a piece."""

_SETTLED: Final = 4
"""Quiet turns after a capture until the dwarfs advance."""

_GATHERED: Final = 40
"""Turns from the start until they advance if nothing was captured."""


class ClassicGame:
    """Classic or its single-capture form, as one side sees it.

    Args:
        variant: the rules.
        weights: the evaluation's weights.
        enough: promising moves for each ply to go after which others are left out.
        passing: whether null moves may be tried; they pay off for the trolls only.
        advancing: the weights when the dwarfs advance; None if they never do.
        area: the dwarfs' gathering area; empty for none.
    """

    options: Options = SELECTIVE
    swing: Score = 60

    def __init__(
        self,
        variant: Classic,
        weights: Weights,
        enough: int = 12,
        *,
        passing: bool = True,
        advancing: Weights | None = None,
        area: Area = (),
    ) -> None:
        self.variant = variant
        self.weights = weights
        self.enough = enough
        self.passing = passing
        self._advancing = advancing
        self.area = area
        self._takes = single_takes if variant.single_capture else takes

    def seen_from(self, state: State, quiet: int) -> ClassicGame:
        """Return the game with the area, and weights, of gathering or advancing dwarfs."""
        if self._advancing is None:
            return self
        dwarfs, trolls, _ = state
        start = self.variant.start
        untouched = (dwarfs | trolls).bit_count() == (start.dwarfs | start.trolls).bit_count()
        weights, area = self.weights, gathering(dwarfs, trolls)
        if quiet >= (_GATHERED if untouched else _SETTLED):
            weights, area = self._advancing, advance(dwarfs, trolls)
        return ClassicGame(self.variant, weights, self.enough, passing=self.passing, area=area)

    def state(self, position: Position) -> State:
        """Return the state of a position."""
        return position.dwarfs, position.trolls, int(position.to_move is Side.TROLLS)

    def rules_move(self, state: State, move: int) -> Move:
        """Return a search move as a move of the rules."""
        dwarfs, trolls, side = state
        origin, destination = move & 255, move >> 8 & 255
        if side == DWARFS:
            return Move(origin, destination, trolls & 1 << destination)
        if move & ONE:
            return Move(origin, destination, 1 << (move >> 16 & 255))
        return Move(origin, destination, dwarfs & NEAR[destination])

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the captures with their gains, the highest first."""
        dwarfs, trolls, side = state
        if side == DWARFS:
            gain = self.weights.troll
            return [(gain, move) for move in hurls(dwarfs, trolls, FREE ^ dwarfs ^ trolls)]
        return self._takes(dwarfs, trolls, FREE ^ dwarfs ^ trolls, self.weights.dwarf)

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every move without capture."""
        dwarfs, trolls, side = state
        empty = FREE ^ dwarfs ^ trolls
        return steps(dwarfs, trolls, empty) if side == TROLLS else all_slides(dwarfs, empty)

    def make(self, state: State, move: int) -> State:
        """Return the state after a move."""
        dwarfs, trolls, side = state
        destination = move >> 8 & 255
        landed = 1 << destination
        path = 1 << (move & 255) | landed
        if side == DWARFS:
            return dwarfs ^ path, trolls & ~landed, TROLLS
        if move & ONE:
            return dwarfs ^ 1 << (move >> 16 & 255), trolls ^ path, DWARFS
        return dwarfs & ~NEAR[destination], trolls ^ path, DWARFS

    def evaluate(self, state: State) -> Score:
        """Return how good a state is for the side to move."""
        dwarfs, trolls, side = state
        score = worth(dwarfs, trolls, FREE ^ dwarfs ^ trolls, self.weights, self.area)
        return -score if side else score

    def decided(self, state: State) -> Score | None:
        """Return the score if a side has no pieces, which ends the battle on its turn."""
        if state[0] and state[1]:
            return None
        return self.stuck(state)

    def stuck(self, state: State) -> Score:
        """Return the score of the material."""
        dwarfs, trolls, side = state
        weights = self.weights
        score = dwarfs.bit_count() * weights.dwarf - trolls.bit_count() * weights.troll
        return -score if side else score

    def repeated(self, state: State) -> Score:
        """Return the evaluation: a repetition neither gains nor loses anything."""
        return self.evaluate(state)

    def shown(self, state: State, evaluation: Score, score: Score) -> Score:
        """Return the present margin plus the expected gain, in hundredths of a point.

        A gain for the dwarfs is converted at the value of trolls, a loss at that of dwarfs.
        """
        dwarfs, trolls, side = state
        sign = 1 - 2 * side
        margin = 100 * dwarfs.bit_count() - 400 * trolls.bit_count()
        gain = sign * (score - evaluation)
        margin += gain * 400 // self.weights.troll if gain > 0 else gain * 100 // self.weights.dwarf
        return sign * margin

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the promising moves without capture, the most promising first."""
        dwarfs, trolls, side = state
        empty = FREE ^ dwarfs ^ trolls
        if side == TROLLS:
            return steps(dwarfs, trolls, empty)
        return promising_slides(dwarfs, trolls, empty, self.enough * depth)

    def rescues(self, state: State) -> Sequence[int]:
        """List the flights of hanging dwarfs."""
        dwarfs, trolls, side = state
        if side == TROLLS:
            return ()
        return flights(dwarfs, trolls, FREE ^ dwarfs ^ trolls)

    def passed(self, state: State) -> State | None:
        """Return the state with the other side to move."""
        if not self.passing:
            return None
        dwarfs, trolls, side = state
        return dwarfs, trolls, side ^ 1

    def pressed(self, state: State) -> bool:
        """Whether two or more dwarfs hang, with the dwarfs to move."""
        dwarfs, trolls, side = state
        if side == TROLLS:
            return False
        empty = FREE ^ dwarfs ^ trolls
        hanging = hanging_dwarfs(dwarfs, trolls, empty)
        return hanging.bit_count() > 1


def make_game(variant: Classic, side: Side) -> ClassicGame:
    """Return Classic, or its single-capture form, as a side sees it."""
    if side is Side.DWARFS:
        return ClassicGame(variant, DWARF_WEIGHTS, 40, passing=False, advancing=ADVANCE_WEIGHTS)
    return ClassicGame(variant, TROLL_WEIGHTS)
