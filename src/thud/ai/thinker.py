"""The searching player: the best move, or the best few, in any variant."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Final

from thud.ai.core import searcher_for
from thud.ai.player import CALM, Decision, Limits, Report, Stop
from thud.ai.searcher import Found, Searcher, since_capture
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
        lines: int = 1,
    ) -> Found:
        """Search the last position; see `Searcher`."""
        limits = limits if any(limits) else ENOUGH
        return self._searcher.search(positions, limits, stop, report, without=without, lines=lines)

    def decision(
        self, positions: Sequence[Position], found: Found, stop: Stop | None = None
    ) -> Decision:
        """Return the decision for a search's result."""
        quiet = len(since_capture(positions)) - 1
        ends = False
        if self.variant.counts_points and quiet >= CALM[positions[-1].to_move]:
            # After a long quiet it ends if a reliable search expects neither captures nor gains.
            seen = found if found.sure else self.search(positions, _GLANCE, stop=stop)
            captures = any(move.captures for move in seen.thought.line)
            gains = abs(seen.thought.score - seen.standing) >= _POINT
            ends = seen.sure and not (captures or gains)
        return Decision(found.move, found.thought, ends)
