"""Tasks that can be cancelled, and work that cancellation has to wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import NoReturn, TypeVar

_Result = TypeVar("_Result")


class CancellableTask:
    """Runs one coroutine at a time, until it returns or is cancelled."""

    def __init__(self) -> None:
        self._running: asyncio.Task[object] | None = None
        self._ending: set[asyncio.Task[object]] = set()

    async def run(self, coroutine: Coroutine[object, object, _Result]) -> _Result | None:
        """Return what a coroutine returns, None if `cancel` came first."""
        self._running = running = asyncio.get_running_loop().create_task(coroutine)
        try:
            return await running
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return None
        finally:
            if self._running is running:
                self._running = None

    async def repeat(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Do some work now, and again after each `cancel`, until this itself is cancelled."""

        async def work_once() -> None:
            await work()
            await forever()

        while True:
            await self.run(work_once())

    def cancel(self) -> None:
        """Cancel what is running, without waiting for its end."""
        if self._running is not None:
            self._ending.add(self._running)
            self._running.add_done_callback(self._ending.discard)
            self._running.cancel()

    async def settle(self) -> None:
        """Wait until everything that was cancelled has ended."""
        if self._ending:
            await asyncio.wait(set(self._ending))


async def finished(work: Coroutine[object, object, None]) -> None:
    """Run work to its end even if the caller is cancelled, then raise the cancellation."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled:
        raise cancelled


async def forever() -> NoReturn:
    """Wait until cancelled."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError("unreachable")
