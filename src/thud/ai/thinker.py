"""The player that searches: as strong as its limits let it be, in every variant."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from random import Random
from typing import Final

from thud.ai.deepening import Found, think
from thud.ai.game import Game, State
from thud.ai.games import game_for, options_for
from thud.ai.player import Decision, Limits, Report, Stop, Thought
from thud.ai.search import Options, Tree, goal_in
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant

ENOUGH: Final = Limits(nodes=20_000, seconds=2.0)
"""How long a player thinks that is told nothing: it has to decide some day."""

_CALM: Final = {Side.DWARFS: 100, Side.TROLLS: 60}
"""So many quiet turns, at least, before a side thinks a battle over: dwarfs advance slowly."""

_GLANCE: Final = Limits(nodes=5_000, depth=3)
"""What a player who looks less far looks at before it ends a battle."""

_POINT: Final = 100
"""Who expects less than a point more expects no gain."""

_SURE: Final = 3
"""So deep a search, at least, has to see nothing more to be had."""


class Thinker:
    """A player that searches within the limits it is given, and always decides.

    What it decides depends on the battle, the limits and the seed alone, not on what it was
    asked before.

    Args:
        variant: what it plays.
        seed: makes its choice among equals repeatable.
        name: what it is called.
        options: what its search may leave out, if not what suits the variant.
    """

    def __init__(
        self,
        variant: Variant,
        seed: int | None = None,
        *,
        name: str = "Thinker",
        options: Options | None = None,
    ) -> None:
        self.variant = variant
        self._name = name
        self._seed = secrets.randbits(32) if seed is None else seed
        options = options or options_for(variant)
        self._games = {side: game_for(variant, side) for side in Side}
        self._trees = {side: Tree(game, options) for side, game in self._games.items()}

    @property
    def name(self) -> str:
        """What the player is called at the board."""
        return self._name

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = ENOUGH,
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide on the move that the search finds best."""
        found = self.search(positions, limits, stop=stop, report=report)
        return self.decision(positions, found, stop)

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Found:
        """Search the position now and return what was found."""
        side = positions[-1].to_move
        tree, game = self._trees[side], self._games[side]
        state = game.state(positions[-1])
        before = _since_capture(positions)[:-1]
        tree.game = game.seen_from(state, len(before))
        tree.forget()
        tree.path = {game.state(position) for position in before}
        limits = limits if any(limits) else ENOUGH

        def pass_on(found: Found) -> None:
            if report is not None:
                report(_thought(tree.game, state, found))

        return think(tree, state, limits, stop, pass_on, self.random(state))

    def random(self, state: State) -> Random:
        """Return the chance of this player in a state, the same whenever it comes to it."""
        return Random(f"{self._seed} {state}")

    def decision(
        self, positions: Sequence[Position], found: Found, stop: Stop | None = None
    ) -> Decision:
        """Return the decision for what a search has found."""
        game = self._trees[positions[-1].to_move].game
        state = game.state(positions[-1])
        thought = _thought(game, state, found)
        ends = self._calm(positions) and self._sees_nothing_more(positions, found, stop)
        return Decision(game.rules_move(state, found.move), thought, ends)

    def _calm(self, positions: Sequence[Position]) -> bool:
        """Say whether a battle that is decided by points has been quiet for long."""
        quiet = len(_since_capture(positions)) - 1
        return bool(self.variant.worth) and quiet >= _CALM[positions[-1].to_move]

    def _sees_nothing_more(
        self, positions: Sequence[Position], found: Found, stop: Stop | None
    ) -> bool:
        """Say whether a search of some depth sees no capture to come, and nothing to gain."""
        if found.depth < _SURE:
            found = self.search(positions, _GLANCE, stop=stop)
        game = self._trees[positions[-1].to_move].game
        state = game.state(positions[-1])
        if found.depth < _SURE or any(move.captures for move in _line(game, state, found)):
            return False
        gain = game.shown(state, found.score) - game.shown(state, game.evaluate(state))
        return abs(gain) < _POINT


def _since_capture(positions: Sequence[Position]) -> Sequence[Position]:
    """Return the last positions that have as many pieces as the position now."""
    dwarfs, trolls = positions[-1][:2]
    pieces = dwarfs.bit_count(), trolls.bit_count()
    first = len(positions) - 1
    while first and pieces == tuple(mask.bit_count() for mask in positions[first - 1][:2]):
        first -= 1
    return positions[first:]


def _line(game: Game, state: State, found: Found) -> tuple[Move, ...]:
    moves = []
    for move in found.line:
        moves.append(game.rules_move(state, move))
        state = game.make(state, move)
    return tuple(moves)


def _thought(game: Game, state: State, found: Found) -> Thought:
    return Thought(
        found.depth,
        game.shown(state, found.score),
        found.nodes,
        found.seconds,
        _line(game, state, found),
        goal_in(found.score),
    )
