"""The owner's requests to a club: over a socket in its directory while it runs, else in its files.

Only the user who runs the club, and root, can reach the socket.  A visitor's process cannot.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from thud.club.club import ClubServer
from thud.club.doors import tell_owner
from thud.club.forgetting import forget
from thud.club.keeping import (
    CloseTables,
    HideTables,
    KeeperProcess,
    ListTables,
    NewInvitation,
    RenameVisitor,
)
from thud.club.sanctions import KICK_SECONDS
from thud.club.season import (
    SEASONS_FILE,
    SETTINGS_FILE,
    Seasons,
    SeasonsFile,
    leave,
    names_in,
    page_of,
    settings_in,
)
from thud.club.storage import Visitors, own_secret
from thud.net.transports import sockets
from thud.net.transports.permissions import user_of
from thud.text import counted, joined, quoted, why
from thud.visitor.season import SeasonPage, as_lines, as_values

CONTROL: Final = "control"
"""The socket's name in the club's directory."""

LONGEST_ANSWER: Final = 1 << 22
_LONGEST: Final = 1 << 14
_SECONDS: Final = 30.0
"""Timeout for a request and its answer."""


class OwnersWords(Struct):
    """What the owner types after `thud club`."""

    what: str
    words: list[str] = []
    network: bool = False
    """Whether newcomers from the visitor's networks share a ban or a mute."""


class OwnersAnswer(Struct, omit_defaults=True):
    """What the club answers."""

    said: list[str] = []
    rows: list[dict[str, Any]] | None = None
    """What was to be listed."""
    refused: str = ""


_DONE: Final = {
    "kick": "has to leave, and can come back in ten minutes",
    "mute": "cannot chat until you unmute them",
    "unmute": "can chat again",
    "ban": "has to leave, and stays out until you unban them; their open tables close",
    "unban": "can come in again",
    "forget": "is forgotten, and can come back only as somebody new",
}

_NO_SEASON: Final = f"There is no season yet: {SETTINGS_FILE} begins one."

_OPEN: Final = "The club is open to strangers, who need none."
_STAYING: Final = "Those who are in stay. The next time, everybody needs the new invitation once."
_LINKS: Final = "Links to tables from before let no newcomers in; W at the table shows them anew."


class RunningClub:
    """What there is of a club only while it runs.

    Args:
        club: its visits.
        keeper: keeps its tables.
        invitation: returns where to come in, in lines.
        renew: takes over a new invitation's secret.
    """

    def __init__(
        self,
        club: ClubServer,
        keeper: KeeperProcess,
        invitation: Callable[[], list[str]],
        renew: Callable[[str], None],
    ) -> None:
        self.club = club
        self.keeper = keeper
        self.invitation = invitation
        self.renew = renew


