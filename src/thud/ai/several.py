"""Several lines at once: the best move, the best but for that one, and so on, ever deeper."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Final

from thud.ai.player import Decision, Limits, Report, Stop, Thought
from thud.ai.thinker import Thinker
from thud.rules.position import Move, Position

DEEPEST: Final = 40


def think_of_several(
    thinker: Thinker,
    positions: Sequence[Position],
    limits: Limits,
    number: int,
    *,
    stop: Stop,
    report: Report,
) -> Decision:
    """Decide on a move, and report the best moves with the lines that follow on them.

    Each depth is searched once for each line, without the moves that begin the lines before it:
    that costs about as many searches, and leaves the search itself as it is.

    Args:
        thinker: what searches.
        positions: the battle so far, the position now as its last; it has a legal move.
        limits: how long to think of all lines together.
        number: how many lines, if there are so many moves.
        stop: ends the thinking when it returns True; asked often.
        report: is told every line of every depth, with its rank.
    """
    several = _Several(thinker, positions, limits, stop, report)
    moves = min(number, thinker.variant.count_moves(positions[-1]))
    for depth in range(1, (limits.depth or DEEPEST) + 1):
        if not several.look(depth, moves):
            break
    return several.decision


class _Several:
    """One search for several lines."""

    decision: Decision

    def __init__(
        self,
        thinker: Thinker,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop,
        report: Report,
    ) -> None:
        self._thinker, self._positions = thinker, positions
        self._limits, self._stop, self._report = limits, stop, report
        self._start, self._nodes = perf_counter(), 0
        self._deep: dict[int, int] = {}
        """How deep was looked for each line."""

    def look(self, depth: int, number: int) -> bool:
        """Look so deep for each line; return False once nothing more is to be found."""
        best: list[Move] = []
        for rank in range(1, number + 1):
            found = self._thinker.search(
                self._positions, self._left(depth), stop=self._stop, without=best
            )
            self._nodes += found.thought.nodes
            cut_short = self._over() or found.thought.depth < self._deep.get(rank, 0)
            if cut_short and not depth == rank == 1:
                return False
            self._deep[rank] = found.thought.depth
            thought = self._of_all(found.thought, rank)
            self._report(thought)
            if rank == 1:
                self.decision = Decision(found.move, thought)
            best.append(found.move)
        return not self._over()

    def _of_all(self, thought: Thought, rank: int) -> Thought:
        """Return a thought with what all lines together have cost."""
        seconds = perf_counter() - self._start
        return thought._replace(nodes=self._nodes, seconds=seconds, rank=rank)

    def _left(self, depth: int) -> Limits:
        """Return what is left of the limits, and how deep to look."""
        seconds, nodes, _ = self._limits
        if seconds is not None:
            seconds = max(0.001, seconds - (perf_counter() - self._start))
        return Limits(seconds, None if nodes is None else max(1, nodes - self._nodes), depth)

    def _over(self) -> bool:
        seconds, nodes, _ = self._limits
        if seconds is not None and perf_counter() - self._start >= seconds:
            return True
        return self._stop() or (nodes is not None and self._nodes >= nodes)
