"""An event loop without threads: what others run in a thread is run in place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")


async def _in_place(function: Callable[..., _T], /, *arguments: Any, **named: Any) -> _T:
    await asyncio.sleep(0)  # others first, as with a thread
    return function(*arguments, **named)


def _run_in_executor(
    self: asyncio.AbstractEventLoop, _: object, function: Callable[..., _T], *arguments: Any
) -> asyncio.Future[_T]:
    future = self.create_future()
    try:
        future.set_result(function(*arguments))
    except Exception as error:
        future.set_exception(error)
    return future


def _ignore_signal(self: asyncio.AbstractEventLoop, number: int, *_: object) -> None:
    """No signal reaches a worker."""


def do_without_threads() -> None:
    """Run in place what is meant for a thread, on the running loop."""
    loop: Any = type(asyncio.get_running_loop())
    loop.run_in_executor = _run_in_executor
    loop.add_signal_handler = _ignore_signal
    asyncio.to_thread = _in_place
    # Fix task_names (not reported): Pyodide 314 calls a function that Python 3.14 no longer has.
    # Until it does not.
    tasks: Any = asyncio.tasks
    if not hasattr(tasks, "_set_task_name"):
        tasks._set_task_name = lambda task, name: task.set_name(name) if name else None
