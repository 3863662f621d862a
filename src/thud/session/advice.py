"""Hints, and the evaluation of the battle, from the analyst."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from thud.engines.faults import EngineFault
from thud.rules.position import Side
from thud.session.cancellation import CancellableTask, forever
from thud.session.events import Advised, Judged
from thud.session.situation import Situation

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.engines.analyst import Analyst

HINT_SECONDS: Final = 2.0
"""The time for a hint."""

GLANCE_SECONDS: Final = 0.5
"""The time to judge a position that people play."""


class Advice:
    """The advice of one session; advice on an earlier position is dropped."""

    def __init__(self, situation: Situation, analyst: Analyst) -> None:
        self._situation = situation
        self._analyst = analyst
        self._hint = CancellableTask()
        self._glance = CancellableTask()
        self._judging = False

    @property
    def judging(self) -> bool:
        """Whether the battle is judged all the time."""
        return self._judging

    @judging.setter
    def judging(self, judging: bool) -> None:
        if judging is not self._judging:
            self._judging = judging
            self._tell_nothing()
            self._glance.cancel()

    def interrupt(self) -> None:
        """Drop what is asked: the position is about to change."""
        self._hint.cancel()
        self._glance.cancel()

    async def settle(self) -> None:
        """Wait until nobody is asked anything any more."""
        await self._hint.settle()
        await self._glance.settle()

    async def hint(self) -> Decision | None:
        """Return what the best computer would do, None if the match goes on before that.

        It is looked for at once: how the battle stands is judged again afterwards.

        Raises:
            EngineFault: it does not answer as it should.
        """
        self._hint.cancel()
        self._glance.cancel()
        advised = await self._hint.run(self._advise())
        if advised is None:
            return None
        self._situation.tell(advised)
        return advised.decision

    async def _advise(self) -> Advised:
        from thud.wording.remarks import merits

        battle = self._situation.battle
        variant, position = battle.variant, battle.position
        decision = await self._ask(HINT_SECONDS)
        because = await asyncio.to_thread(merits, variant, position, decision.move)
        return Advised(position, decision, because)

    async def _ask(self, seconds: float) -> Decision:
        from thud.ai.player import Limits

        return await self._analyst.analyse(self._situation.battle, Limits(seconds))

    async def run(self) -> None:
        """Judge one position after the other until that is cancelled."""
        while True:
            await self._glance.run(self._look())

    async def _look(self) -> None:
        await self._situation.settled()
        if self._situation.battle.outcome:
            self._tell_nothing()
        elif self._judging and self._situation.can_be_advised:
            await self._judge()
        await forever()

    async def _judge(self) -> None:
        situation, side = self._situation, self._situation.to_move
        try:
            decision = await self._ask(GLANCE_SECONDS)
        except EngineFault:
            # Nobody has asked for it; a hint would tell what is wrong.
            return
        situation.tell(Judged(side, decision.thought))

    def _tell_nothing(self) -> None:
        self._situation.tell(Judged(Side.DWARFS, None))
