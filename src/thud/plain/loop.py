"""Runs coroutines from synchronous code; an interrupt cancels the one awaited."""

from __future__ import annotations

from asyncio import CancelledError, Runner, Task, current_task
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from thud.terminal.signals import held_signals, on_interrupt

_Result = TypeVar("_Result")


def begun_runner() -> Runner:
    """Return a runner with its loop: a signal while one is made would leave half of it."""
    with held_signals():
        runner = Runner()
        runner.get_loop()
    return runner


class Loop:
    """An event loop for synchronous code.

    A plain `Runner` mistakes an interrupt at its start for a cancellation, and one at its end
    leaves its loop in the middle of an iteration.  Here the awaited task is cancelled, and the
    interrupt is raised once the loop has stopped.

    Args:
        runner: runs the coroutines; by default a new one, closed at the end.
    """

    def __init__(self, runner: Runner | None = None) -> None:
        self._runner = runner or begun_runner()
        self._own = runner is None
        self._running = self._interrupted = False
        self._failure: Exception | None = None
        self._awaited: Task[Any] | None = None
        self._release = on_interrupt(self._interrupt)

    def run(self, do: Callable[[], Coroutine[object, object, _Result]]) -> _Result:
        """Run a coroutine to its end, along with all tasks.

        Raises:
            KeyboardInterrupt: there was an interrupt; the coroutine has been cancelled.
            Exception: the error passed to `fail`; the coroutine has been cancelled.
        """
        self._running = True
        try:
            result = self._runner.run(self._cancellable(do))
        except CancelledError:
            if not (self._interrupted or self._failure):
                raise
        finally:
            self._running = False
        if self._failure:
            failure, self._failure = self._failure, None
            raise failure
        if self._interrupted:
            self._interrupted = False
            raise KeyboardInterrupt
        return result

    def begin(self, do: Callable[[], Coroutine[object, object, _Result]]) -> Task[_Result]:
        """Start a background task."""
        return self._runner.get_loop().create_task(do())

    def fail(self, error: Exception) -> None:
        """Make the current or the next `run` raise an error that occurred elsewhere."""
        self._failure = error
        self._cancel()

    def close(self) -> None:
        """Restore the interrupt handler, and close the runner if it is our own."""
        self._release()
        if self._own:
            self._runner.close()

    async def _cancellable(self, do: Callable[[], Coroutine[object, object, _Result]]) -> _Result:
        if self._interrupted or self._failure:
            raise CancelledError
        self._awaited = current_task()
        try:
            return await do()
        finally:
            self._awaited = None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self._running:
            raise KeyboardInterrupt
        self._interrupted = True
        self._runner.get_loop().call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._awaited is not None:
            self._awaited.cancel()
