"""A process in which Ann plays a plain session; Bob's remote actions are read from a pipe."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from functools import partial
from pathlib import Path

from plain.apart import Does, do
from plain.playing import begun
from thud.cli import launch
from thud.engines.spec import parse_contender
from thud.records.store import Store
from thud.session.autosave import Autosave
from thud.session.session import Session


async def follow(session: Session, pipe: str) -> None:
    """Perform the actions written to a named pipe, one per line."""
    reader = asyncio.StreamReader()
    # Also opened for writing, so that there is no end of file when a writer closes it.
    source = io.FileIO(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
    while True:
        what, _, rest = (await reader.readline()).decode().strip().partition(" ")
        await do(session, Does(what, rest), 1)


def main(directory: str, pipe: str) -> None:
    seats = parse_contender("human"), parse_contender("guest")
    session = Session(begun(), Autosave(Store(Path(directory))), seats)
    session.add_task(partial(follow, session, pipe))
    launch.play_in_lines(session, launch.lines())


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
