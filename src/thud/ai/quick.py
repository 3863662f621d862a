"""Iterative deepening over a game; converts to and from moves of the rules."""

# ruff: noqa: PLR0917 - calls and names cost time where moves are tried

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from thud.ai.core import compiled
from thud.ai.game import SIDE, Game, Options, State
from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.scores import GOAL, INFINITE, LIMIT, Score, goal_in
from thud.ai.search import SearchTree, Tree
from thud.ai.searcher import Found, Ranked, since_capture
from thud.rules.position import Move, Position, Side

_LONGEST_LINE: Final = 12
_WINDOW: Final = 50
_DEEPEST: Final = 40
_SURE: Final = 3
"""Least depth at which a search counts as reliable; quiescence settles captures at its end."""


def tree_for(game: Game, options: Options | None = None) -> SearchTree:
    """Return a search tree for a game: the compiled core's if it can search it.

    Args:
        game: the game.
        options: the search's options; None for the game's own.

    Raises:
        ValueError: a core is required and there is none that can be used.
    """
    core = compiled()
    if core is not None:
        from thud.ai.compiled import CompiledTree

        if CompiledTree.can_search(game):
            return CompiledTree(core, game, options)
    return Tree(game, options)


class QuickSearcher:
    """Searches a game, with a search tree for each side.

    Args:
        games: the game for each side.
        seed: shuffles equally good moves.
        options: the search's options; None for the game's own.
    """

    def __init__(
        self, games: Mapping[Side, Game], seed: int, options: Options | None = None
    ) -> None:
        self._games = games
        self._seed = seed
        self._trees = {side: tree_for(game, options) for side, game in games.items()}

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
        *,
        without: Collection[Move] = (),
    ) -> Found:
        """Search the last position; see `Searcher`."""
        side = positions[-1].to_move
        tree, game = self._trees[side], self._games[side]
        state = game.state(positions[-1])
        before = since_capture(positions)[:-1]
        game = game.seen_from(state, len(before))
        tree.turn_to(game, map(game.state, before))

        told = _Told(game, state)

        def pass_on(result: Result) -> None:
            if report is not None:
                report(told.thought(result))

        def considered(move: int) -> bool:
            return not without or game.rules_move(state, move) not in without

        if without and not any(map(considered, _root_moves(tree, state, None))):
            # Only captures of fewer pieces than possible are left, which no game lists.
            from thud.ai.by_rules import RulesSearcher

            rules = RulesSearcher(game.variant, self._seed)
            return rules.search(positions, limits, stop, report, without=without)
        chance = Random(f"{self._seed} {state}")
        return told.found(think(tree, state, limits, stop, pass_on, chance, considered))


class _Told:
    """Converts search results to moves of the rules and points."""

    def __init__(self, game: Game, state: State) -> None:
        self._game, self._state = game, state
        self._evaluation = game.evaluate(state)

    def found(self, result: Result) -> Found:
        """Convert the final result."""
        game, state, evaluation = self._game, self._state, self._evaluation
        ranked = tuple(
            Ranked(game.rules_move(state, move), game.shown(state, evaluation, score), score)
            for score, move in result.ranked
        )
        standing = self._shown(self._evaluation)
        return Found(self.thought(result), ranked, standing, result.depth >= _SURE)

    def thought(self, result: Result) -> Thought:
        """Convert a result to a thought."""
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


# Iterative deepening at one position


class Result(NamedTuple):
    """A search's result, in the game's moves and scores."""

    move: int
    score: Score
    depth: int
    nodes: int
    seconds: float
    line: tuple[int, ...]
    ranked: tuple[tuple[Score, int], ...]
    """Every move with its score in the last full round, best first."""


def think(
    tree: SearchTree,
    state: State,
    limits: Limits,
    stop: Callable[[], bool] | None = None,
    report: Callable[[Result], None] | None = None,
    chance: Random | None = None,
    considered: Callable[[int], bool] = lambda _: True,
) -> Result:
    """Search a state by iterative deepening until a limit is reached.

    Args:
        tree: the search tree, turned to the battle.
        state: the root, which has a move.
        limits: how long to think.
        stop: polled now and then; True ends the search.
        report: called for each better move and each new depth.
        chance: shuffles the moves first, so that the choice among equals varies.
        considered: whether to search a root move; true of at least one.

    Returns:
        The best move of the last completed depth, or of the incomplete one if its first move was
        searched.
    """
    moves = list(filter(considered, _root_moves(tree, state, chance)))
    return _Root(tree, state, limits, stop, report, moves).search()


