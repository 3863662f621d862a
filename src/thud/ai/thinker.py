"""The searching player: the best move, or the best few, in any variant."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from time import perf_counter
from typing import Final

from thud.ai.games import searcher_for
from thud.ai.player import Decision, Limits, Report, Stop, Thought
from thud.ai.searcher import Found, Searcher, since_capture
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant

ENOUGH: Final = Limits(nodes=20_000, seconds=2.0)
"""Default limits."""

CALM: Final = {Side.DWARFS: 100, Side.TROLLS: 60}
"""Quiet turns before a side considers a battle over; dwarfs advance slowly."""

_GLANCE: Final = Limits(nodes=5_000, depth=3)
"""Limits of the search that a weaker player makes before ending a battle."""

_POINT: Final = 100
"""The smallest gain that counts."""


class Thinker:
    """A player that searches within the given limits, and always decides.

    Its decision depends only on the battle, the limits and the seed, not on earlier ones.

    Args:
        variant: the variant.
        seed: makes its choice among equally good moves repeatable.
        name: its name.
        searcher: its searcher; None for the variant's best.
    """

    def __init__(
        self,
        variant: Variant,
        seed: int | None = None,
        *,
        name: str = "Thinker",
        searcher: Searcher | None = None,
    ) -> None:
        self.variant = variant
        self._name = name
        seed = secrets.randbits(32) if seed is None else seed
        self._searcher = searcher or searcher_for(variant, seed)

    @property
    def name(self) -> str:
        """The player's name at the board."""
        return self._name

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = ENOUGH,
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide on the search's best move."""
        found = self.search(positions, limits, stop=stop, report=report)
        return self.decision(positions, found, stop)

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        *,
        stop: Stop | None = None,
        report: Report | None = None,
        without: Collection[Move] = (),
    ) -> Found:
        """Search the last position, leaving out some moves."""
        limits = limits if any(limits) else ENOUGH
        return self._searcher.search(positions, limits, stop, report, without=without)

    def decision(
        self, positions: Sequence[Position], found: Found, stop: Stop | None = None
    ) -> Decision:
        """Return the decision for a search's result."""
        ends = self._calm(positions) and self._sees_nothing_more(positions, found, stop)
        return Decision(found.move, found.thought, ends)

    def _calm(self, positions: Sequence[Position]) -> bool:
        """Whether a battle decided by points has been quiet for long."""
        quiet = len(since_capture(positions)) - 1
        return bool(self.variant.worth) and quiet >= CALM[positions[-1].to_move]

    def _sees_nothing_more(
        self, positions: Sequence[Position], found: Found, stop: Stop | None
    ) -> bool:
        """Whether a reliable search expects neither captures nor gains."""
        if not found.sure:
            found = self.search(positions, _GLANCE, stop=stop)
        if not found.sure or any(move.captures for move in found.thought.line):
            return False
        return abs(found.thought.score - found.standing) < _POINT


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
    """Decide on a move, and report the best moves with their lines ("MultiPV").

    Each depth is searched once for each line, leaving out the first moves of the lines before:
    that costs as many searches, but needs no change to the search.

    Args:
        thinker: the searching player.
        positions: the battle so far; the last position is the present one, with a legal move.
        limits: how long to think about all lines together.
        number: most lines.
        stop: polled often; True ends the search.
        report: called with every line of every depth, with its rank.
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
        """Depth searched for each line."""

    def look(self, depth: int, number: int) -> bool:
        """Search each line to a depth; return False when the search is over."""
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
        """Return a thought with the nodes and seconds of all lines together."""
        seconds = perf_counter() - self._start
        return thought._replace(nodes=self._nodes, seconds=seconds, rank=rank)

    def _left(self, depth: int) -> Limits:
        """Return what is left of the limits, with the depth to search."""
        seconds, nodes, _ = self._limits
        if seconds is not None:
            seconds = max(0.001, seconds - (perf_counter() - self._start))
        return Limits(seconds, None if nodes is None else max(1, nodes - self._nodes), depth)

    def _over(self) -> bool:
        seconds, nodes, _ = self._limits
        if seconds is not None and perf_counter() - self._start >= seconds:
            return True
        return self._stop() or (nodes is not None and self._nodes >= nodes)
