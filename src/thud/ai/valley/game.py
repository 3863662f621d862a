"""The game shared by Koom Valley and Football: states, goals, outcomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from thud.ai.bitboards import BITS, NEAR, spread, squares_in
from thud.ai.game import DWARFS, SELECTIVE, TROLLS, Options, State
from thud.ai.scores import GOAL, Score
from thud.ai.valley.evaluation import Weights
from thud.ai.valley.moves import Rays, slides, slides_to
from thud.rules.geometry import BOARD, Mask
from thud.rules.position import Move, Position, Side
from thud.rules.valley import FAR_SIDE, TROLLS_NEEDED
from thud.rules.variant import Variant

VALLEY_OPTIONS: Final = SELECTIVE._replace(
    caps=((0, 10, 16, 24, 40), (0, 12, 20, 30, 40)),
    tried=((1000, 300, 200, 150, 120), (1000, 100, 100, 80, 60)),
)
"""Few moves, chosen by a quick look, to search deeper: goals call for depth."""


class ValleyGame(ABC):
    """Shared base of both games; a state is `(dwarfs, trolls, side, stone)`.

    Args:
        weights: the evaluation's weights.
    """

    variant: Variant
    options: Options = VALLEY_OPTIONS
    swing: Score
    stone_rays: Rays
    troll_rays: Rays
    troll_stops: Mask = BOARD

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def seen_from(self, state: State, quiet: int) -> ValleyGame:
        """Return the game itself: it is the same from every state."""
        return self

    def state(self, position: Position) -> State:
        """Return the state of a position."""
        side = DWARFS if position.to_move is Side.DWARFS else TROLLS
        return position.dwarfs, position.trolls, side, position.stone

    def rules_move(self, state: State, move: int) -> Move:
        """Return a search move as a move of the rules."""
        origin, destination = move & 255, move >> 8 & 255
        return Move(origin, destination, self._taken(state, move))

    @abstractmethod
    def _taken(self, state: State, move: int) -> Mask:
        """Return what a move captures."""

    @abstractmethod
    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that reach a goal or capture, each with its gain, highest first."""

    @abstractmethod
    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move not in `captures`."""

    @abstractmethod
    def make(self, state: State, move: int) -> State:
        """Return the state after a move."""

    def goals(self, state: State) -> list[int]:
        """List the moves that win at once."""
        _, trolls, side, stone = state
        if side == DWARFS:
            return self._dwarf_goals(state)
        beside = (NEAR[stone] & trolls).bit_count()
        return self._troll_goals(state, beside) if beside >= TROLLS_NEEDED - 1 else []

    def _dwarf_goals(self, state: State) -> list[int]:
        return [move for move in self._rolls(state) if BITS[move >> 8] & FAR_SIDE]

    def _rolls(self, state: State) -> list[int]:
        """List the moves of the stone."""
        dwarfs, trolls, _, stone = state
        if not NEAR[stone] & dwarfs:
            return []
        cover = spread(dwarfs)
        rolls = slides(self.stone_rays, BITS[stone], dwarfs | trolls | BITS[stone])
        return [move for move in rolls if BITS[move >> 8] & cover]

    def _troll_goals(self, state: State, beside: int) -> list[int]:
        """List the moves that leave three trolls beside the stone; `beside` is two or more."""
        dwarfs, trolls, _, stone = state
        near = NEAR[stone]
        if beside >= TROLLS_NEEDED:
            return [m for m in self._troll_moves(state) if _holds(m, near, beside)]
        occupied = dwarfs | trolls | BITS[stone]
        moves = []
        for square in squares_in(near & ~occupied & self.troll_stops):
            moves += slides_to(self.troll_rays, square, trolls & ~near, occupied)
        return moves + [m for m in self._tramples(state) if _holds(m, near, beside)]

    def _troll_moves(self, state: State) -> list[int]:
        """List all moves of the trolls."""
        dwarfs, trolls, _, stone = state
        occupied = dwarfs | trolls | BITS[stone]
        return slides(self.troll_rays, trolls, occupied) + self._tramples(state)

    def _tramples(self, state: State) -> list[int]:
        """List the trolls' captures."""
        return []

    @abstractmethod
    def evaluate(self, state: State) -> Score:
        """Return the evaluation of an undecided state, for the side to move."""

    def decided(self, state: State) -> Score | None:
        """Return the score of a battle that has ended, None while it goes on."""
        dwarfs, trolls, side, stone = state
        if BITS[stone] & FAR_SIDE:
            return GOAL if side == DWARFS else -GOAL
        if side == DWARFS and (NEAR[stone] & trolls).bit_count() >= TROLLS_NEEDED:
            return -GOAL
        return None if dwarfs or trolls.bit_count() >= TROLLS_NEEDED else 0

    def stuck(self, state: State) -> Score:
        """Return the score without a legal move: lost if the opponent can still reach its goal."""
        dwarfs, trolls, side, _ = state
        lost = trolls.bit_count() >= TROLLS_NEEDED if side == DWARFS else dwarfs
        return -GOAL if lost else 0

    def repeated(self, state: State) -> Score:
        """Return the score of a repeated state: a draw."""
        return 0

    def shown(self, state: State, evaluation: Score, score: Score) -> Score:
        """Return the score unchanged."""
        return score

    @abstractmethod
    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the promising quiet moves, the most promising first."""

    def rescues(self, state: State) -> Sequence[int]:
        """List no moves: the threats are goals, for which `pressed` extends the search."""
        return ()

    def passed(self, state: State) -> State | None:
        """Return the state with the other side to move, unless the stone is held already."""
        dwarfs, trolls, side, stone = state
        if side and (NEAR[stone] & trolls).bit_count() >= TROLLS_NEEDED:
            return None
        return dwarfs, trolls, 1 - side, stone

    def pressed(self, state: State) -> bool:
        """Whether the opponent threatens to reach its goal at once."""
        _, trolls, side, stone = state
        if side == DWARFS:
            beside = (NEAR[stone] & trolls).bit_count()
            return beside == TROLLS_NEEDED - 1 and bool(self._troll_goals(state, beside))
        return bool(self._dwarf_goals(state))


def _holds(move: int, near: Mask, beside: int) -> bool:
    """Whether three trolls are beside the stone after a troll's move."""
    gone, come = bool(BITS[move & 255] & near), bool(BITS[move >> 8 & 255] & near)
    return beside - gone + come >= TROLLS_NEEDED
