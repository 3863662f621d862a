"""The signals by which a system ends a program."""

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

_NAMES: Final = ("SIGTERM", "SIGHUP")

_Handler: TypeAlias = Callable[[int, FrameType | None], object]
_takers: Final[list[_Handler]] = []
"""Those who take interrupts in the place of what Python does, the one who does now as the last."""


def ending() -> tuple[signal.Signals, ...]:
    """Return the signals that would end the program; one may be ignored, as under nohup."""
    known = (getattr(signal, name, None) for name in _NAMES)
    return tuple(each for each in known if each and signal.getsignal(each) == signal.SIG_DFL)


def left_to_others() -> None:
    """Let no signal that ends the program wake this thread: the main one is to be woken."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})


def interrupts_to(taker: _Handler) -> Callable[[], None]:
    """Let somebody take Ctrl+C, where it is not ignored, and what the system does as Ctrl+C would.

    Only the main thread is interrupted: in any other nothing is taken.

    Returns:
        what ends that.
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
def ended_in_order() -> Iterator[None]:
    """Interrupt what is done here as Ctrl+C would when the system ends the program, then leave.

    That happens once: what tidies up is not disturbed.  What it says need not arrive, since a
    terminal may be gone.

    Raises:
        SystemExit: with the status that a shell gives to a program that was ended so.
    """
    told: list[int] = []

    def tell(number: int, frame: FrameType | None) -> None:
        if not told:
            told.append(number)
            _interrupt(frame)

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
        streams.let_go()
        sys.exit(KILLED_BY + told[0])


def _interrupt(frame: FrameType | None) -> None:
    """Do what Ctrl+C does, which asyncio makes an orderly end of what is awaited."""
    handler = _takers[-1] if _takers else signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)
