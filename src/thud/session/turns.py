"""Asks engines for their moves, in turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from thud.rules.battle import Battle
from thud.rules.clock import time_for_move
from thud.session.cancellation import CancellableTask, forever
from thud.session.events import Thinking
from thud.session.state import SessionState

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought


SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.0)
"""Shortest times for a move while computers play each other and are watched, in seconds."""

_AGAINST_PEOPLE: Final = 0.4
_SILENT: Final = 10
"""Moves for which no computer proposes the end again after a refusal."""


class Turns:
    """The turns of one session.

    Attributes:
        paced: whether computers take long enough for a move that people can follow.
        thought: the latest thought of the engine that is thinking.
    """

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self._asking = CancellableTask()
        self._refused: tuple[Battle, int] | None = None
        self._speed = SPEEDS.index(1.0)
        self.paced = False
        self.thought: Thought | None = None

    def faster(self, by: int) -> float:
        """Change the speed at which watched computers play; return the seconds per move."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        return SPEEDS[self._speed]

    def interrupt(self) -> None:
        """Cancel the request: the position is about to change, or the match to pause."""
        self.thought = None
        self._asking.cancel()

    async def settle(self) -> None:
        """Wait until cancelled requests have ended."""
        await self._asking.settle()

    async def decision(self) -> Decision | None:
        """Return the next decision of an engine.

        None is returned if the match changes or pauses before that.

        Raises:
            EngineFault: the engine fails to decide.
        """
        return await self._asking.run(self._decide())

    async def agrees(self) -> bool | None:
        """Return whether the side not to move agrees to the end; None as for a decision.

        Raises:
            EngineFault: the engine fails to answer.
        """
        return await self._asking.run(self._agree())

    async def _decide(self) -> Decision:
        session = self._session
        if not session.engine_due:
            return await forever()
        session.emit(Thinking(session.to_move))
        seconds = self._allowed
        seat = session.seat_of(session.to_move)
        deciding = seat.decide(session.battle, self._report, seconds)
        least = self._minimum_thinking if seconds is None else min(self._minimum_thinking, seconds)
        decision, _ = await asyncio.gather(deciding, asyncio.sleep(least))
        return decision

    async def _agree(self) -> bool:
        session = self._session
        if not session.engine_due:
            return await forever()
        asked = session.seat_of(session.to_move.other)
        return await asked.agrees(session.battle, self._allowed)

    @property
    def _allowed(self) -> float | None:
        """Seconds that the engine may take by the clock, None without one."""
        clock = self._session.clock
        return None if clock is None else time_for_move(clock.control, clock.left(clock.turn))

    @property
    def _minimum_thinking(self) -> float:
        if not self.paced:
            return 0
        return SPEEDS[self._speed] if self._session.watched else _AGAINST_PEOPLE

    def _report(self, thought: Thought) -> None:
        self.thought = thought
        self._session.emit(Thinking(self._session.to_move, thought))

    def refused(self) -> None:
        """Note that a proposal to end was refused: no computer repeats it for a while."""
        battle = self._session.battle
        self._refused = battle, battle.played

    def ends(self, decision: Decision) -> bool:
        """Whether a decision is to propose the end, and none was refused recently."""
        battle = self._session.battle
        known, since = self._refused or (None, 0)
        return decision.ends and not (known is battle and battle.played - since < _SILENT)
