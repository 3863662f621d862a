"""Exit cleanly on SIGTERM and SIGHUP."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from threading import Thread, Timer, current_thread, main_thread
from typing import Any, Final

from textual.app import App

from thud.terminal.signals import KILLED_BY, ending
from thud.tui.textual_fixes import is_whole, restore_terminal

_TIMEOUT: Final = 5.0
"""Timeout for a clean exit, in seconds: Textual may wait for ever for a lost terminal."""

_RESTORING: Final = 2.5
"""Timeout for restoring the terminal after that, in seconds."""

_POLL_INTERVAL: Final = 0.005
"""Interval of checks whether everything is mounted, in seconds."""


def install_handlers(app: App[None]) -> None:
    """Exit the app cleanly on a terminating signal, restoring the terminal."""
    if app.is_headless or current_thread() is not main_thread():
        return
    loop = asyncio.get_running_loop()

    def handle(number: int, _: object) -> None:
        return_code = KILLED_BY + number
        # Exiting hard loses nothing: moves are on the disk, and engines exit at end of input.
        deadline = Timer(_TIMEOUT, _give_up, (app, return_code))
        deadline.daemon = True
        deadline.start()
        if not loop.is_closed():
            loop.call_soon_threadsafe(_leave, app, return_code)

    # asyncio's own handlers would not run while the loop is blocked, and are slow to install.
    for number in ending():
        signal.signal(number, handle)


def _leave(app: App[None], return_code: int) -> None:
    if app.is_running:
        leaving: Any = partial(leave, app, return_code)
        app.run_worker(leaving, group="departure", exclusive=True)


def _give_up(app: App[None], return_code: int) -> None:
    # The program waits for it: the app may end by itself as soon as nothing is written any more.
    restoring = Thread(target=restore_terminal, args=(app,), daemon=False)
    restoring.start()
    restoring.join(_RESTORING)
    os._exit(return_code)


async def leave(app: App[Any], return_code: int) -> None:
    """Exit an app once all its screens are mounted, cancelling their workers.

    An exiting app mounts nothing: a half-mounted screen, or a worker of a removed one, would not
    find its widgets.
    """
    while not (app.screen_stack and all(map(is_whole, app.screen_stack))):
        await asyncio.sleep(_POLL_INTERVAL)
    for screen in app.screen_stack:
        app.workers.cancel_node(screen)
    app.exit(return_code=return_code)
