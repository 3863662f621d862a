"""Waiting for what may never come, or be of no use any more when it does."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import NoReturn, TypeVar

_Result = TypeVar("_Result")


class CancellableTask:
    """Waits for one thing at a time, until it is there or the waiting is interrupted."""

    def __init__(self) -> None:
        self._awaited: asyncio.Task[object] | None = None
        self._ending: set[asyncio.Task[object]] = set()

    async def wait_for(self, coming: Coroutine[object, object, _Result]) -> _Result | None:
        """Return what comes, None if `interrupt` came first; then it is cancelled."""
        self._awaited = awaited = asyncio.get_running_loop().create_task(coming)
        try:
            return await awaited
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                self.interrupt()
                raise
            return None
        finally:
            if self._awaited is awaited:
                self._awaited = None

    def interrupt(self) -> None:
        """Wait no longer: everything has changed."""
        if self._awaited is not None:
            self._ending.add(self._awaited)
            self._awaited.add_done_callback(self._ending.discard)
            self._awaited.cancel()

    async def settle(self) -> None:
        """Wait until what was interrupted has come to its end."""
        if self._ending:
            await asyncio.wait(set(self._ending))


async def forever() -> NoReturn:
    """Wait until that is interrupted."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError("what nobody has promised has come")
