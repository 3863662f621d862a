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
"""So many seconds may good order take.  Textual can wait for ever for a terminal that is gone."""

_A_MOMENT: Final = 0.005
"""Seconds between two looks at what is being mounted."""


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
    """End an app as soon as nothing that it shows is half there.

    An app that ends mounts nothing any more: a screen that is just being made would stay empty,
    and look in vain for what should be in it.  So would what a screen does in the background while
    it is taken down, which is therefore stopped before.
    """
    while not all(map(_is_whole, app.screen_stack)):
        await asyncio.sleep(_A_MOMENT)
    for screen in app.screen_stack:
        app.workers.cancel_node(screen)
    app.exit(return_code=return_code)


def _is_whole(screen: Screen[object]) -> bool:
    return all(widget.is_mounted for widget in screen.walk_children(Widget, with_self=True))
