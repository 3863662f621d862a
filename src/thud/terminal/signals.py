"""Signals that end the program: SIGTERM, SIGHUP and others, and interrupts."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeAlias

from thud.terminal import streams

KILLED_BY: Final = 128
"""Offset of an exit status for a fatal signal, as in shells."""

_NAMES: Final = (
    *("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF"),
    *("SIGXCPU", "SIGPOLL", "SIGPWR", "SIGSTKFLT"),
)
"""What ends a program by default, but for interrupts, faults of the program itself, and SIGKILL."""

_Handler: TypeAlias = Callable[[int, FrameType | None], object]
_takers: Final[list[_Handler]] = []
"""Stack of handlers that replace Python's for interrupts; the last one is active."""


def ending() -> tuple[signal.Signals, ...]:
    """Return the signals that would end the program, without ignored ones (nohup)."""
    return tuple(each for each in _known() if signal.getsignal(each) == signal.SIG_DFL)


def _known() -> list[signal.Signals]:
    """Return the signals of `_NAMES` that this system has."""
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


def block_signals() -> None:
    """Block the ending signals in this thread, so that they wake the main thread."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *_known()})


@contextmanager
def held_signals() -> Iterator[None]:
    """Context manager: signals wait that would interrupt this thread or end the program."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *_known()})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def on_interrupt(taker: _Handler) -> Callable[[], None]:
    """Install a handler for interrupts: Ctrl+C unless ignored, and ending signals.

    Only the main thread is interrupted: in any other this does nothing.

    Returns:
        A function that removes the handler.
    """
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    _takers.append(taker)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt_last)

    def release() -> None:
        _takers.remove(taker)
        if not _takers and signal.getsignal(signal.SIGINT) is _interrupt_last:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    return release


def _interrupt_last(number: int, frame: FrameType | None) -> None:
    _takers[-1](number, frame)


@contextmanager
def exit_cleanly() -> Iterator[None]:
    """Context manager: turn an ending signal into an interrupt of the block, then exit.

    Only the first signal counts, so that cleaning up is not disturbed.  Its output may be lost,
    since the terminal may be gone.

    Raises:
        SystemExit: with a shell's exit status for the signal.
    """
    told: list[int] = []

    def tell(number: int, frame: FrameType | None) -> None:
        if told:
            return
        told.append(number)
        # Do what Ctrl+C does; asyncio then cancels the main task.
        handler = _takers[-1] if _takers else signal.getsignal(signal.SIGINT)
        if not callable(handler):
            raise KeyboardInterrupt
        handler(signal.SIGINT, frame)

    handled = ending()
    for each in handled:
        signal.signal(each, tell)
    try:
        yield
    except (KeyboardInterrupt, OSError):
        if not told:
            raise
    finally:
        for each in handled:
            signal.signal(each, signal.SIG_DFL)
    if told:
        streams.flush_or_discard()
        sys.exit(KILLED_BY + told[0])
