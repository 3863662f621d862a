"""Exit cleanly on SIGTERM and SIGHUP."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from threading import Timer
from typing import Final

from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

from thud.terminal.signals import KILLED_BY, ending

_TIMEOUT: Final = 2.0
"""Seconds to exit cleanly in: Textual can wait for ever for a terminal that is gone."""

_A_MOMENT: Final = 0.005
"""Seconds between two checks of what is being mounted."""


def leave_when_told(app: App[None]) -> None:
    """Close the app when a signal ends it, so that the terminal is left as it was found."""
    if not app.is_headless:
        for number in ending():
            _handle(app, number)


def _handle(app: App[None], number: signal.Signals) -> None:
    leave = partial(_leave, app, KILLED_BY + number)
    try:
        asyncio.get_running_loop().add_signal_handler(number, leave)
    except (NotImplementedError, RuntimeError, ValueError):
        # There are no such handlers on Windows, nor outside the main thread.
        return


def _leave(app: App[None], return_code: int) -> None:
    # Every move is on the disk already, and computers end when their input does.
    deadline = Timer(_TIMEOUT, os._exit, (return_code,))
    deadline.daemon = True
    deadline.start()
    app.run_worker(leave(app, return_code), group="departure", exclusive=True)


async def leave(app: App[None], return_code: int) -> None:
    """End an app as soon as all its screens are mounted, and their workers are stopped.

    An app that ends mounts nothing any more: a screen that was half mounted, or a worker of one
    that is taken down, would not find its widgets.
    """
    while not all(map(_is_whole, app.screen_stack)):
        await asyncio.sleep(_A_MOMENT)
    for screen in app.screen_stack:
        app.workers.cancel_node(screen)
    app.exit(return_code=return_code)


def _is_whole(screen: Screen[object]) -> bool:
    return all(widget.is_mounted for widget in screen.walk_children(Widget, with_self=True))
