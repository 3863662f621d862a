"""Waiting for a state, never for a time; what does not come about fails, and hangs nobody."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from terminal.emulator import TIMEOUT


async def until(so: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(TIMEOUT):
        while not so():
            await asyncio.sleep(0.005)


async def gone(process: int) -> None:
    """Wait until there is no process of a number any more."""
    await until(lambda: not runs(process))


def runs(process: int) -> bool:
    """Say whether a process has not ended; who has inherited it may not have noticed yet."""
    try:
        os.kill(process, 0)
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()
