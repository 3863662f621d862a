"""What the best computer thinks of a position, in a process of its own."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from thud.ai.player import Limits
from thud.engines.spec import level_contender
from thud.rules.battle import Battle
from thud.rules.setup import Setup
from thud.wording.moves import described
from thud.wording.text import counted

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought
    from thud.engines.client import Engine

SECONDS: Final = 2.0
"""The time to judge a position."""


class Judge:
    """Judges one position after the other; close it to end its process."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    async def judge(self, setup: Setup) -> Decision:
        """Return the best move and what it leads to.

        Raises:
            InvalidPosition: no move can be made there.
            EngineFault: the computer does not answer as it should.
        """
        battle = Battle(setup.variant, setup.playable())
        if self._engine is None:
            self._engine = level_contender(0).engine()
        self._engine.new_battle()
        return await self._engine.decide(battle, Limits(SECONDS))

    async def close(self) -> None:
        """End its process, if there is one."""
        if self._engine:
            with suppress(Exception):
                await self._engine.close()
            self._engine = None


async def judged(setup: Setup) -> Decision:
    """Return what is best in one position, and leave no process behind.

    Raises:
        InvalidPosition: as `Judge.judge`.
        EngineFault: as `Judge.judge`.
    """
    judge = Judge()
    try:
        return await judge.judge(setup)
    finally:
        await judge.close()


def in_words(setup: Setup, decision: Decision) -> list[str]:
    """Say in sentences what is best in a position, and what it leads to."""
    move = described(setup.variant, setup.position, decision.move)
    best = f"The best seems to be: {move}."
    return [best, _expected(setup, decision.thought)] if decision.thought else [best]


def _expected(setup: Setup, thought: Thought) -> str:
    ahead = thought.ahead(setup.position.to_move)
    if ahead is None:
        return "Neither side is ahead."
    if thought.goal_in is not None:
        return f"The {ahead.plural} win in {counted(abs(thought.goal_in), 'move')}."
    points = f" by {thought.by} points" if setup.variant.worth else ""
    return f"The {ahead.plural} are ahead{points}."