class Owner:
    """Carries out what the owner of a club asks for.

    Args:
        visitors: all known visitors.
        running: the rest of the club; None if it is closed.
    """

    def __init__(self, visitors: Visitors, running: RunningClub | None = None) -> None:
        self._visitors = visitors
        self._running = running

    async def answer(self, asked: OwnersWords) -> OwnersAnswer:
        """Do what is asked; return the answer, which may be a refusal."""
        try:
            answer = await self._carry_out(asked)
        except (OSError, ValueError) as fault:
            return OwnersAnswer(refused=why(fault))
        if self._running and answer.rows is None and asked.what != "invite":
            tell_owner(f"For the owner: {answer.said[0]}")
        return answer

    async def _carry_out(self, asked: OwnersWords) -> OwnersAnswer:
        """Do what is asked.

        Raises:
            ValueError: there is no such request, visitor or table, or the club is closed.
            OSError: the change cannot be saved.
        """
        answer = OwnersAnswer()
        match [asked.what, *asked.words]:
            case ["visitors"]:
                known = await asyncio.to_thread(self._visitors.known)
                answer.rows = [each._asdict() for each in known]
            case ["who"]:
                answer.rows = await asyncio.to_thread(self._present)
            case ["tables"]:
                answer.rows = await self._tables()
            case ["close", *tables] if tables:
                answer.said = [await self._close(tables)]
            case ["hide", *tables] if tables:
                chosen = await self._tables_named(tables)
                await self._open().keeper.ask(HideTables(tuple(chosen)))
                answer.said = [f"Links no longer show {counted(len(chosen), 'table')}."]
            case ["rename", who, name]:
                found = await asyncio.to_thread(self._visitors.named, who)
                called = await asyncio.to_thread(self._visitors.rename, found, name)
                if self._running:
                    await self._running.keeper.ask(RenameVisitor(found, called))
                answer.said = [f"{found[:8]} is now called {called}."]
            case ["season"]:
                seasons = await asyncio.to_thread(self._seasons)
                answer.rows = [as_values(each) for each in seasons]
                answer.said = [*as_lines(seasons[0])] if seasons else [_NO_SEASON]
            case ["withdraw", who]:
                answer.said = [await asyncio.to_thread(self._withdraw, who)]
            case ["invite"]:
                answer.said = self._open().invitation()
            case ["renew"]:
                answer.said = await self._renew()
            case _:
                answer.said = [await asyncio.to_thread(self._change_files, asked)]
        return answer

    def _change_files(self, asked: OwnersWords) -> str:
        """Change a visitor's standing in their files, at which a running club looks often.

        Raises:
            ValueError: there is no such request or visitor.
            OSError: the change cannot be saved.
        """
        visitors, more = self._visitors, ""
        match [asked.what, *(visitors.named(each) for each in asked.words)]:
            case ["link", found, person]:
                visitors.link(found, person)
                return f"{found[:8]} and {person[:8]} are now the same visitor."
            case ["forget", found]:
                unread = forget(visitors, found)
                more = "".join(f" Their name may be left in {each}." for each in unread)
            case ["kick", found]:
                if math.isinf(visitors.bans.remaining(found)):
                    raise ValueError(f"{found[:8]} is banned, which a kick would end")
                visitors.sanction(visitors.bans, found, KICK_SECONDS)
            case ["mute" | "ban" as what, found]:
                kind = visitors.mutes if what == "mute" else visitors.bans
                networks = visitors.sanction(kind, found, shared=asked.network)
                more = f" Newcomers from {joined(networks)} share that." if networks else ""
            case ["unmute" | "unban" as what, found]:
                (visitors.mutes if what == "unmute" else visitors.bans).lift(found)
            case _:
                raise ValueError("there is no such request: 'thud club --help' lists them")
        return f"{found[:8]} {_DONE[asked.what]}.{more}"

    def _seasons(self) -> list[SeasonPage]:
        """Return all seasons with their cross tables, the one written down first.

        Raises:
            ValueError: what is written down is wrong.
        """
        path = self._visitors.directory.with_name(SETTINGS_FILE)
        try:
            settings = settings_in(path)
        except ValueError as refusal:
            raise ValueError(f"{quoted(str(path), 200)} is not used: {refusal}") from None
        found = SeasonsFile(path.with_name(SEASONS_FILE)).load().seasons[::-1]
        found.sort(key=lambda each: settings is None or each.name != settings.name)
        return [page_of(each, names_in(each, self._visitors)) for each in found]

    def _withdraw(self, who: str) -> str:
        """Let a visitor leave the seasons that go on.

        Raises:
            ValueError: there is no such visitor, or they take part in none.
            OSError: it cannot be saved.
        """
        found, left = self._visitors.named(who), list[bool]()
        ids = [found, *self._visitors.linked_to(found)]

        def change(seasons: Seasons) -> None:
            left.extend([leave(each, ids) for each in seasons.seasons])

        SeasonsFile(self._visitors.directory.with_name(SEASONS_FILE)).change(change)
        if not any(left):
            raise ValueError(f"{found[:8]} takes part in no season that goes on")
        return f"{found[:8]} has left the season."

    def _open(self) -> RunningClub:
        if self._running is None:
            raise ValueError(
                f"the club in {quoted(str(self._visitors.directory.parent), 200)} is closed: "
                "'thud serve' opens it"
            )
        return self._running

    def _present(self) -> list[dict[str, Any]]:
        """Return who is in, each with the memory of their processes, if the system tells."""
        inside, names = self._open().club.inside(), self._visitors.names()
        memory = memory_of({each.session for each in inside})
        return [
            {
                "id": each.id,
                "name": names.get(each.id, "watches by a link" if each.watches else ""),
                "since": each.since,
                "network": each.network,
                "memory": memory.get(each.session),
            }
            for each in inside
        ]

    async def _tables(self) -> list[dict[str, Any]]:
        names = await asyncio.to_thread(self._visitors.names)
        tables = await self._open().keeper.ask(ListTables())
        found = []
        for each in tables:
            person = self._visitors.person(each.by)
            found.append(
                msgspec.to_builtins(each) | {"by": person, "opener": names.get(person, "")}
            )
        return found

    async def _close(self, wanted: list[str]) -> str:
        chosen = await self._tables_named(wanted)
        await self._open().keeper.ask(CloseTables(tuple(chosen)))
        kept = " What was played is in the archive." if any(chosen.values()) else ""
        return f"Closed: {counted(len(chosen), 'table')}.{kept}"

    async def _tables_named(self, wanted: list[str]) -> dict[str, int]:
        """Return the moves played at tables, by their ids.

        Args:
            wanted: the first digits of tables' ids, or visitors, for all that they have opened.

        Raises:
            ValueError: there is no such table, or there are several.
        """
        tables = await self._tables()
        chosen: dict[str, int] = {}
        for text in wanted:
            found = [each for each in tables if text and each["id"].startswith(text.lower())]
            openers = self._visitors.alike(text)
            opened = [each for each in tables if each["by"] in openers and each not in found]
            if len(found) > 1 or (opened and (found or len(openers) > 1)):
                raise ValueError(
                    f"{quoted(text)} can mean several tables, by their ids or by who opened them, "
                    "so nothing is done: type more of an id"
                )
            if not (found or opened):
                raise ValueError(
                    f"there is no table {quoted(text)}, so nothing is done: "
                    "list all with 'thud club tables'"
                )
            chosen |= {each["id"]: each["moves"] for each in (*found, *opened)}
        return chosen

    async def _renew(self) -> list[str]:
        secret = await asyncio.to_thread(own_secret, anew=True)
        told = ["There is a new invitation."]
        if running := self._running:
            running.renew(secret)
            await running.keeper.ask(NewInvitation(secret))
            told += [_OPEN] if running.club.is_open else [_STAYING, _LINKS]
            told += running.invitation()
        else:
            told.append(_LINKS)
        return told


