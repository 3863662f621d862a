"""The searcher of the games that are made quick for it: ints inside, rules moves outside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Final

from thud.ai.deepening import Result, think
from thud.ai.game import Game, State
from thud.ai.options import Options
from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.scores import Score, goal_in
from thud.ai.search import Tree
from thud.ai.searcher import Found, Ranked, since_capture
from thud.rules.position import Move, Position, Side

_SURE: Final = 3
"""So deep a search, at least, sees what is coming: it settles captures at its end."""


class QuickSearcher:
    """Searches a game with a memory for each side.

    Args:
        games: the game as either side sees it.
        seed: shuffles equals.
        options: what the search may leave out, if not what suits the game.
    """

    def __init__(
        self, games: Mapping[Side, Game], seed: int, options: Options | None = None
    ) -> None:
        self._games = games
        self._seed = seed
        self._trees = {side: Tree(game, options) for side, game in games.items()}

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
        *,
        without: Collection[Move] = (),
    ) -> Found:
        """Search the position now; see `Searcher`."""
        side = positions[-1].to_move
        tree, game = self._trees[side], self._games[side]
        state = game.state(positions[-1])
        before = since_capture(positions)[:-1]
        game = tree.game = game.seen_from(state, len(before))
        tree.forget()
        tree.path = {game.state(position) for position in before}

        told = _Told(game, state)

        def pass_on(result: Result) -> None:
            if report is not None:
                report(told.thought(result))

        def considered(move: int) -> bool:
            return not without or game.rules_move(state, move) not in without

        chance = Random(f"{self._seed} {state}")
        return told.found(think(tree, state, limits, stop, pass_on, chance, considered))


class _Told:
    """Tells in moves of the rules, and in points, what a search of one state has found."""

    def __init__(self, game: Game, state: State) -> None:
        self._game, self._state = game, state
        self._evaluation = game.evaluate(state)

    def found(self, result: Result) -> Found:
        """Return everything."""
        game, state, evaluation = self._game, self._state, self._evaluation
        ranked = tuple(
            Ranked(game.rules_move(state, move), game.shown(state, evaluation, score), score)
            for score, move in result.ranked
        )
        standing = self._shown(self._evaluation)
        return Found(self.thought(result), ranked, standing, result.depth >= _SURE)

    def thought(self, result: Result) -> Thought:
        """Return what is told on the way."""
        _, score, depth, nodes, seconds, line, _ = result
        shown, moves = self._shown(score), self._rules_moves(line)
        return Thought(depth, shown, nodes, seconds, moves, goal_in(score))

    def _shown(self, score: Score) -> Score:
        return self._game.shown(self._state, self._evaluation, score)

    def _rules_moves(self, line: Sequence[int]) -> tuple[Move, ...]:
        moves, state = list[Move](), self._state
        for move in line:
            moves.append(self._game.rules_move(state, move))
            state = self._game.make(state, move)
        return tuple(moves)
