"""The searcher of the games that are made quick for it: ints inside, rules moves outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from thud.ai.deepening import Result, think
from thud.ai.game import Game, State
from thud.ai.options import Options
from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.scores import goal_in
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
    ) -> Found:
        """Search the position now; see `Searcher`."""
        side = positions[-1].to_move
        tree, game = self._trees[side], self._games[side]
        state = game.state(positions[-1])
        before = since_capture(positions)[:-1]
        game = tree.game = game.seen_from(state, len(before))
        tree.forget()
        tree.path = {game.state(position) for position in before}

        def pass_on(result: Result) -> None:
            if report is not None:
                report(_thought(game, state, result))

        chance = Random(f"{self._seed} {state}")
        return _found(game, state, think(tree, state, limits, stop, pass_on, chance))


def _found(game: Game, state: State, result: Result) -> Found:
    ranked = tuple(
        Ranked(game.rules_move(state, move), game.shown(state, score), score)
        for score, move in result.ranked
    )
    standing = game.shown(state, game.evaluate(state))
    return Found(_thought(game, state, result), ranked, standing, result.depth >= _SURE)


def _thought(game: Game, state: State, result: Result) -> Thought:
    return Thought(
        result.depth,
        game.shown(state, result.score),
        result.nodes,
        result.seconds,
        _line(game, state, result),
        goal_in(result.score),
    )


def _line(game: Game, state: State, result: Result) -> tuple[Move, ...]:
    moves = []
    for move in result.line:
        moves.append(game.rules_move(state, move))
        state = game.make(state, move)
    return tuple(moves)
