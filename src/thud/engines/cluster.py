"""An arena's matches played on a cluster, with Dask's `distributed`.

A match is one task.  It is sent as text, which each machine interprets for itself, and returned as
the text of its record.  It depends only on the plan and its number: the worker, restarts and the
order in which matches end make no difference.  Dask reassigns the matches of a lost worker; a match
that nobody waits for any more ends itself.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias
from uuid import uuid4

from thud import __version__
from thud.ai.player import Limits
from thud.engines.arena import MatchResult, Pairing, Plan
from thud.engines.faults import EngineMissing
from thud.engines.spec import parse_contender
from thud.extras import how_to_get
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.text import quoted

if TYPE_CHECKING:
    from distributed import Client, Future


EXAMPLE: Final = "tcp://host:8786"
_REACHED: Final = 15
"""Timeout in seconds for a scheduler's answer."""

_LOOK: Final = 0.5
"""Polling interval in seconds: whether a match is still wanted, and which workers there are."""

_ADDRESS: Final = re.compile(
    r"((tcp|tls|ws|wss)://)?([\w.-]{1,255}|\[[\d:a-fA-F.]{2,45}\]):\d{1,5}"
)


class ClusterFault(ValueError):
    """A cluster cannot play the matches; the text says why."""


class Workers(NamedTuple):
    """The workers, and how many matches they play at a time."""

    workers: int
    places: int


class ClusterCallbacks(NamedTuple):
    """Callbacks for the matches' progress."""

    workers_changed: Callable[[Workers], None]
    finished: Callable[[MatchResult], None]


class PlanMessage(NamedTuple):
    """A plan as plain values, with the version of the program that wrote it."""

    version: str
    variant: str
    players: tuple[str, str]
    limits: Limits
    opening: int
    seed: int
    date: str
    control: str = ""
    """The clocks' setting, empty without."""

    @classmethod
    def of(cls, plan: Plan) -> PlanMessage:
        """Return a plan as plain values."""
        first, second = (contender.text for contender in plan.contenders)
        players, how = (first, second), (plan.limits, plan.opening, plan.seed, plan.date)
        control = str(plan.control or "")
        return cls(__version__, plan.variant.name, players, *how, control)

    def plan(self) -> Plan:
        """Return the plan with this machine's own programs.

        Raises:
            ClusterFault: it was written by another version, which may play differently.
        """
        if self.version != __version__:
            raise ClusterFault(f"it has Thud {__version__} instead of {self.version}")
        first, second = map(parse_contender, self.players)
        variant, how = VARIANTS[self.variant], (self.opening, 1, self.seed, self.date)
        control = parse_control(self.control) if self.control else None
        return Plan(variant, (first, second), 1, self.limits, *how, control)


Answer: TypeAlias = tuple[str, str, int | None]
"""The text of a match's record, the fault, and the player at fault."""


async def play(plan: Plan, address: str, callbacks: ClusterCallbacks) -> None:
    """Play all matches of a plan on a scheduler's workers; cancelling stops them.

    Raises:
        ClusterFault: there is no such scheduler, it is lost, or its workers cannot play.
        EngineMissing: one of the programs cannot be started where a match is played, or does not
            play the variant.
    """
    async with _connected(address) as client:
        from distributed import as_completed

        watch = asyncio.create_task(_watch(client, callbacks.workers_changed))
        message, run = PlanMessage.of(plan), uuid4().hex
        tasks: dict[Future, int] = {
            client.submit(
                fight, message, number, key=f"thud-{run}-{number}", pure=False, priority=-number
            ): number
            for number in range(1, plan.matches + 1)
        }
        try:
            async for task in as_completed([*tasks], loop=client.loop):
                number = tasks[task]
                text, fault, culprit = await _answer(task, number, address)
                [record] = read_tgn(text)
                callbacks.finished(MatchResult(number, record, fault, culprit))
                task.release()
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
            await client.cancel([*tasks], force=True)


@asynccontextmanager
async def _connected(address: str) -> AsyncIterator[Client]:
    if not _ADDRESS.fullmatch(address):
        raise ClusterFault(f"a scheduler's address is like {EXAMPLE}, not {quoted(address)}")
    try:
        from distributed import Client
    except ImportError:
        told = f"a scheduler needs Dask's distributed: {how_to_get('cluster')}"
        raise ClusterFault(told) from None
    for name in [*logging.root.manager.loggerDict]:
        if name.split(".")[0] == "distributed":
            # Its errors are reported in a sentence.
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = await Client(address, asynchronous=True, timeout=_REACHED, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterFault(f"no scheduler answers at {quoted(address)}") from error
    try:
        yield client
    finally:
        await client.close()


async def _answer(task: Future, number: int, address: str) -> Answer:
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    try:
        answer: Answer = await task.result()
    except (CancelledError, CommClosedError):
        raise ClusterFault(f"the scheduler at {quoted(address)} is lost") from None
    except KilledWorker:
        raise ClusterFault(f"match {number} was abandoned: several workers were lost") from None
    except EngineMissing:
        raise
    except Exception as error:
        raise ClusterFault(f"match {number} was not played: {error}") from error
    return answer


async def _watch(client: Client, told: Callable[[Workers], None]) -> None:
    """Report the workers periodically."""
    while True:
        places: dict[str, int] = await client.nthreads()
        told(Workers(len(places), sum(places.values())))
        await asyncio.sleep(_LOOK)


# At a worker


def fight(message: PlanMessage, number: int) -> Answer:
    """Play one match in this worker thread; it ends early when nobody waits for it.

    Raises:
        EngineMissing: one of the programs cannot be started here, or does not play the variant.
        ClusterFault: this machine has another version of Thud.
    """
    from distributed import get_worker

    worker = get_worker()
    return asyncio.run(_fight(message, number, worker, worker.get_current_task()))


async def _fight(message: PlanMessage, number: int, worker: Any, key: str) -> Answer:
    pairing = Pairing(message.plan())
    match = asyncio.create_task(pairing.match(number))
    try:
        while not match.done() and _wanted(worker, key):
            await asyncio.wait([match], timeout=_LOOK)
        if not match.done():
            match.cancel()
            await asyncio.wait([match])
            raise ClusterFault("nobody is waiting for it")
        result = match.result()
    except EngineMissing as fault:
        raise EngineMissing(f"{fault} (at the worker {worker.address})") from fault
    finally:
        await pairing.close()
    return tgn_text(result.record), result.fault, result.culprit


def _wanted(worker: Any, key: str) -> bool:
    """Whether somebody still waits for a task, by Dask's state of it."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state == "executing"
