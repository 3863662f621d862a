"""Principal variation search with a transposition table and quiescence.

`Tree` searches below one state and remembers what it found; `quick.think` calls it repeatedly, a
ply deeper each time.  Scores are from the view of the side to move.  The ideas come from chess
programs: https://www.chessprogramming.org

The compiled core has the same search, node for node (core/src/search.rs): change both together.
"""

# ruff: noqa: PLR0911, PLR0912, PLR0917 - calls and names cost time where moves are tried

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from time import perf_counter
from typing import Final, Protocol, TypeAlias

from thud.ai.game import DWARFS, SIDE, Game, Options, State
from thud.ai.player import Limits, Stop
from thud.ai.scores import INFINITE, LIMIT, Score, put_off

POLL: Final = 128
"""Nodes between two checks of the limits."""

_Entry: TypeAlias = tuple[int, Score, Score, int]
"""A table entry: plies searched, lower and upper bound of the score, best move or 0."""

_DEEPEST: Final = 60


class Stopped(Exception):
    """A limit is reached or the search was stopped; unwinds the tree."""


class SearchTree(Protocol):
    """A search tree for `quick.think`, in Python or compiled."""

    game: Game
    options: Options

    @property
    def nodes(self) -> int:
        """Positions reached by a move since the search began."""

    def turn_to(self, game: Game, before: Iterable[State] = ()) -> None:
        """Turn to another position, and clear all tables: no search depends on earlier ones.

        Args:
            game: the game, as seen from that position.
            before: the battle's earlier states.
        """

    def searching(
        self, root: State, limits: Limits, stop: Stop | None = None
    ) -> AbstractContextManager[None]:
        """Context manager: search a state, with a new node count, until a limit is reached.

        Args:
            root: the state of the position that the tree was turned to.
            limits: limits of time and nodes; the depth is up to the caller.
            stop: polled now and then; True ends the search.
        """

    def glance(self, move: int) -> Score:
        """Return the evaluation after a root move, for its player."""

    def root_score(
        self, move: int, depth: int, alpha: Score, beta: Score, spare: int, tried: int, less: int
    ) -> Score:
        """Return a root move's score; after the first move, with a null window first.

        Args:
            move: the move.
            depth: plies to go after it.
            alpha: lower bound: a score not above it need not be exact.
            beta: upper bound: a score not below it need not be exact.
            spare: extensions allowed in one line.
            tried: moves tried before.
            less: late-move reduction, in plies.
        """

    def best_known(self, state: State) -> int:
        """Return the best move found for a state, 0 if none is known."""


