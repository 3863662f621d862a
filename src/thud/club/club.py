"""The club: who is in, who is let in, and that everybody is gone at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import IO, Final

from thud.club.visit import Visit
from thud.club.visitors import Visitor, Visitors

_ELSEWHERE: Final = "You have come in elsewhere: the board is there now."


class Full(Exception):
    """Nobody else is let in now; the text is a sentence for whoever has come."""


class _Stay:
    """Somebody's place in the club, from before they are let in until nothing of theirs is left."""

    def __init__(self) -> None:
        self.wanted_elsewhere = asyncio.Event()
        self.over = asyncio.Event()


class Club:
    """All visits of one `thud serve`, whichever door they come by.

    Nobody is here twice: what a visitor keeps is for one process at a time.

    Args:
        visitors: who is known.
        most: so many visitors are let in at a time.
        idle: so many seconds a visitor may do nothing.

    Attributes:
        visitors: who is known.
    """

    def __init__(self, visitors: Visitors, *, most: int, idle: float) -> None:
        self.visitors = visitors
        self._most = most
        self._idle = idle
        self._inside: dict[str, _Stay] = {}

    @asynccontextmanager
    async def visit(
        self, visitor: Visitor, *, streams: int | IO[bytes], surroundings: Mapping[str, str]
    ) -> AsyncIterator[Visit]:
        """Let a visitor in, whose process is gone afterwards, whatever has happened.

        Whoever is here already comes in anew: the visit before is ended first.

        Raises:
            Full: too many are here.
            OSError: the process cannot be started.
        """
        stay = await self._let_in(visitor)
        try:
            await asyncio.to_thread(self.visitors.welcome, visitor, {*self._inside})
            visit = await Visit.start(visitor, streams=streams, surroundings=surroundings)
            try:
                yield visit
            finally:
                await _to_the_end(visit.end())
        finally:
            del self._inside[visitor.id]
            stay.over.set()

    async def _let_in(self, visitor: Visitor) -> _Stay:
        while before := self._inside.get(visitor.id):
            before.wanted_elsewhere.set()
            await before.over.wait()
        if len(self._inside) >= self._most:
            raise Full(f"The club is full: {self._most} are here. Come again in a while.")
        stay = self._inside[visitor.id] = _Stay()
        return stay

    async def sent_away(self, visit: Visit) -> str:
        """Return what to say to a visitor who has to go, as soon as that is so.

        They have done nothing for too long, or have come in elsewhere.
        """
        stay = self._inside[visit.visitor.id]
        while (left := self._idle - visit.idle) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(stay.wanted_elsewhere.wait(), left)
                return _ELSEWHERE
        minutes = round(self._idle / 60)
        return f"Nothing has been done here for {minutes} minutes: come again whenever you like."


async def _to_the_end(doing: Coroutine[object, object, None]) -> None:
    """Do something even where this is cancelled meanwhile."""
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