def memory_of(sessions: Collection[int]) -> dict[int, int]:
    """Return the memory of all processes of each process session, in bytes; Linux only.

    Memory that processes share counts in parts (PSS).
    """
    found: defaultdict[int, int] = defaultdict(int)
    for process in Path("/proc").glob("[1-9]*"):
        with suppress(OSError, ValueError, IndexError):
            session = int((process / "stat").read_text().rpartition(")")[2].split()[3])
            if session in sessions:
                rollup = (process / "smaps_rollup").read_text()
                found[session] += 1024 * int(rollup.partition("\nPss:")[2].split()[0])
    return found


# The socket


class _Hearing(Protocol):
    """Answers the owner."""

    async def answer(self, asked: OwnersWords) -> OwnersAnswer:
        """Return the answer to a request."""


@asynccontextmanager
async def owner_heard(directory: Path, owner: _Hearing) -> AsyncIterator[None]:
    """Context manager: hear the owner of the club with a directory, which must be locked.

    Where no socket can be made, the log says so, and the club runs all the same.
    """

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError, TimeoutError):
            async with asyncio.timeout(_SECONDS):
                if is_trusted(writer.get_extra_info("socket")):
                    asked = msgspec.json.decode(await reader.readline(), type=OwnersWords)
                    writer.write(msgspec.json.encode(await owner.answer(asked)) + b"\n")
                    await writer.drain()
        writer.close()

    path = directory / CONTROL
    try:
        path.unlink(missing_ok=True)
        listening = sockets.bound(path)
        path.chmod(0o600)
        server = await asyncio.start_unix_server(hear, sock=listening, limit=_LONGEST)
    except (OSError, ValueError) as fault:
        tell_owner(f"'thud club' cannot reach this club: {why(fault)}")
        yield
        return
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def is_trusted(client: Any) -> bool:
    """Whether a connection comes from this user, or from root."""
    return user_of(client) in (None, 0, os.geteuid())  # None: the directory lets nobody else in


def ask_running(path: Path, asked: OwnersWords) -> OwnersAnswer:
    """Ask the club whose socket is at a path.

    Raises:
        OSError: nobody answers there.
        ValueError: the answer is not understood.
    """
    with sockets.connected(path, _SECONDS) as connection:
        connection.sendall(msgspec.json.encode(asked) + b"\n")
        with connection.makefile("rb") as answers:
            line = answers.readline(LONGEST_ANSWER)
    if not line:
        raise ValueError("the club does not answer: it may be about to close")
    return msgspec.json.decode(line, type=OwnersAnswer)