class Tree:
    """A search tree: tables, and the recursive search.

    Args:
        game: the game.
        options: the search's options; None for the game's own.
    """

    def __init__(self, game: Game, options: Options | None = None) -> None:
        self.options = options or game.options
        self.nodes = 0
        self._root: State = ()
        self._limits, self._start = Limits(), 0.0
        self._stop: Stop | None = None
        self.turn_to(game)

    def turn_to(self, game: Game, before: Iterable[State] = ()) -> None:
        """Turn to another position, and clear all tables."""
        self.game = game
        self.path = set(before)
        """States of the battle and of the line being searched."""
        self._table: dict[State, _Entry] = {}
        self._old_table: dict[State, _Entry] = {}
        self._worth: dict[State, Score] = {}
        self._history: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._killers = [[0, 0] for _ in range(_DEEPEST + 2)]

    @contextmanager
    def searching(self, root: State, limits: Limits, stop: Stop | None = None) -> Iterator[None]:
        """Context manager: search a state within limits; suppresses `Stopped`."""
        self.nodes, self._root = 0, root
        self.path.add(root)
        self._limits, self._stop, self._start = limits, stop, perf_counter()
        with suppress(Stopped):
            try:
                yield
            finally:
                self._limits, self._stop = Limits(), None

    def glance(self, move: int) -> Score:
        """Return the evaluation after a root move, for its player."""
        self.count()
        child = self.game.make(self._root, move)
        over = self.game.decided(child)
        return -(self.game.evaluate(child) if over is None else over)

    def root_score(
        self, move: int, depth: int, alpha: Score, beta: Score, spare: int, tried: int, less: int
    ) -> Score:
        """Return a root move's score."""
        return self.later(self._root, move, depth, alpha, beta, 0, spare, tried, less)

    def _over(self) -> bool:
        """Whether a limit is reached or the search was stopped."""
        seconds, nodes, _ = self._limits
        if nodes is not None and self.nodes >= nodes:
            return True
        if seconds is not None and perf_counter() - self._start >= seconds:
            return True
        return self._stop is not None and self._stop()

    def count(self) -> None:
        """Count a position reached by a move.

        Raises:
            Stopped: the search has to end.
        """
        self.nodes += 1
        if not self.nodes % POLL and self._over():
            raise Stopped

    def visit(
        self,
        state: State,
        depth: int,
        alpha: Score,
        beta: Score,
        ply: int,
        spare: int,
        may_pass: bool = True,
    ) -> Score:
        """Return a state's score, searched `depth` plies deep.

        Args:
            state: the state.
            depth: plies to go before quiescence.
            alpha: lower bound: a score not above it need not be exact.
            beta: upper bound: a score not below it need not be exact.
            ply: moves made since the root.
            spare: extensions still allowed in this line.
            may_pass: whether a null move may be tried.
        """
        if depth <= 0:
            return self.settle(state, alpha, beta, ply, self.options.rescues)
        game = self.game
        over = game.decided(state)
        if over is not None:
            return put_off(over, ply)
        options = self.options
        if options.repetitions and state in self.path:
            return game.repeated(state)
        entry = self._table.get(state) or self._old_table.get(state)
        first = 0
        if entry:
            deep, low, high, first = entry
            if deep == depth if options.exact_depth else deep >= depth:
                low, high = put_off(low, ply), put_off(high, ply)
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
        if ply >= _DEEPEST:
            return self._evaluate(state)
        if options.passing and may_pass and depth > 1 and -LIMIT < beta < LIMIT:
            score = self._pass(state, depth, beta, ply, spare)
            if score >= beta:
                return beta if score > LIMIT else score
        self.path.add(state)
        try:
            best, move = self._moves(state, depth, alpha, beta, ply, spare, first)
        finally:
            self.path.discard(state)
        # States are reached by many paths: the table counts a goal's moves from the state itself.
        worth = put_off(best, -ply)
        low = worth if best > alpha else -INFINITE
        self.keep(state, depth, low, worth if best < beta else INFINITE, move or first)
        return best

    def _pass(self, state: State, depth: int, beta: Score, ply: int, spare: int) -> Score:
        """Return the score of a null move, -INFINITE if it is not worth trying."""
        if self._evaluate(state) < beta:
            return -INFINITE
        passed = self.game.passed(state)
        if passed is None:
            return -INFINITE
        self.count()
        depth -= 1 + self.options.passing
        return -self.visit(passed, depth, -beta, 1 - beta, ply + 1, spare, False)

    def _moves(
        self, state: State, depth: int, alpha: Score, beta: Score, ply: int, spare: int, first: int
    ) -> tuple[Score, int]:
        """Search the moves in stages; return the best score and its move (0 if none is good)."""
        game = self.game
        best, best_move, tried = -INFINITE, 0, 0
        if first:
            tried = 1
            score = self._child(state, first, depth - 1, alpha, beta, ply, spare)
            best, best_move = score, first
            if score >= beta:
                self._reward(state, first, depth, ply)
                return score, first
            alpha = max(alpha, score)
        captures = game.captures(state)
        for _, move in captures:
            if move != first:
                score = self.later(state, move, depth - 1, alpha, beta, ply, spare, tried, 0)
                tried += 1
                if score > best:
                    best, best_move = score, move
                    if score > alpha:
                        alpha = score
                        if score >= beta:
                            return score, move
        side = state[SIDE]
        options = self.options
        caps = options.caps[side]
        most = caps[min(depth, len(caps) - 1)]
        free = options.reduce_after[side]
        if depth == 1 and options.futility and -LIMIT < alpha < LIMIT:
            estimate = self._evaluate(state)
            if estimate + options.futility <= alpha:
                if tried or captures:
                    return max(best, estimate), best_move
                most = min(most, 3)
        for place, move in enumerate(self._quiets(state, depth, ply)):
            if place >= most:
                break
            if move == first:
                continue
            less = 0
            if place >= free and depth > 1:
                less = 2 if place >= 4 * free and depth > 3 else 1
            score = self.later(state, move, depth - 1, alpha, beta, ply, spare, tried, less)
            tried += 1
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._reward(state, move, depth, ply)
                        return score, move
        if not tried:
            return self._without_moves(state), 0
        return best, best_move

    def _quiets(self, state: State, depth: int, ply: int) -> list[int]:
        """Return the quiet moves in search order: killers, then by history."""
        game = self.game
        quiets = game.quiets(state, depth) if self.options.selective else game.all_quiets(state)
        history = self._history[state[SIDE]]
        ordered = sorted(quiets, key=lambda move: history.get(move, 0), reverse=True)
        for killer in reversed(self._killers[ply]):
            if killer in ordered:
                ordered.remove(killer)
                ordered.insert(0, killer)
        return ordered

    def _without_moves(self, state: State) -> Score:
        """Return the score where no move was tried: stuck, or no promising move."""
        game = self.game
        if not self.options.selective or not game.all_quiets(state):
            return game.stuck(state)
        return self._evaluate(state)

    def later(
        self,
        state: State,
        move: int,
        depth: int,
        alpha: Score,
        beta: Score,
        ply: int,
        spare: int,
        tried: int,
        less: int,
    ) -> Score:
        """Return a move's score; after the first move, with a null window first."""
        if not tried:
            return self._child(state, move, depth, alpha, beta, ply, spare)
        score = self._child(state, move, depth - less, alpha, alpha + 1, ply, spare)
        if less and score > alpha:
            score = self._child(state, move, depth, alpha, alpha + 1, ply, spare)
        if alpha < score < beta:
            score = self._child(state, move, depth, alpha, beta, ply, spare)
        return score

    def _child(
        self, state: State, move: int, depth: int, alpha: Score, beta: Score, ply: int, spare: int
    ) -> Score:
        self.nodes += 1
        if not self.nodes % POLL and self._over():
            raise Stopped
        child = self.game.make(state, move)
        if depth <= 0:
            if not spare or not self.game.pressed(child):
                return -self.settle(child, -beta, -alpha, ply + 1, self.options.rescues)
            depth = 1
            spare -= 1
        return -self.visit(child, depth, -beta, -alpha, ply + 1, spare)

    def settle(self, state: State, alpha: Score, beta: Score, ply: int, rescues: bool) -> Score:
        """Quiescence search: return a state's score once no capture pays any more."""
        game = self.game
        over = game.decided(state)
        if over is not None:
            return put_off(over, ply)
        best = self._worth.get(state)
        if best is None:
            best = self._evaluate(state)
        if best >= beta:
            return best
        floor = alpha - best - game.swing if self.options.delta else -INFINITE
        alpha = max(alpha, best)
        make = game.make
        for gain, move in game.captures(state):
            if gain <= floor:
                break
            self.nodes += 1
            if not self.nodes % POLL and self._over():
                raise Stopped
            score = -self.settle(make(state, move), -beta, -alpha, ply + 1, rescues)
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        return score
        if rescues and state[SIDE] == DWARFS:
            return self._rescue(state, alpha, beta, ply, best)
        return best

    def _rescue(self, state: State, alpha: Score, beta: Score, ply: int, best: Score) -> Score:
        """Return the best score, allowing one rescue move in the line."""
        for move in self.game.rescues(state)[:4]:
            self.count()
            child = self.game.make(state, move)
            score = -self.settle(child, -beta, -alpha, ply + 1, False)
            if score > best:
                best = score
                alpha = max(alpha, score)
                if score >= beta:
                    break
        return best

    def _evaluate(self, state: State) -> Score:
        score = self._worth.get(state)
        if score is None:
            score = self.game.evaluate(state)
            if len(self._worth) >= self.options.table:
                self._worth = {}
            self._worth[state] = score
        return score

    def _reward(self, state: State, move: int, depth: int, ply: int) -> None:
        """Update killers and history for a quiet move that caused a cutoff."""
        history = self._history[state[SIDE]]
        history[move] = history.get(move, 0) + depth * depth
        killers = self._killers[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move

    def keep(self, state: State, depth: int, low: Score, high: Score, move: int) -> None:
        """Store bounds of a state's score at a depth, and its best move."""
        if len(self._table) >= self.options.table:
            self._old_table, self._table = self._table, {}
        known = self._table.get(state)
        if known and known[0] == depth and known[1] <= high and low <= known[2]:
            low, high = max(low, known[1]), min(high, known[2])
        self._table[state] = depth, low, high, move

    @property
    def remembered(self) -> int:
        """Number of states in the tables."""
        return len(self._table) + len(self._old_table) + len(self._worth)

    def best_known(self, state: State) -> int:
        """Return the best move found for a state, 0 if none is known."""
        entry = self._table.get(state) or self._old_table.get(state)
        return entry[3] if entry else 0