class _Root:
    def __init__(
        self,
        tree: SearchTree,
        state: State,
        limits: Limits,
        stop: Callable[[], bool] | None,
        report: Callable[[Result], None] | None,
        moves: Sequence[int],
    ) -> None:
        self._tree, self._state, self._limits = tree, state, limits
        self._stop, self._report = stop, report
        self._start = perf_counter()
        self._ranked: list[tuple[Score, int]] = [(0, move) for move in moves]
        self._best = (0, self._ranked[0][1], 0)

    def search(self) -> Result:
        """Deepen until a limit, a goal or `stop` ends the search."""
        deepest = self._limits.depth or _DEEPEST
        with self._tree.searching(self._state, self._limits, self._stop):
            self._guess()
            for depth in range(1, deepest + 1):
                if self._late(depth) or (depth > 2 and len(self._ranked) == 1):
                    break
                self._deepen(depth)
                if depth >= GOAL - abs(self._best[0]):
                    break
        return self._found()

    def _guess(self) -> None:
        """Order the moves by their evaluation."""
        for place, (_, move) in enumerate(self._ranked):
            self._ranked[place] = self._tree.glance(move), move
        self._ranked.sort(key=_by_score)
        self._best = *self._ranked[0], 0

    def _late(self, depth: int) -> bool:
        """Whether another round could not be finished: over 60% of a limit is used."""
        if depth == 1:
            return False
        limits, tree = self._limits, self._tree
        if limits.nodes is not None and tree.nodes > limits.nodes * 0.6:
            return True
        spent = perf_counter() - self._start
        return limits.seconds is not None and spent > limits.seconds * 0.6

    def _deepen(self, depth: int) -> None:
        """Search all root moves to a depth, first in an aspiration window around the last score."""
        score = self._best[0]
        if depth < 3 or abs(score) > LIMIT:
            self._round(depth, -INFINITE, INFINITE)
            return
        low, high = score - _WINDOW, score + _WINDOW
        score = self._round(depth, low, high)
        if not low < score < high:
            self._round(depth, *((-INFINITE, high) if score <= low else (low, INFINITE)))

    def _round(self, depth: int, alpha: Score, beta: Score) -> Score:
        """Search the root moves once and reorder them; return the best score."""
        options = self._tree.options
        scores: dict[int, Score] = {}
        best = -INFINITE
        low = alpha
        moves = [move for _, move in self._ranked]
        if options.selective:
            tried = options.tried[self._state[SIDE]]
            moves = moves[: tried[min(depth, len(tried) - 1)]]
        for place, move in enumerate(moves):
            less = _reduced(depth, place) if options.selective else 0
            score = self._score(move, depth, alpha, beta, place, less)
            scores[move] = score
            if score > best:
                best = score
                if score > low:
                    self._improved(score, move, depth)
                alpha = max(alpha, score)
                if score >= beta:
                    break
        self._rank(scores, depth)
        return best

    def _score(
        self, move: int, depth: int, alpha: Score, beta: Score, place: int, less: int
    ) -> Score:
        """Return a root move's score, exact if it is the best so far."""
        spare = self._tree.options.extensions if depth > 1 else 0
        return self._tree.root_score(move, depth - 1, alpha, beta, spare, place, less)

    def _improved(self, score: Score, move: int, depth: int) -> None:
        self._best = score, move, depth
        if self._report is not None:
            self._report(self._found())

    def _rank(self, scores: dict[int, Score], depth: int) -> None:
        """Order the moves for the next round: by score; from depth 3 on, only the best first."""
        if depth <= 2:
            self._ranked = sorted(
                ((scores.get(move, old), move) for old, move in self._ranked),
                key=_by_score,
            )
            return
        best = self._best[1]
        self._ranked.sort(key=lambda ranked: ranked[1] != best)

    def _found(self) -> Result:
        score, move, depth = self._best
        tree = self._tree
        spent = perf_counter() - self._start
        line = _line(tree, self._state, move)
        return Result(move, score, depth, tree.nodes, spent, line, tuple(self._ranked))


def _by_score(ranked: tuple[Score, int]) -> Score:
    return -ranked[0]


def _reduced(depth: int, place: int) -> int:
    """Return the late-move reduction of a root move, in plies."""
    if depth == 2:
        return int(place >= 40)
    if depth < 2 or place < 8:
        return 0
    return 1 if place < 24 or depth == 3 else 2


def _root_moves(tree: SearchTree, state: State, chance: Random | None) -> Sequence[int]:
    """Return all moves: captures, then promising ones, then the rest."""
    game = tree.game
    captures = [move for _, move in game.captures(state)]
    quiets, others = list(game.quiets(state, 9)), list(game.all_quiets(state))
    if chance is not None:
        chance.shuffle(quiets)
        chance.shuffle(others)
    return list(dict.fromkeys([*captures, *quiets, *others]))


def _line(tree: SearchTree, state: State, move: int) -> tuple[int, ...]:
    """Return the principal variation, as far as the table holds it."""
    line: list[int] = []
    seen = set()
    while move and len(line) < _LONGEST_LINE and state not in seen:
        seen.add(state)
        line.append(move)
        state = tree.game.make(state, move)
        move = tree.best_known(state)
    return tuple(line)
