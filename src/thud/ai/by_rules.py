"""Alpha-beta for any variant, through its rules alone.

Iterative deepening, captures first.  It looks a few moves ahead where the compiled search looks
many, but plays a new variant at once, and on a machine that cannot run the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from time import perf_counter
from typing import Final, TypeAlias

from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.scores import GOAL, INFINITE, LIMIT, Score, adjusted_for_distance, goal_in, seen_by
from thud.ai.searcher import Found
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome, Reason, Variant

_DEEPEST: Final = 40
_POINT: Final = 100
"""Score of a point."""

_ARMY: Final = 800
"""Score of a side's whole army at the start, in variants whose pieces do not count."""

_SURE: Final = 2
"""Least depth at which every answer was searched."""

_Moves: TypeAlias = tuple[Move, ...]


class RulesSearcher:
    """Searches any variant through its rules.

    Args:
        variant: the variant.
        seed: shuffles equally good moves.
    """

    def __init__(self, variant: Variant, seed: int) -> None:
        self._variant = variant
        self._seed = seed

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
        *,
        without: Collection[Move] = (),
        lines: int = 1,
    ) -> Found:
        """Search the last position; see `Searcher`."""
        chance = Random(f"{self._seed} {positions[-1].to_text()}")
        position = positions[-1]
        moves = [move for move in self._variant.legal_moves(position) if move not in without]
        chance.shuffle(moves)
        search = _Search(
            self._variant, position, limits, moves, stop=stop, report=report, lines=lines
        )
        return search.found()


class _Stopped(Exception):
    """A limit is reached, or the search was stopped."""


class _Search:
    """One search of one position."""

    def __init__(
        self,
        variant: Variant,
        position: Position,
        limits: Limits,
        moves: Sequence[Move],
        *,
        stop: Stop | None,
        report: Report | None,
        lines: int,
    ) -> None:
        self._lines = min(lines, len(moves))
        self._appraiser = Appraiser(variant)
        self._variant, self._position = variant, position
        self._limits, self._stop, self._report = limits, stop, report
        self._start, self._nodes = perf_counter(), 0
        self._standing = self._appraiser.standing(position)
        self._moves = captures_first(moves)
        self._thought = self._told(0, self._standing, (self._moves[0],))
        self._depth = self._finished = 0

    def found(self) -> Found:
        """Deepen until a limit, the end of the battle or `stop` ends the search."""
        try:
            for depth in range(1, min(self._limits.depth or _DEEPEST, _DEEPEST) + 1):
                self._round(depth)
                self._finished = depth
                if depth >= GOAL - abs(self._thought.score) or len(self._moves) == 1 < depth:
                    break
        except _Stopped:
            pass
        told = self._thought
        if self._lines == 1:
            told = self._told(told.depth, told.score, told.line)
        elif self._report is not None and not self._finished:
            self._report(told)
        return Found(told, self._standing, self._finished >= _SURE)

    def _round(self, depth: int) -> None:
        """Search all moves to a depth, in the last round's order, and rank them again.

        The scores of the best few are exact, as many as there are lines; others are bounds.
        """
        self._depth = depth
        ranked, best = list[tuple[Score, _Moves]](), list[tuple[Score, _Moves]]()
        for move in self._moves:
            alpha = best[-1][0] if len(best) == self._lines else -INFINITE
            score, line = self._after(self._position, move, depth, -INFINITE, -alpha)
            ranked.append((score, (move, *line)))
            if score > alpha:
                best = sorted([*best, ranked[-1]], key=_by_score)[: self._lines]
                if self._lines == 1:
                    self._tell(self._told(depth, *best[0]))
        self._moves = [line[0] for _, line in sorted(ranked, key=_by_score)]
        if self._lines > 1:
            told = [self._told(depth, *each) for each in best]
            for rank, thought in enumerate(told, 1):
                self._tell(thought._replace(rank=rank))
            self._thought = told[0]

    def _tell(self, thought: Thought) -> None:
        self._thought = thought
        if self._report is not None:
            self._report(thought)

    def _after(
        self, position: Position, move: Move, depth: int, alpha: Score, beta: Score
    ) -> tuple[Score, _Moves]:
        """Return a move's score for its player, and the expected continuation.

        `alpha` and `beta` are the answering side's; `depth` includes the move itself.
        """
        self._count()
        position = position.after(move)
        if outcome := self._variant.decided(position):
            return -self._ended(position, outcome, depth - 1), ()
        if depth == 1:
            return -self._appraiser.standing(position), ()
        score, line = self._best_answer(position, depth - 1, alpha, beta)
        return -score, line

    def _best_answer(
        self, position: Position, depth: int, alpha: Score, beta: Score
    ) -> tuple[Score, _Moves]:
        """Return a position's score for the side to move, and its principal variation."""
        best, best_line = -INFINITE, _Moves()
        for move in captures_first(self._variant.legal_moves(position)):
            score, line = self._after(position, move, depth, -beta, -max(alpha, best))
            if score > best:
                best, best_line = score, (move, *line)
                if best >= beta:
                    break
        if not best_line:
            return self._ended(position, self._variant.stuck(position), depth), ()
        return best, best_line

    def _ended(self, position: Position, outcome: Outcome, depth: int) -> Score:
        """Return the score of an outcome for the side to move, with `depth` plies to go."""
        return adjusted_for_distance(self._appraiser.ended(position, outcome), self._depth - depth)

    def _count(self) -> None:
        """Count a position reached by a move.

        Raises:
            _Stopped: the search has to end.
        """
        seconds, nodes, _ = self._limits
        if (
            (nodes is not None and self._nodes >= nodes)
            or (seconds is not None and perf_counter() - self._start >= seconds)
            or (self._stop is not None and self._stop())
        ):
            raise _Stopped
        self._nodes += 1

    def _told(self, depth: int, score: Score, line: _Moves) -> Thought:
        seconds = perf_counter() - self._start
        return Thought(depth, score, self._nodes, seconds, line, goal_in(score))


def _by_score(scored: tuple[Score, _Moves]) -> Score:
    return -scored[0]


def captures_first(moves: Sequence[Move]) -> list[Move]:
    """Return moves ordered by captures, most first; otherwise in the given order."""
    return sorted(moves, key=lambda move: -move.captures.bit_count())


class Appraiser:
    """Evaluation of any variant's positions, in hundredths of a point.

    Args:
        variant: its rules define the lead, and what pieces count.
    """

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._piece = dict.fromkeys(Side, 0)
        """A piece's score on top of the lead, where pieces do not count in it."""
        if not variant.counts_points:
            for side in Side:
                self._piece[side] = _ARMY // max(1, variant.start.pieces(side).bit_count())

    def standing(self, position: Position) -> Score:
        """Return the evaluation of an undecided position, for the side to move."""
        score = round(_POINT * self._variant.lead(position))
        for side, sign in ((Side.DWARFS, 1), (Side.TROLLS, -1)):
            score += sign * position.pieces(side).bit_count() * self._piece[side]
        return seen_by(position.to_move, max(-LIMIT, min(LIMIT, score)))

    def ended(self, position: Position, outcome: Outcome) -> Score:
        """Return the score of an outcome for the side to move.

        Where pieces count, points are scored as points; a goal, or any victory where pieces do
        not count, is above them all.
        """
        if self._variant.counts_points and outcome.reason is not Reason.GOAL:
            score = round(_POINT * outcome.margin)
            return seen_by(position.to_move, max(-LIMIT, min(LIMIT, score)))
        if outcome.winner is None:
            return 0
        return GOAL if outcome.winner is position.to_move else -GOAL
