"""Exit cleanly on SIGTERM and SIGHUP."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from threading import Thread, Timer
from typing import Any, Final

from textual.app import App

from thud.terminal.signals import KILLED_BY, ending
from thud.tui.textual_fixes import is_whole, restore_terminal

_TIMEOUT: Final = 5.0
"""Seconds to exit cleanly in: Textual can wait for ever for a terminal that is gone."""

_RESTORING: Final = 0.5
"""Seconds for the terminal to be left as it was, if that has taken too long."""

_A_MOMENT: Final = 0.005
"""Seconds between two checks of what is being mounted."""


def leave_when_told(app: App[None]) -> None:
    """Close the app when a signal ends it, so that the terminal is left as it was found."""
    if not app.is_headless:
        for number in ending():
            _handle(app, number)


def _handle(app: App[None], number: signal.Signals) -> None:
    return_code = KILLED_BY + number

    def begin_deadline(*_: object) -> None:
        # Every move is on the disk already, and computers end when their input does.
        deadline = Timer(_TIMEOUT, _give_up, (app, return_code))
        deadline.daemon = True
        deadline.start()

    try:
        asyncio.get_running_loop().add_signal_handler(number, _leave, app, return_code)
    except (NotImplementedError, RuntimeError, ValueError):
        # There are no such handlers on Windows, nor outside the main thread.
        return
    # So many signals that their pipe is full wake the loop as well: Python need not warn of that.
    signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)
    # The loop may wait for something, and for ever: it does not come to its own handler then.
    signal.signal(number, begin_deadline)


def _leave(app: App[None], return_code: int) -> None:
    if app.is_running:
        leaving: Any = partial(leave, app, return_code)
        app.run_worker(leaving, group="departure", exclusive=True)


def _give_up(app: App[None], return_code: int) -> None:
    restoring = Thread(target=restore_terminal, args=(app,), daemon=True)
    restoring.start()
    restoring.join(_RESTORING)
    os._exit(return_code)


async def leave(app: App[Any], return_code: int) -> None:
    """End an app as soon as all its screens are mounted, and their workers are stopped.

    An app that ends mounts nothing any more: a screen that was half mounted, or a worker of one
    that is taken down, would not find its widgets.
    """
    while not (app.screen_stack and all(map(is_whole, app.screen_stack))):
        await asyncio.sleep(_A_MOMENT)
    for screen in app.screen_stack:
        app.workers.cancel_node(screen)
    app.exit(return_code=return_code)
