"""The best computer beside somebody who looks at a match: what it thinks of one position."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.rules.battle import Battle
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.engines.client import Engine

LINES: Final = 3
"""So many of the best moves are thought of."""

_LONG: Final = 3600.0
"""The seconds after which it has looked long enough at one position."""

_BEFORE: Final = 40
"""So many moves before a position are told: what stood there lately is not to be repeated."""

Lines: TypeAlias = "Mapping[int, Thought]"
"""What was thought of the best moves so far, by their ranks."""


class Onlooker:
    """Thinks of one position after the other, in a process of its own, as long as one looks."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    async def look(
        self,
        variant: Variant,
        positions: tuple[Position, ...],
        moves: tuple[Move, ...],
        report: Callable[[Lines], None],
    ) -> None:
        """Think of a position until that is cancelled, or there is nothing more to find.

        Args:
            variant: the game.
            positions: the battle so far, the position that is looked at as its last.
            moves: the moves between them.
            report: is told what has been found so far, whenever that is more.

        Raises:
            EngineFault: the computer does not answer as it should.
        """
        from thud.ai.player import Limits

        battle = await asyncio.to_thread(_recent, variant, positions, moves)
        found: Lines = {}

        def tell(thought: Thought) -> None:
            nonlocal found
            found = _with(found, thought)
            report(found)

        await self._started().decide(battle, Limits(_LONG), report=tell)

    async def close(self) -> None:
        """End the process."""
        if self._engine:
            await self._engine.close()

    def _started(self) -> Engine:
        if self._engine is None:
            from thud.engines.spec import level_contender

            self._engine = level_contender(0).engine()
            self._engine.set_option("MultiPV", LINES)
        return self._engine


def _with(found: Lines, thought: Thought) -> Lines:
    """Return what has been found, one line more, in which a move has no rank but its latest.

    Ranks are told one after the other: what was another one's before is still there until then.
    """
    others = {
        rank: each
        for rank, each in found.items()
        if rank != thought.rank and each.line[:1] != thought.line[:1]
    }
    return others | {thought.rank: thought}


def _recent(variant: Variant, positions: tuple[Position, ...], moves: tuple[Move, ...]) -> Battle:
    """Return a battle that has come to a position by its last moves."""
    first = max(0, len(moves) - _BEFORE)
    battle = Battle(variant, positions[first])
    for move in moves[first:]:
        battle.play(move)
    return battle
