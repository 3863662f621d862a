"""The searching player: the best move, or the best few, in any variant."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from thud.ai.core import searcher_for
from thud.ai.player import RETURNS, Decision, Limits, Report, Stop, is_calm, since_capture
from thud.ai.scores import seen_by
from thud.ai.searcher import Found, Searcher
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

ENOUGH: Final = Limits(nodes=20_000, seconds=2.0)
"""Default limits."""

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
        self.name = name
        seed = secrets.randbits(32) if seed is None else seed
        self._searcher = searcher or searcher_for(variant, seed)

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = ENOUGH,
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide on the search's best move."""
        first = self.first_limits(positions, limits)
        found = self.search(positions, first, stop=stop, report=report)
        return self.decision(positions, found, first, stop)

    def first_limits(self, positions: Sequence[Position], limits: Limits) -> Limits:
        """Return the limits of the search for `decision`, which may search once more as long."""
        if limits.seconds is None or not self._keeps_coming(positions):
            return limits
        return limits._replace(seconds=limits.seconds / 2)

    def _keeps_coming(self, positions: Sequence[Position]) -> bool:
        """Whether the last position has come up so often that something else may be tried."""
        returns = since_capture(positions).count(positions[-1])
        return self.variant.counts_points and returns >= RETURNS

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        *,
        stop: Stop | None = None,
        report: Report | None = None,
        without: Collection[Move] = (),
        lines: int = 1,
    ) -> Found:
        """Search the last position; see `Searcher`."""
        limits = limits if any(limits) else ENOUGH
        return self._searcher.search(positions, limits, stop, report, without=without, lines=lines)

    def decision(
        self, positions: Sequence[Position], found: Found, first: Limits, stop: Stop | None = None
    ) -> Decision:
        """Return the decision for the result of a search, given its limits, from `first_limits`.

        In a calm battle it ends if a reliable search expects neither captures nor gains, or, where
        a goal decides, a draw. If it expects more where a position keeps coming back, it tries
        something else.
        """
        if not is_calm(positions):
            return Decision(found.move, found.thought)
        seen = found if found.sure else self.search(positions, _GLANCE, stop=stop)
        if not self.variant.counts_points:
            drawn = seen_by(positions[-1].to_move, self.variant.odds.level)
            ends = seen.sure and abs(seen.thought.score - drawn) < _POINT
            return Decision(found.move, found.thought, ends=ends)
        captures = any(move.captures for move in seen.thought.line)
        gains = abs(seen.thought.score - seen.standing) >= _POINT
        if seen.sure and not (captures or gains):
            return Decision(found.move, found.thought, ends=True)
        other = self._untried(positions, found, first, stop)
        return Decision(other.move, other.thought)

    def _untried(
        self, positions: Sequence[Position], found: Found, first: Limits, stop: Stop | None
    ) -> Found:
        """Return a move not tried yet in a position that keeps coming back, if it loses little."""
        if not self._keeps_coming(positions):
            return found
        position, since = positions[-1], since_capture(positions)
        then = {after for here, after in pairwise(since) if here == position}
        moves = self.variant.legal_moves(position)
        tried = {move for move in moves if position.after(move) in then}
        if found.move not in tried or len(tried) == len(moves):
            return found
        # As much as was searched; not as long, which another time would find another move.
        limits = Limits(first.seconds, found.thought.nodes or None)
        other = self.search(positions, limits, stop=stop, without=tried)
        return other if found.thought.score - other.thought.score < _POINT else found
