"""What the best computer thinks of a position, in a process of its own."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from thud.ai.player import Limits
from thud.engines.spec import level_contender
from thud.rules.battle import Battle
from thud.rules.setup import Setup

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.engines.client import Engine

SECONDS: Final = 2.0
"""The time to judge a position."""


class Judge:
    """Judges one position after the other; close it to end its process."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    async def judge(self, setup: Setup, seconds: float = SECONDS) -> Decision:
        """Return the best move and what it leads to.

        Raises:
            InvalidPosition: no move can be made there.
            EngineFault: the computer does not answer as it should.
        """
        battle = Battle(setup.variant, setup.playable())
        if self._engine is None:
            self._engine = level_contender(0).engine()
        self._engine.new_battle()
        return await self._engine.decide(battle, Limits(seconds))

    async def close(self) -> None:
        """End its process, if there is one."""
        if self._engine:
            with suppress(Exception):
                await self._engine.close()
            self._engine = None
