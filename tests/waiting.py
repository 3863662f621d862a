"""Waiting for conditions instead of fixed times, with a timeout."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from terminal.emulator import TIMEOUT


async def until(so: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(TIMEOUT):
        while not so():
            await asyncio.sleep(0.005)


async def gone(process: int) -> None:
    """Wait until a process no longer runs, by its id."""
    await until(lambda: not runs(process))


def runs(process: int) -> bool:
    """Whether a process still runs; zombies, not yet reaped by their parent, do not count."""
    try:
        os.kill(process, 0)
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()
