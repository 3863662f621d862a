"""The keeper's process as the club's own process sees it: started, asked, and ended."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from time import monotonic
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from thud.club.doors import OPEN_FLAG
from thud.session.cancellation import finished

KEEPER_SECONDS: Final = 10.0
"""Grace period for the keeper to close its tables."""

_KEEPER: Final = (sys.executable, "-P", "-m", "thud.club.keeper")
_AGAIN: Final = 0.2
_MOST_PAUSE: Final = 60.0
"""Seconds until a keeper that has ended is started again: doubled each time, to the most, until one
has run for as long as that."""

_ANSWER_SECONDS: Final = 20.0
_LONGEST: Final = 1 << 20
"""Longest answer, in bytes."""


class _Line(Struct, omit_defaults=True, tag_field="m"):
    """A line to the keeper's standard input, in the name of the club's owner."""


class ListTables(_Line, tag="tables"):
    """List all tables, hidden ones included."""


class CloseTables(_Line, tag="close"):
    """Close tables by their ids; whoever sits there is told."""

    tables: tuple[str, ...]


class HideTables(_Line, tag="hide"):
    """End the links that show tables to anybody, by the tables' ids."""

    tables: tuple[str, ...]


class RenameVisitor(_Line, tag="rename"):
    """Call a visitor something else at once, at their tables, too; their file says so already."""

    visitor: str
    name: str


class NewInvitation(_Line, tag="invitation"):
    """From now on links have secrets of another invitation."""

    secret: str


OwnersRequest: TypeAlias = ListTables | CloseTables | HideTables | RenameVisitor | NewInvitation


class KeptTable(Struct, frozen=True):
    """A table in the owner's list."""

    id: str
    variant: str
    players: tuple[str, str]
    by: str
    """Id of the visitor who opened it."""
    moves: int
    here: int
    """Players who look at the board now."""
    private: bool
    over: bool
    idle: float
    """Seconds since the match was last saved."""
    season: bool = False
    """Whether it is a table of the season, which the club opened."""
    offer: bool = False
    """Whether it is no table yet, but an offer that nobody has taken."""


class Numbered(Struct):
    """A request with its number, by which its answer is known."""

    number: int
    request: OwnersRequest


class KeepersAnswer(Struct, omit_defaults=True):
    """The answer to the request with a number."""

    number: int
    tables: tuple[KeptTable, ...] = ()


class KeeperProcess:
    """The process that keeps the tables; made by `tables_kept`.

    Attributes:
        answering: set once the tables answer.
    """

    def __init__(self) -> None:
        self.answering = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._asking, self._numbers = asyncio.Lock(), count(1)

    async def ask(self, request: OwnersRequest) -> tuple[KeptTable, ...]:
        """Let the keeper do something for the owner; return the tables it answers with.

        Raises:
            ValueError: it does not answer.
        """
        with suppress(OSError, ValueError, TimeoutError):
            async with self._asking, asyncio.timeout(_ANSWER_SECONDS):
                keeper = self._process
                if keeper and keeper.stdin and keeper.stdout:
                    number = next(self._numbers)
                    line = msgspec.json.encode(Numbered(number, request))
                    keeper.stdin.write(line + b"\n")
                    while answer := await keeper.stdout.readline():
                        found = msgspec.json.decode(answer, type=KeepersAnswer)
                        if found.number == number:
                            return found.tables
        raise ValueError("the club's tables do not answer: try again in a moment")

    async def run(self, *, is_open: bool) -> None:
        """Keep a process running until cancelled, restarting it whenever it ends.

        One that ends at once again and again is started less and less often.
        """
        command = (*_KEEPER, OPEN_FLAG) if is_open else _KEEPER
        pause = _AGAIN
        while True:
            started = monotonic()
            with suppress(OSError):  # files or processes run short, which passes
                keeper = await asyncio.create_subprocess_exec(
                    *command, stdin=PIPE, stdout=PIPE, start_new_session=True, limit=_LONGEST
                )
                try:
                    if keeper.stdout and await keeper.stdout.readline():  # it says that it is open
                        self._process = keeper
                        self.answering.set()
                    await keeper.wait()
                finally:
                    self._process = None
                    await finished(_end_keeper(keeper))
            if monotonic() - started >= _MOST_PAUSE:
                pause = _AGAIN
            await asyncio.sleep(pause)
            pause = min(2 * pause, _MOST_PAUSE)


@asynccontextmanager
async def tables_kept(*, is_open: bool = False) -> AsyncIterator[KeeperProcess]:
    """Context manager: run the keeper process.

    Args:
        is_open: whether the club is open to strangers.
    """
    keeper = KeeperProcess()
    keeping = asyncio.create_task(keeper.run(is_open=is_open))
    try:
        yield keeper
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _end_keeper(keeper: asyncio.subprocess.Process) -> None:
    """End the keeper; it exits cleanly at the end of its input, so also when we are killed."""
    if keeper.stdin:
        keeper.stdin.close()
    try:
        await asyncio.wait_for(keeper.wait(), KEEPER_SECONDS)
    except TimeoutError:
        keeper.kill()
        await keeper.wait()
