"""Several processes of the computer at its best, among which questions are dealt out."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from thud.engines.client import Engine, EngineCrashed, EngineStuck

if TYPE_CHECKING:
    from thud.ai.player import Decision, Limits
    from thud.engines.spec import Contender
    from thud.rules.battle import Battle
    from thud.rules.position import Move


MOST_JOBS: Final = 64
_SEED: Final = 1
"""Every process has the same, so that it does not matter which one is asked."""

_SLOWEST: Final = 100
"""So few positions a second, and a process is taken for hung."""

_PATIENCE: Final = 120.0
_TRIES: Final = 3


class Question(NamedTuple):
    """What is best in a battle after so many of its moves, and perhaps another one."""

    battle: Battle
    played: int
    limits: Limits
    then: Move | None = None


class Analyst:
    """Processes that each answer one question after the other; close it in the end.

    What is answered depends on the question alone, if it is limited by positions or depth.

    Args:
        jobs: so many processes, which are started when there are so many questions at a time.
        nodes: the most positions that a question will ask for.
        contender: who answers, if not the computer at its best.

    Attributes:
        most: so many processes at the most, whatever is asked for.
    """

    most: ClassVar[int] = MOST_JOBS

    def __init__(
        self, jobs: int, nodes: int | None = None, contender: Contender | None = None
    ) -> None:
        from thud.engines.spec import level_contender

        who = contender or level_contender(0)
        patience = max(_PATIENCE, (nodes or 0) / _SLOWEST)
        self._engines = [
            Engine(who.command, who.name, {"Seed": _SEED}, patience=patience)
            for _ in range(max(1, min(jobs, self.most)))
        ]
        self._idle: asyncio.LifoQueue[Engine] = asyncio.LifoQueue()
        for engine in self._engines:
            self._idle.put_nowait(engine)

    async def ask(self, question: Question) -> Decision:
        """Ask whoever is idle first; may be cancelled at any time.

        A process that ends or hangs is started anew and asked again.

        Raises:
            EngineFault: there is no answer all the same.
        """
        engine = await self._idle.get()
        try:
            return await _answer(engine, question)
        finally:
            self._idle.put_nowait(engine)

    async def close(self) -> None:
        """End all processes, and leave none running."""
        await asyncio.gather(*(engine.close() for engine in self._engines))

    def kill(self) -> None:
        """End all processes at once, where nothing can be awaited."""
        for engine in self._engines:
            engine.kill()


def cores() -> int:
    """Return how many processes can think at a time on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


async def _answer(engine: Engine, question: Question) -> Decision:
    battle, played, limits, then = question
    back = battle.played - played
    for _ in range(_TRIES - 1):
        try:
            return await engine.decide(battle, limits, back=back, then=then)
        except (EngineCrashed, EngineStuck):
            continue
    return await engine.decide(battle, limits, back=back, then=then)
