"""The player that looks ahead: as strong as its limits let it be, in every variant."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Final

from thud.ai.games import searcher_for
from thud.ai.player import Decision, Limits, Report, Stop
from thud.ai.searcher import Found, Searcher, since_capture
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


class Thinker:
    """A player that searches within the limits it is given, and always decides.

    What it decides depends on the battle, the limits and the seed alone, not on what it was
    asked before.

    Args:
        variant: what it plays.
        seed: makes its choice among equals repeatable.
        name: what it is called.
        searcher: what looks ahead for it, if not what does so best in the variant.
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
        without: Collection[Move] = (),
    ) -> Found:
        """Search the position now, but for some moves, and return what was found."""
        limits = limits if any(limits) else ENOUGH
        return self._searcher.search(positions, limits, stop, report, without=without)

    def decision(
        self, positions: Sequence[Position], found: Found, stop: Stop | None = None
    ) -> Decision:
        """Return the decision for what a search has found."""
        ends = self._calm(positions) and self._sees_nothing_more(positions, found, stop)
        return Decision(found.move, found.thought, ends)

    def _calm(self, positions: Sequence[Position]) -> bool:
        """Say whether a battle that is decided by points has been quiet for long."""
        quiet = len(since_capture(positions)) - 1
        return bool(self.variant.worth) and quiet >= _CALM[positions[-1].to_move]

    def _sees_nothing_more(
        self, positions: Sequence[Position], found: Found, stop: Stop | None
    ) -> bool:
        """Say whether a search of some depth sees no capture to come, and nothing to gain."""
        if not found.sure:
            found = self.search(positions, _GLANCE, stop=stop)
        if not found.sure or any(move.captures for move in found.thought.line):
            return False
        return abs(found.thought.score - found.standing) < _POINT
