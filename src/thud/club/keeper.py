"""The keeper of a club's tables: `python -P -m thud.club.keeper`, one process for all of them.

Each table is a match of two guests, hosted on a local socket like any other match and saved in a
file.  The opener is a guest too, so a table outlives everybody's visits.  A second socket sends
visitors' processes the list of tables and visitors, and takes their requests.

Clocks run while players are away.  If the keeper is killed, the time used of the current turn
follows from when the match was last saved and from a heartbeat file touched every second: a clock
in minutes stops while the club is closed, one in days runs on for up to a day.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from thud.club.doors import LOG_TIME, OPEN_FLAG, OURS
from thud.club.forgetting import NOTE, name_instead
from thud.club.hook import HOOK_FILE, Hook, Reminders, hook_in, post
from thud.club.house import HOUSE_SECONDS, HouseComputer, HousePlayer
from thud.club.keeping import (
    CloseTables,
    HideTables,
    KeepersAnswer,
    KeptTable,
    ListTables,
    NewInvitation,
    Numbered,
    OwnersRequest,
    RenameVisitor,
)
from thud.club.names import name_for, who_is
from thud.club.past import PastMatches, Ratings, all_seats
from thud.club.season_tables import SeasonTables
from thud.club.seating import begun_between, make_table
from thud.club.seeks import SEEK_SECONDS, Seek, Seeks, clock_of
from thud.club.settings import SETTINGS_FILE, ClubSettings, settings_in
from thud.club.storage import (
    MOST_KNOWN,
    Linking,
    TableNotes,
    Visitors,
    club_directory,
    link_secret,
    new_word,
    notes_path,
    own_secret,
    proof_key,
    read_notes,
    visitor_proof,
)
from thud.club.tidying import DAY, archive, is_clock_steady
from thud.disk.lock import Lock, Locked
from thud.disk.small import read_small, write_small
from thud.engines.program import Program
from thud.engines.spec import GUEST, parse_contender
from thud.net.host_connection import Tokens
from thud.net.hosting import Hosting, opened
from thud.net.seat_registry import (
    ANY,
    CLAIM_AFTER,
    LINK_SECONDS,
    PURPOSES,
    Link,
    SeatRegistry,
    Terms,
    hosted,
    kept_for,
    owner_of,
)
from thud.net.token_bucket import RequestThrottle, TokenBucket
from thud.net.transports import sockets
from thud.net.transports.auth_throttle import Attempt
from thud.net.transports.listener import Acceptor
from thud.net.transports.local import place_of_matches
from thud.net.transports.permissions import made_private
from thud.records.store import SUFFIX, CannotResume, Saved, Store, is_id
from thud.rules.clock import parse_control
from thud.rules.match import DEFAULT_PLAYERS, Match, starts_at
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import Event, Said
from thud.session.participants import MOST_SAID, MUTED, SHOW
from thud.session.session import Session
from thud.session.state import Turn, Whose
from thud.settings.last_choices import HANDICAPS
from thud.terminal.signals import ending
from thud.text import joined, why, why_at
from thud.visitor.look_up import FindMatches, FindPlayers, Hide, ReadMatches, SeePlayer
from thud.visitor.profile import VisitorProfile, clean, is_given
from thud.visitor.season import JoinSeason, SeeSeason
from thud.visitor.seek import MakeSeek, TakeSeek, WithdrawSeek
from thud.visitor.tables import (
    LONGEST,
    SOCKET,
    AddDevice,
    Answer,
    CarriedOut,
    ChangeLinks,
    CloseTable,
    ClubState,
    Enter,
    LinkDevice,
    ListedTable,
    NotDone,
    OpenTable,
    PlayUnrated,
    Present,
    Remind,
    Request,
    TableLink,
    TakeName,
    link_of,
    split_link,
)

_log: Final = logging.getLogger(__name__)

_FROM_VISITOR: Final = msgspec.json.Decoder(Enter | Request)

MOST_TABLES: Final = 200
"""Most tables; a finished or unused one makes room for a new one."""

MOST_EACH: Final = 20
"""Most unfinished tables of one opener."""

MOST_NEW: Final = 3
"""Most unfinished tables of a newcomer in an open club, who has not played yet."""

MOST_OF_NETWORK: Final = 40
"""Most unfinished tables opened from one network elsewhere, in an open club."""

OVER_DAYS: Final = 30
"""Days until a finished match is archived: its players can see the result."""

UNUSED_DAYS: Final = 7
"""Days until a table without a move is archived."""

LONG_AWAY_DAYS: Final = 7
"""Days away after which the opponent may claim, at a table without a clock."""

LEFT_DAYS: Final = 180
"""Days without a move until a match is archived."""

MOST_LINKS: Final = 50
"""Most links to a table; one more replaces the oldest."""

_MOST_LINES: Final = 200
_A_SECOND: Final = 5.0
_AT_ONCE: Final = 20
"""Rate limit of a visitor's requests: refill a second, and burst."""

REMIND_SECONDS: Final = 60.0
"""Seconds between two looks for players who are away and to be told; doubled by each failure."""

HOUSE_NICENESS: Final = 10
"""Niceness of the house player's computer above the keeper's."""

GUEST_LOOK: Final = 30.0
"""Seconds between two looks for tables of guests who are gone."""

UNKNOWN: Final = "you can chat once you have played here"
"""Why a newcomer of an open club cannot chat."""

SEEKS_AT_ONCE: Final = 6
"""Burst of offers that one visitor may make: others are told of each."""

SEEKS_A_SECOND: Final = 1 / 600
"""Refill a second."""

_SETTLES: Final = 0.05
"""Debounce: seconds in which changes are gathered before they are sent."""

_AGAIN: Final = 1.0
"""Seconds until a failed table is reopened."""


class HostedTable:
    """An open table.

    Args:
        hosting: the hosted match.
        notes: who opened it, for whom, and its links.

    Attributes:
        state: the match at the table.
        match: the id of the match saved last.
        unread: how many messages each player has not seen.
        house: the house player there, if any.
        waits_since: since when somebody has waited for another player, by the monotonic clock.
    """

    def __init__(self, hosting: Hosting, notes: TableNotes) -> None:
        self.hosting = hosting
        self.notes = notes
        self.session = hosting.host.session
        self.state = self.session.state
        self.registry = hosting.host.registry
        self.id = self.registry.id
        self.match = self.session.autosave.id
        self.registry.links = notes.links
        self.unread = [*notes.unread]
        self.house: HousePlayer | None = None
        self.waits_since: float | None = None

    @property
    def arranged(self) -> bool:
        """Whether it is a table of a season, which the club opens and closes."""
        return self.registry.terms.arranged

    @property
    def people(self) -> frozenset[int]:
        """The players who are there, but no house player."""
        house = self.house and self.registry.seats[self.house.player].lent
        lent = {self.house.player} if self.house and house else set()
        return frozenset(self.state.participants.connected - lent)

    @property
    def awaits_house(self) -> int | None:
        """Whose seat the house player could take; None if it is not wanted, or not yet."""
        free = [player for player, seat in self.registry.seats.items() if not seat.owner]
        if not (self.notes.house and len(free) == 1 and self.people) or self.state.match.over:
            self.waits_since = None
            return None
        now = time.monotonic()
        self.waits_since = self.waits_since or now
        return free[0] if now - self.waits_since >= HOUSE_SECONDS else None

    def player_of(self, tokens: Mapping[str, str]) -> int | None:
        """Return which player somebody with some seat tokens is here."""
        return self.registry.owned(tokens.get(self.id, ""))

    def hear(self, event: Event) -> None:
        """Count the messages that a player has not seen, until they are there."""
        if isinstance(event, Said) and (other := 1 - event.player) not in self.people:
            self.unread[other] = min(self.unread[other] + 1, MOST_SAID)
        for player in self.people:
            self.unread[player] = 0

    def described(
        self, visitor: VisitorLine, ratings: Ratings, seated: Mapping[str, str]
    ) -> ListedTable | None:
        """Return the table as a visitor sees it; None if it is hidden from them.

        Args:
            visitor: the visitor.
            ratings: the ratings of the club's players.
            seated: the players by what is kept of the tokens of their seats.
        """
        state, word = self.state, self.registry.terms.word
        mine = self.player_of(visitor.tokens)
        own, offered = visitor.id == self.notes.by, visitor.id == self.notes.offered_to
        inside = own or offered or mine is not None
        name, linked_by = visitor.link
        link = self.registry.link(linked_by) if name == self.id else None
        if word and not (inside or link):
            return None
        over, control = state.match.over, state.match.control
        listed = self.hosting.listed
        first, second = (
            ratings.shown(seated.get(seat.owner, ""), listed.about.variant, visitor.id)
            for _, seat in sorted(self.registry.seats.items())
        )
        return ListedTable(
            listed.id,
            listed.about.variant,
            listed.about.players,
            listed.about.wanted,
            turn=None if over else self._awaited,
            mine=mine,
            clock=str(control) if control else "",
            over=over,
            offered=offered and mine is None,
            own=own,
            word=word if inside else link.word if link else "",
            purpose=link.purpose if link else "",
            unrated=self.notes.unrated,
            begun=self.begun,
            season=self.arranged,
            here=len(self.people) + len(state.participants.spectators),
            unread=0 if mine is None else self.unread[mine],
            ratings=(first, second),
        )

    def turn_of(self, tokens: Mapping[str, str]) -> str:
        """Return a text for the turn of the player with some tokens, empty if it is not theirs.

        It is empty, too, while they look at the board.
        """
        state, player = self.state, self.player_of(tokens)
        at_board = player in state.participants.connected
        if player is None or state.match.over or at_board or player != self._awaited:
            return ""
        return f"{self.session.autosave.id} {state.match.number} {state.battle.played}"

    @property
    def _awaited(self) -> int:
        """The player to move, to answer a proposal, or to begin the second battle."""
        state = self.state
        match state.turn:
            case _ if state.proposal:
                side = state.proposal.by.other
            case Turn(Whose.OVER):
                side = Side.TROLLS
            case Turn(_, side):
                pass
        return state.match.commander(side)

    @property
    def begun(self) -> bool:
        """Whether a move has been played."""
        return any(battle.played for battle in self.state.match.battles)

    @property
    def expendable(self) -> bool:
        """Whether the table may be closed to make room: finished, or without a move."""
        return self.state.match.over or not (self.begun or self.arranged)

    @property
    def kept(self) -> KeptTable:
        """The table in the owner's list."""
        match, free = self.state.match, self.state.participants.free
        first, second = ("" if at in free else name for at, name in enumerate(match.players))
        return KeptTable(
            self.id,
            match.variant.name,
            (first, second),
            self.notes.by,
            moves=sum(battle.played for battle in match.battles),
            here=len(self.people),
            private=bool(self.registry.terms.word),
            over=match.over,
            idle=self.idle_days * DAY,
            season=self.arranged,
        )

    @property
    def idle_days(self) -> float:
        """Days since the match was last saved."""
        store = self.session.autosave.store
        assert store
        with suppress(OSError):
            saved = store.matches / f"{self.session.autosave.id}{SUFFIX}"
            return (time.time() - saved.stat().st_mtime) / DAY
        return 0.0

    @property
    def expired(self) -> bool:
        """Whether nobody is here and the table has been idle for too long."""
        played = self.begun or self.arranged
        most = OVER_DAYS if self.state.match.over else LEFT_DAYS if played else UNUSED_DAYS
        return not self.people and self.idle_days > most


class VisitorLine:
    """The connection of one visitor's process to the keeper.

    Attributes:
        writer: the connection.
        id: the visitor's id.
        name: the visitor's name.
        renamed: what the owner has called them since they came in.
        tokens: their seat tokens, by table id.
        link: id and word of the table in the link they followed.
        has_played: whether they are known to have played here.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.id = ""
        self.name = self.renamed = ""
        self.tokens: Mapping[str, str] = {}
        self.link = ("", "")
        self.has_played = False
        self._sent = b""

    @property
    def named(self) -> str:
        """The visitor's name and id, for the log."""
        return who_is(self.name, self.id)

    def send(self, message: ClubState | Answer | NotDone) -> None:
        """Send an answer, or the club's state unless it is unchanged since last time.

        The connection of a process that does not read is aborted.  To one that has ended nothing is
        sent: asyncio logs each attempt.
        """
        if self.writer.is_closing():
            return
        line = msgspec.json.encode(message) + b"\n"
        if isinstance(message, ClubState):
            if line == self._sent:
                return
            self._sent = line
        if self.writer.transport.get_write_buffer_size() > LONGEST:
            self.writer.transport.abort()
        else:
            self.writer.write(line)


class Keeper:
    """Hosts a club's tables while `run` runs.

    Args:
        directory: holds the tables' files; the club's web hook is beside it.
        visitors: all known visitors, for linking devices.
        secret: the invitation's, for links to the tables; empty for links without a secret.
        proof_key: by which visitors of an open club prove who they are.
        is_open: whether strangers come in without the invitation.

    Attributes:
        tables: the open tables by their ids.
    """

    def __init__(
        self,
        directory: Path,
        visitors: Visitors,
        secret: str = "",
        proof_key: str = "",
        *,
        is_open: bool = False,
    ) -> None:
        self._directory = directory
        self._secret = secret
        self._proof_key = proof_key
        self._is_open = is_open
        self._store = Store(directory)
        self._known = visitors
        self._visitors_directory = visitors.directory
        self._linking = Linking(visitors)
        self.tables: dict[str, HostedTable] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._houses: dict[str, asyncio.Task[None]] = {}
        self._computer = HouseComputer()
        self._visitors: set[VisitorLine] = set()
        self._changed = asyncio.Event()
        self._mutes = visitors.mutes
        self._muted = frozenset[str]()
        self._hook: Hook | None = None
        self._reminders = Reminders(directory / "reminders.json")
        self._past = PastMatches(directory, visitors, self._changed.set)
        self._seeks = Seeks(directory.parent, visitors)
        self._seek_rate = RequestThrottle(SEEKS_A_SECOND, SEEKS_AT_ONCE)
        self._seated: dict[str, str] = {}
        """The visitors by what is kept of the tokens of their seats."""
        self._season = SeasonTables(
            directory, visitors, self.tables, self._open_arranged, self._changed.set
        )
        self._alive = directory / "alive"
        self._opening, self._inviting = asyncio.Lock(), asyncio.Lock()
        self._naming = asyncio.Lock()

    async def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Reopen all saved tables and serve visitors until cancelled.

        Raises:
            Locked: another keeper has the tables.
            ValueError: the sockets cannot be opened.
            OSError: the same, or the tables cannot be read.
        """
        lock = await _locked(made_private(self._directory) / ".lock")
        try:
            path = await asyncio.to_thread(place_of_matches) / SOCKET
            listening = await asyncio.to_thread(_listening, path)
            await self._reopen()
            seats = await asyncio.to_thread(all_seats, self._known)
            open_ = self.tables.values()
            here = {seat.owner for each in open_ for seat in each.registry.seats.values()}
            self._seated = {owner: seats[owner] for owner in here & seats.keys()}
            await asyncio.to_thread(self._seeks.look)
            for taken in self._seeks.taken:
                with suppress(OSError, ValueError):
                    await self._begin_taken(taken)
            acceptor = Acceptor(listening, self._serve, None, _MOST_LINES)
            ready()
            try:
                async with asyncio.TaskGroup() as group:
                    for each in (
                        self._broadcast(),
                        self._heartbeat(),
                        self._tidy(),
                        self._remind(),
                        self._past.run(),
                        self._season.run(),
                        self._follow_guests(),
                    ):
                        group.create_task(each)
            finally:
                path.unlink(missing_ok=True)
                await acceptor.close()
                await asyncio.gather(*(self._close(each) for each in [*self.tables.values()]))
                await self._computer.close()
                # Without the heartbeat file, clocks in minutes stop here.
                self._alive.unlink(missing_ok=True)
        finally:
            lock.release()

    # Tables

    async def _reopen(self) -> None:
        """Reopen every saved table with its latest match."""
        alive = _modified(self._alive)
        await asyncio.to_thread(adopt, self._visitors_directory, self._directory)
        for name in await asyncio.to_thread(_by_age, self._store.matches):
            registry = hosted(self._store.matches, name)
            if registry is None or registry.id in self.tables:
                # Another match followed it at the same table.
                await self._put_away(name)
                continue
            try:
                await self._resume(name, registry.terms, alive)
            except (CannotResume, ValueError, OSError) as fault:
                _log.warning("table %s cannot be opened: %s", name, why_at(fault))
        self._alive.touch()

    async def _resume(self, name: str, terms: Terms, alive: float) -> None:
        saved = await asyncio.to_thread(self._store.take, name)
        kept_at = _modified(saved.path)
        try:
            match = await asyncio.to_thread(saved.record.match)
        except BaseException:
            saved.close(keep_empty=True)
            raise
        table = await self._open(match, terms, saved=saved)
        session, state = table.session, table.state
        state.participants.expect(*(at for at, seat in table.registry.seats.items() if seat.owner))
        session.timekeeper.sync()
        if (clock := state.clock) and clock.running:
            unknown = (time.time() if clock.control.days else alive) - kept_at
            # It was saved an hour before the end at the latest, so if this is more than a day, the
            # club was closed for long, or the system's clock is or was wrong.
            counted = round(unknown * 1000) if 0 < unknown < DAY else 0
            clock.adopt(clock.times._replace(used=clock.times.used + counted))
            session.timekeeper.sync()
            if session.timekeeper.store_time_used():
                # Else the same time would be counted again if this keeper is killed too.
                await session.autosave.keep(session.record)

    async def _open(
        self,
        match: Match,
        terms: Terms,
        notes: TableNotes | None = None,
        saved: Saved | None = None,
    ) -> HostedTable:
        """Open a table and start its task."""
        guest = parse_contender(GUEST)
        autosave = Autosave(self._store, saved, keep_empty=True, report_every_failure=True)
        session = Session(match, autosave, (guest, guest))
        try:
            hosting = await opened(session, terms, invites=False)
            if not saved and (complaint := await session.autosave.keep(session.record)):
                raise ValueError(complaint)
        except BaseException:
            await session.leave()
            raise
        name = hosting.host.id
        if notes is None:
            notes = await asyncio.to_thread(read_notes, self._directory, name)
        else:
            await self._keep_notes(name, notes)
        table = self.tables[name] = HostedTable(hosting, notes)
        session.subscribe(lambda event: self._follow(table, event))
        self._follow(table)
        self._running[name] = asyncio.create_task(self._keep_running(table))
        self._changed.set()
        return table

    async def _open_arranged(
        self,
        name: str,
        terms: Terms,
        people: Collection[str],
        make: Callable[[], object] = lambda: None,
    ) -> None:
        """Open a table from its saved match, for those whose seats it has.

        Args:
            name: the match's id.
            terms: the table's.
            people: the players' ids.
            make: makes the files, once there is room for the table.

        Raises:
            ValueError: no table can make room, or the match cannot be made or opened.
            OSError: it cannot be made.
        """
        async with self._opening:
            await self._make_room()
            await asyncio.to_thread(make)
            await self._resume(name, terms, time.time())
        for person in people:
            tokens = await asyncio.to_thread(Tokens(self._visitors_directory / person).all)
            self._note_seats(person, tokens)
            for each in [each for each in self._visitors if each.id == person]:
                each.tokens = tokens
        self._changed.set()

    def _follow(self, table: HostedTable, event: Event | None = None) -> None:
        """Note that a table has changed, whose match may be over."""
        if event:
            table.hear(event)
        saved, match, unrated = table.session.autosave.id, table.state.match, table.notes.unrated
        self._past.note(saved, match, table.registry, unrated=unrated)
        self._season.watch(table)
        self._changed.set()

    async def _keep_running(self, table: HostedTable) -> None:
        """Run a table until it is closed; after an error reopen it from its file."""
        session = table.session
        try:
            await session.begin()
            await session.run()
        except asyncio.CancelledError:
            await session.leave()
            raise
        except Exception:
            _log.exception("table %s has failed", table.id)
            name = session.autosave.id
            del self.tables[table.id]
            if seated := self._houses.pop(table.id, None):
                seated.cancel()
            await session.leave()
            await asyncio.sleep(_AGAIN)
            try:
                await self._resume(name, table.registry.terms, time.time())
            except (CannotResume, ValueError, OSError) as fault:
                _log.warning("table %s cannot be opened: %s", name, why_at(fault))

    async def _close(self, table: HostedTable) -> bool:
        """Close a table; its files stay. Return False if somebody else closes it already."""
        if (running := self._running.pop(table.id, None)) is None:
            return False
        if seated := self._houses.pop(table.id, None):
            seated.cancel()
            await asyncio.gather(seated, return_exceptions=True)
        self.tables.pop(table.id, None)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        self._changed.set()
        return True

    async def _put_away(self, match: str, table: str = "") -> None:
        """Move a match to the archive; if that fails, it is tried again after a restart."""
        try:
            most = await asyncio.to_thread(self._most_archived)
            gone = await asyncio.to_thread(archive, self._directory, match, table, most)
            self._past.drop(gone)
        except (OSError, ValueError) as fault:
            _log.warning("match %s cannot be archived: %s", match, why_at(fault))

    def _most_archived(self) -> int:
        try:
            return settings_in(self._directory.with_name(SETTINGS_FILE)).archive
        except ValueError as refusal:
            _log.warning("%s is not used: %s", SETTINGS_FILE, refusal)
            return ClubSettings().archive

    async def _remove(self, table: HostedTable, because: str = "") -> None:
        """Close a table for good; whatever was played there goes to the archive.

        Args:
            table: the table.
            because: what to tell those who are there.
        """
        if because:
            await table.hosting.host.close(because, again=False)
        if not await self._close(table):
            return
        name = table.session.autosave.id
        if table.begun:
            await self._put_away(name, table.id)
        else:
            with suppress(CannotResume):
                await asyncio.to_thread(self._store.discard, name)
            kept_for(self._store.matches, name).unlink(missing_ok=True)
            notes_path(self._directory, table.id).unlink(missing_ok=True)

    async def _keep_notes(self, table: str, notes: TableNotes) -> None:
        path = notes_path(self._directory, table)
        await asyncio.to_thread(write_small, path, notes._asdict(), private=True)

    async def _tidy(self) -> None:
        """Every hour: save running clocks; archive expired tables, if the time can be trusted."""
        while True:
            for table in [each for each in self.tables.values() if each.state.clock_runs]:
                await table.session.save_time_used()
            steady = await asyncio.to_thread(is_clock_steady, self._directory / "clock")
            for table in [*self.tables.values()] if steady else []:
                if table.expired and await self._close(table):
                    await self._put_away(table.session.autosave.id, table.id)
            await asyncio.sleep(3600)

    async def _heartbeat(self) -> None:
        """Every second: touch the heartbeat file, look who is muted or banned, archive matches."""
        while True:
            if (muted := await asyncio.to_thread(self._mutes.held)) != self._muted:
                for each in muted ^ self._muted:
                    what = "is muted" if each in muted else "can chat again"
                    _log.info("Somebody (%s) %s.", each[:8], what)
                self._muted = muted
                self._changed.set()
            banned = await asyncio.to_thread(self._known.bans.held, math.inf)
            for table in [*self.tables.values()] if banned else []:
                if self._known.person(table.notes.by) in banned and not table.state.match.over:
                    await self._close_for_owner(table)
            sessions = [each.session for each in self.tables.values()]
            if any(each.state.clock and each.state.clock_runs for each in sessions):
                with suppress(OSError):
                    self._alive.touch()
            for table in [*self.tables.values()]:
                table.hosting.host.showing.end_revoked()
                await self._seat_house(table)
                await self._keep_unread(table)
                if (saved := table.session.autosave.id) not in ("", table.match):
                    before, table.match = table.match, saved
                    await self._put_away(before)
            with suppress(OSError, ValueError):
                await self._forget_at_tables()
            with suppress(OSError):
                if await asyncio.to_thread(self._seeks.look, banned):
                    self._changed.set()
            await asyncio.sleep(1)

    def _note_seats(self, person: str, tokens: Mapping[str, str]) -> None:
        """Note whose seats somebody's tokens are; a token that owns none leaves nothing."""
        for name, token in tokens.items():
            if (table := self.tables.get(name)) and table.registry.owned(token) is not None:
                self._seated[owner_of(token)] = person

    async def _keep_unread(self, table: HostedTable) -> None:
        """Save how many messages the players have not seen, if that has changed."""
        async with self._inviting:
            first, second = table.unread
            if table.notes.unread != (first, second):
                table.notes = table.notes._replace(unread=(first, second))
                with suppress(OSError):
                    await self._keep_notes(table.id, table.notes)

    async def _forget_at_tables(self) -> None:
        """Forget at the open tables whom the owner has just forgotten; delete the note of them."""
        path = self._directory / NOTE
        if not await asyncio.to_thread(path.exists):
            return
        note = await asyncio.to_thread(read_small, path, 1 << 20)
        for name, players in note.get("seats", {}).items():
            if table := self.tables.get(name):
                table.state.participants.said.clear()
                table.registry.said = ()
                kept_at = kept_for(self._store.matches, table.session.autosave.id)
                await asyncio.to_thread(table.registry.keep, kept_at)
                for player in players:
                    names = table.state.match.players
                    await table.hosting.host.rename(player, name_instead(names[1 - player]))
        for each in note.get("ids", []):
            self._reminders.switch(each, False)
        await asyncio.to_thread(path.unlink, missing_ok=True)

    async def _seat_house(self, table: HostedTable) -> None:
        """Let the house player sit down where somebody has waited long enough.

        A match that it has played in is not rated, whoever takes its seat.
        """
        async with self._inviting:
            if (player := table.awaits_house) is None:
                return
            table.notes = table.notes._replace(unrated=True)
            with suppress(OSError):
                await self._keep_notes(table.id, table.notes)
        table.house = HousePlayer(table.hosting.host, player, self._computer)
        self._houses[table.id] = asyncio.create_task(table.house.run())
        _log.info("the house player sits down at table %s.", table.id)

    # The owner

    async def serve_owner(self, request: OwnersRequest) -> tuple[KeptTable, ...]:
        """Do what the club's owner asks for; return the tables that they asked for."""
        match request:
            case ListTables():
                tables = tuple(each.kept for each in self.tables.values())
                return tables + tuple(map(_kept_seek, self._seeks.all))
            case CloseTables(names):
                await asyncio.to_thread(self._seeks.drop, names)
                self._changed.set()
                for table in [self.tables[each] for each in names if each in self.tables]:
                    await self._close_for_owner(table)
            case HideTables(names):
                for table in [self.tables[each] for each in names if each in self.tables]:
                    await self._hide(table)
            case RenameVisitor(visitor, name):
                await self._rename(visitor, name)
            case NewInvitation(secret):
                self._secret = secret
        return ()

    async def _close_for_owner(self, table: HostedTable) -> None:
        kept = "; the match is kept" if table.begun else ""
        await self._remove(table, f"whoever runs the club has closed this table{kept}")
        _log.info("table %s is closed for the owner.", table.id)

    async def _hide(self, table: HostedTable) -> None:
        async with self._inviting:
            await self._keep_links(table, [e for e in table.notes.links if e.purpose != SHOW])
        _log.info("links show table %s no longer, says the owner.", table.id)

    async def _rename(self, visitor: str, name: str) -> None:
        """Call a visitor something else, where they are and at their tables."""
        async with self._naming:
            for each in self._visitors:
                if each.id == visitor:
                    each.name = each.renamed = name
        tokens = await asyncio.to_thread(Tokens(self._visitors_directory / visitor).all)
        for table in [*self.tables.values()]:
            if (player := table.player_of(tokens)) is not None:
                with suppress(ValueError):  # the opponent is called that
                    await table.hosting.host.rename(player, name)
        self._changed.set()

    # Strangers

    async def _follow_guests(self) -> None:
        """In an open club, close the tables of guests who are gone for good."""
        while self._is_open:
            for table in [*self.tables.values()]:
                if self._is_gone(table.notes.by) and not table.people:
                    await self._remove(table)
            await asyncio.sleep(GUEST_LOOK)

    def _is_gone(self, visitor: str) -> bool:
        """Whether a visitor is forgotten, also as somebody they were linked to."""
        return not (self._visitors_directory / self._known.person(visitor)).is_dir()

    def _why_muted(self, visitor: VisitorLine) -> str:
        """Return why a visitor may not chat: the owner says so, or they are new and unknown."""
        if visitor.id in self._muted:
            return MUTED
        known = not (self._is_open and is_given(visitor.name)) or self._has_played(visitor)
        return "" if known else UNKNOWN

    def _has_played(self, visitor: VisitorLine) -> bool:
        """Whether a visitor sits or has sat at a table where moves were played."""
        if not visitor.has_played:
            begun = (each for each in self.tables.values() if each.begun)
            visitor.has_played = any(each.player_of(visitor.tokens) is not None for each in begun)
        return visitor.has_played

    # Players who are away

    async def _remind(self) -> None:
        """Tell players who are away where it is their turn; after failures, less often."""
        pause, wrong_before = REMIND_SECONDS, ""
        while True:
            hook, wrong = None, ""
            try:
                hook = await asyncio.to_thread(hook_in, self._directory.with_name(HOOK_FILE))
            except ValueError as refusal:
                wrong = str(refusal)
            if wrong not in ("", wrong_before):
                _log.warning("%s is not used: %s", HOOK_FILE, wrong)
            wrong_before = wrong
            if hook != self._hook:
                self._hook = hook
                self._changed.set()
            fault = await self._tell_absent(hook) if hook else ""
            if fault:
                _log.warning("the web hook fails: %s", fault)
            pause = min(2 * pause, 3600) if fault else REMIND_SECONDS
            await asyncio.sleep(pause)

    async def _tell_absent(self, hook: Hook) -> str:
        """Tell all whose turn it is and who have not been told; return why the hook failed."""
        present = {each.id for each in self._visitors}
        for visitor in self._reminders.wanted_by:
            directory = self._visitors_directory / visitor
            if visitor in present or not directory.is_dir():
                continue
            tokens = await asyncio.to_thread(Tokens(directory).all)
            turns = {
                name: turn for name, each in self.tables.items() if (turn := each.turn_of(tokens))
            }
            if not self._reminders.due(visitor, turns, time.time(), hook.hours):
                continue
            against = []
            for table in [self.tables[each] for each in turns]:
                match, player = table.state.match, table.player_of(tokens)
                against.append(f"{match.players[1 - (player or 0)]} ({match.variant.title})")
            name = (await asyncio.to_thread(VisitorProfile, directory)).proposed
            message = f"{name}: it is your turn against {joined(against)}. {hook.link}".strip()
            if fault := await post(hook, message):
                return fault
            with suppress(OSError):
                self._reminders.note(visitor, turns, time.time())
        return ""

    # Visitors

    async def _serve(self, client: socket.socket, _: Attempt) -> None:
        reader, writer = await asyncio.open_connection(sock=client, limit=1 << 16)
        visitor, pace = VisitorLine(writer), TokenBucket(_A_SECOND, _AT_ONCE)
        self._visitors.add(visitor)
        try:
            while line := await reader.readline():
                try:
                    message = _FROM_VISITOR.decode(line)
                except msgspec.ValidationError:
                    visitor.send(NotDone("that is not understood"))
                else:
                    if answer := await self._answer(visitor, message):
                        visitor.send(answer)
                await pace.wait()
        except (OSError, ValueError, RecursionError) as fault:
            _log.debug("a visitor's line has ended: %s", fault)
        finally:
            self._visitors.discard(visitor)
            writer.transport.abort()
            self._changed.set()

    async def _answer(  # noqa: PLR0911, PLR0912 - a branch for each
        self, visitor: VisitorLine, message: Enter | Request
    ) -> Answer | NotDone | None:
        """Do what a visitor asks for; return the answer, None if there is none."""
        try:
            match message:
                case Enter(claimed, proof) if self._is_open and not hmac.compare_digest(
                    proof.encode(), visitor_proof(self._proof_key, claimed).encode()
                ):
                    raise ValueError("that is not who you are")
                case Enter():
                    visitor.id, visitor.name = message.visitor, clean(message.name)
                    visitor.tokens, visitor.link = message.tokens, split_link(message.link)
                    self._note_seats(visitor.id, visitor.tokens)
                    if message.strength and len(self._past.starts) < 2 * MOST_KNOWN:
                        self._past.starts[visitor.id] = message.strength
                    self._changed.set()
                    return None
                case _ if not visitor.id:
                    raise ValueError("say first who you are")
                case TakeName(name):
                    return await self._name(visitor, name)
                case OpenTable():
                    return await self._open_for(visitor, message)
                case CloseTable(name):
                    table = self.tables.get(name)
                    if table is None or table.notes.by != visitor.id:
                        raise ValueError("that table is not yours to close")
                    if not table.expendable:
                        raise ValueError("a match is being played at that table")
                    await self._remove(table)
                    _log.info("%s has closed table %s.", visitor.named, name)
                case PlayUnrated(name):
                    return await self._play_unrated(visitor, name)
                case AddDevice():
                    return CarriedOut(word=self._linking.word_for(visitor.id))
                case LinkDevice(word):
                    await asyncio.to_thread(self._linking.link, visitor.id, word)
                case ChangeLinks():
                    return await self._links_for(visitor, message)
                case FindMatches() | FindPlayers() | SeePlayer() | ReadMatches() | Hide():
                    here = {each.id for each in self._visitors}
                    return await self._past.answer(visitor.id, here, message)
                case SeeSeason() | JoinSeason():
                    return await self._season.answer(visitor.id, visitor.name, message)
                case MakeSeek():
                    return await self._make_seek(visitor, message)
                case TakeSeek(name):
                    return await self._take_seek(visitor, name)
                case WithdrawSeek(name):
                    if not await asyncio.to_thread(self._seeks.drop, [name], visitor.id):
                        raise ValueError("that offer is not yours to withdraw")
                    self._changed.set()
                case Remind(on):
                    if self._hook is None:
                        raise ValueError("this club has no way to tell you outside")
                    self._reminders.switch(visitor.id, on)
                    self._changed.set()
        except (OSError, ValueError) as fault:
            return NotDone(why(fault))
        return CarriedOut()

    async def _name(self, visitor: VisitorLine, wanted: str) -> CarriedOut:
        """Let a visitor take a name; their process saves it.

        Raises:
            ValueError: somebody else has it.
        """
        if await asyncio.to_thread(self._known.is_guest, visitor.id):
            raise ValueError(
                "guests have no name of their own: come with an ssh key, or in a browser"
            )
        async with self._naming:
            names = await asyncio.to_thread(self._known.names)
            # Those present may not have saved theirs yet.
            names |= {each.id: each.name for each in self._visitors if each.id}
            own = names.pop(visitor.id, "")
            visitor.name, visitor.renamed = name_for(wanted, own, names.values()), ""
        return CarriedOut(name=visitor.name)

    async def _open_for(self, visitor: VisitorLine, wanted: OpenTable) -> CarriedOut:
        """Open a table for a visitor; if there are too many, another one has to make room.

        Raises:
            ValueError: there is no such match, or no table can make room.
        """
        match, to = match_of(wanted), wanted.offered_to or ""
        if match.control is None:
            claim = round(LONG_AWAY_DAYS * DAY)
        else:  # with days for a move, the clock decides instead
            claim = 0 if match.control.days else CLAIM_AFTER
        if self._known.is_guest(visitor.id):
            claim = CLAIM_AFTER
        terms = Terms(word=new_word() if to or wanted.private else "", claim=claim)
        async with self._opening:
            await self._refuse_flood(visitor)
            await self._make_room()
            house = wanted.house and not terms.word
            links = (new_link(ANY, visitor.id),)
            notes = TableNotes(visitor.id, to, links, house=house)
            table = await self._open(match, terms, notes)
        _log.info("%s has opened table %s.", visitor.named, table.id)
        return CarriedOut(table.id, terms.word)

    async def _make_room(self) -> None:
        """Close a table that nobody needs, if there are too many.

        Raises:
            ValueError: there is none.
        """
        if len(self.tables) >= MOST_TABLES:
            empty = [each for each in self.tables.values() if each.expendable and not each.people]
            if not empty:
                raise ValueError(f"all {MOST_TABLES} tables of the club are taken: try again later")
            await self._remove(max(empty, key=lambda each: each.idle_days))

    async def _play_unrated(self, visitor: VisitorLine, name: str) -> CarriedOut:
        """Let what is played at a table not be rated, if one who sits there says so in time."""
        table = self.tables.get(name)
        if table is None or table.player_of(visitor.tokens) is None:
            raise ValueError("only those who sit at a table can say that")
        async with self._inviting:
            if table.begun:
                raise ValueError("the match has begun: say so before the first move")
            notes = table.notes._replace(unrated=True)
            await self._keep_notes(table.id, notes)
            table.notes = notes
            self._changed.set()
        return CarriedOut()

    # Standing offers

    async def _make_seek(self, visitor: VisitorLine, wanted: MakeSeek) -> CarriedOut:
        """Make a visitor's offer.

        Raises:
            ValueError: there is no such match, or there are too many tables or offers.
            OSError: it cannot be saved.
        """
        if await asyncio.to_thread(self._known.is_guest, visitor.id):
            raise ValueError("a guest's offer cannot stay: come with an ssh key, or in a browser")
        if self._is_open and not self._has_played(visitor):
            raise ValueError("newcomers cannot make offers: play at a table first")
        clock_of(wanted)
        async with self._opening:
            await self._refuse_flood(visitor)
            if not self._seek_rate.try_acquire(visitor.id):
                raise ValueError("so many offers at once: wait some minutes")
            made = await asyncio.to_thread(self._seeks.make, visitor.id, wanted)
        _log.info("%s has made offer %s.", visitor.named, made.id)
        self._changed.set()
        return CarriedOut(made.id)

    async def _take_seek(self, visitor: VisitorLine, name: str) -> CarriedOut:
        """Open the table of an offer that a visitor takes, for them and whoever made it.

        Raises:
            ValueError: they may not take it, or it is not there any longer.
            OSError: the table cannot be made.
        """
        if await asyncio.to_thread(self._known.is_guest, visitor.id):
            raise ValueError("guests cannot take offers: come with an ssh key, or in a browser")
        ratings = await self._past.fresh_ratings()

        def check(seek: Seek) -> None:
            if seek.even and not ratings.even(seek.variant, visitor.id, seek.by):
                raise ValueError("that offer is for players of about the same strength")

        async with self._opening:
            tables = [each for each in self.tables.values() if not each.state.match.over]
            seats = sum(each.player_of(visitor.tokens) is not None for each in tables)
            is_newcomer = self._is_open and not self._has_played(visitor)
            if seats >= (most := MOST_NEW if is_newcomer else MOST_EACH):
                raise ValueError(f"you sit at {most} tables: play there first")
            taken = await asyncio.to_thread(self._seeks.take, name, visitor.id, check)
        try:
            await self._begin_taken(taken)
        except (OSError, ValueError):
            if not self._store.version(taken.ids.match):  # else it is opened after a restart
                await asyncio.to_thread(self._seeks.give_back, name)
            raise
        _log.info("%s has taken offer %s: table %s.", visitor.named, name, taken.ids.table)
        return CarriedOut(taken.ids.table)

    async def _begin_taken(self, seek: Seek) -> None:
        """Open the table of an offer that was taken; its files may have been made before.

        Raises:
            ValueError: no table can make room, or the files cannot be made.
            OSError: the same.
        """
        people = [self._known.person(each) for each in (seek.by, seek.taker)]
        terms = Terms(claim=0 if seek.clock else round(LONG_AWAY_DAYS * DAY))

        def make() -> None:
            if self._store.version(seek.ids.match):
                return
            names = [VisitorProfile(self._visitors_directory / each).proposed for each in people]
            control = parse_control(seek.clock) if seek.clock else None
            match = begun_between(names, VARIANTS[seek.variant], control)
            notes = TableNotes(by=people[0])._asdict()
            write_small(notes_path(self._directory, seek.ids.table), notes, private=True)
            make_table(self._store, self._known, seek.ids, people=people, match=match, terms=terms)

        if seek.ids.table not in self.tables:
            await self._open_arranged(seek.ids.match, terms, people, make)
        await asyncio.to_thread(self._seeks.drop, [seek.id])
        self._changed.set()

    async def _refuse_flood(self, visitor: VisitorLine) -> None:
        """Refuse a visitor a table who has too many.

        Raises:
            ValueError: they have, or in an open club their network.
        """
        begun = [each for each in self.tables.values() if not each.state.match.over]
        own = sum(each.notes.by == visitor.id for each in begun)
        if self._is_open and own >= MOST_NEW and not self._has_played(visitor):
            raise ValueError(f"newcomers can have {MOST_NEW} open tables: play at one first")
        if own >= MOST_EACH:
            raise ValueError(f"you have {MOST_EACH} open tables: close one first")
        if self._is_open:
            openers = Counter(each.notes.by for each in begun if not each.arranged)
            there = await asyncio.to_thread(self._known.network_of, visitor.id)
            known = await asyncio.to_thread(
                lambda: {each: self._known.network_of(each) for each in openers}
            )
            from_there = sum(openers[each] for each, where in known.items() if where == there)
            if there not in OURS and from_there >= MOST_OF_NETWORK:
                raise ValueError(f"your network has {from_there} open tables: close some")

    async def _links_for(self, visitor: VisitorLine, change: ChangeLinks) -> CarriedOut:
        """Make or revoke a link of a visitor at a table; return all their links to it."""
        table = self.tables.get(change.table)
        invites = table and (
            table.notes.by == visitor.id or table.player_of(visitor.tokens) is not None
        )
        if table is None or not invites:
            raise ValueError("only those who sit at a table can invite others to it")
        async with self._inviting:
            links = [each for each in table.notes.links if each.alive]
            own = {(each.purpose, each.late): each for each in links if each.by == visitor.id}
            if change.make in PURPOSES:
                # One for each purpose: who asks for the same again gets the same, for longer.
                made = new_link(change.make, visitor.id, change.late)
                before = own.get((made.purpose, made.late), made)
                own[made.purpose, made.late] = before._replace(until=made.until)
            own = {each: link for each, link in own.items() if link.word != change.revoke}
            others = (each for each in links if each.by != visitor.id)
            if await self._keep_links(table, [*others, *own.values()][-MOST_LINKS:]):
                _log.info("%s has changed their links to table %s.", visitor.named, table.id)
        made_here = []
        for each in own.values():
            link = link_of(table.id, each.word)
            joins = self._secret and each.purpose != SHOW
            secret = link_secret(self._secret, link) if joins else ""
            made_here.append(TableLink(*each[:3], secret, each.late))
        return CarriedOut(links=tuple(made_here))

    async def _keep_links(self, table: HostedTable, links: Sequence[Link]) -> bool:
        """Use other links to a table from now on; say whether they are others.

        Raises:
            OSError: they cannot be saved.
        """
        notes = table.notes._replace(links=tuple(links))
        if notes == table.notes:
            return False
        await self._keep_notes(table.id, notes)
        table.notes, table.registry.links = notes, notes.links
        self._changed.set()
        return True

    async def _broadcast(self) -> None:
        """Send every visitor each change, debounced."""
        while await self._changed.wait():
            await asyncio.sleep(_SETTLES)
            self._changed.clear()
            named = sorted((each.id, each.name) for each in self._visitors if each.id and each.name)
            visitors = tuple(Present(*each) for each in dict(named).items())
            ratings = self._past.ratings
            for visitor in [each for each in self._visitors if each.id]:
                described = (
                    each.described(visitor, ratings, self._seated) for each in self.tables.values()
                )
                state = ClubState(
                    tuple(each for each in described if each),
                    visitors,
                    self._why_muted(visitor),
                    self._hook is not None,
                    visitor.id in self._reminders.wanted_by,
                    visitor.renamed,
                    self._season.seen_by(visitor.id),
                    tuple(self._seeks.seen_by(visitor.id, ratings)),
                )
                visitor.send(state)
                await asyncio.sleep(0)


def new_link(purpose: str, by: str, late: int = 0) -> Link:
    """Return a new link, for one of the `PURPOSES`, by the visitor with an id."""
    until = round(time.time() + LINK_SECONDS)
    return Link(new_word(), purpose, until, by, late if purpose == SHOW else 0)


def _kept_seek(seek: Seek) -> KeptTable:
    """Return an offer in the owner's list."""
    idle = max(0.0, time.time() - (seek.until - SEEK_SECONDS))
    return KeptTable(
        seek.id,
        seek.variant,
        ("", ""),
        seek.by,
        moves=0,
        here=0,
        private=False,
        over=False,
        idle=idle,
        offer=True,
    )


def match_of(wanted: OpenTable) -> Match:
    """Return the new match that a request asks for.

    Raises:
        ValueError: there is no such match.
    """
    variant = VARIANTS.get(wanted.variant)
    if variant is None:
        raise ValueError("there is no such game")
    handicap = HANDICAPS.get(wanted.handicap)
    starts = starts_at(variant, handicap) if handicap else (variant.start, variant.start)
    control = parse_control(wanted.clock) if wanted.clock else None
    return Match(variant, DEFAULT_PLAYERS, *starts, control=control)


def adopt(visitors: Path, directory: Path) -> None:
    """Take over unfinished tables that earlier versions saved with their opener's files.

    The opener, who used to be the host, gets a guest's seat.  What a visitor's process may have
    written there replaces nothing of another table's.
    """
    for kept in sorted(visitors.glob("*/hosted/*.json")):
        owner, name = kept.parents[1], kept.stem
        match = owner / "matches" / f"{name}{SUFFIX}"
        was = hosted(match.parent, name)
        if was is None or not match.is_file():
            continue
        with suppress(CannotResume, ValueError, OSError):
            if Store(owner).load(name).over:
                continue
            registry = SeatRegistry(range(2))
            registry.load(kept)
            goal, seats = directory / "matches" / match.name, kept_for(directory / "matches", name)
            notes = notes_path(directory, registry.id)
            if any(each.exists() for each in (goal, seats, notes)):
                continue
            for player in {0, 1} - {*was.players}:
                token = registry.seats[player].take()
                registry.seats[player].known = True
                Tokens(owner).keep(registry.id, token)
            registry.terms = was.terms._replace(neighbours=False, listen=None)
            registry.keep(seats)
            write_small(notes, {"by": owner.name}, private=True)
            goal.parent.mkdir(exist_ok=True)
            match.rename(goal)
            kept.unlink()


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _by_age(matches: Path) -> list[str]:
    """Return the ids of the matches in a directory, last saved first."""
    return [
        each.stem
        for each in sorted(matches.glob(f"*{SUFFIX}"), key=_modified, reverse=True)
        if is_id(each.stem)
    ]


def _listening(path: Path) -> Any:
    """Return a socket at a path, in place of one that a dead keeper has left there.

    Raises:
        ValueError: a keeper answers there.
        OSError: it cannot be made.
    """
    with suppress(FileNotFoundError, ConnectionRefusedError):
        sockets.connected(path).close()
        raise ValueError("another club answers there")
    path.unlink(missing_ok=True)
    return sockets.bound(path)


async def _locked(path: Path) -> Lock:
    """Acquire the lock of the tables, waiting for the previous keeper to release it."""
    for _ in range(100):
        with suppress(Locked):
            return Lock(path)
        await asyncio.sleep(0.1)
    return Lock(path)


def main() -> int:
    """Run the keeper until end of input or a signal; return the exit status."""
    logging.basicConfig(format="%(asctime)s  %(message)s", datefmt=LOG_TIME)
    for each in (_log, logging.getLogger("thud.club")):  # this module is `__main__` here
        each.setLevel(logging.INFO)
    Program.niceness = HOUSE_NICENESS
    try:
        asyncio.run(_until_told())
    except (Locked, OSError, ValueError) as fault:
        print(f"The tables cannot be saved: {why_at(fault)}", file=sys.stderr)
        return 1
    return 0


async def _until_told() -> None:
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    for each in ending():
        loop.add_signal_handler(each, over.set)
    directory = club_directory()
    visitors, is_open = Visitors(directory / "visitors"), OPEN_FLAG in sys.argv[1:]
    tables = directory / "tables"
    keeper = Keeper(tables, visitors, own_secret(), proof_key(), is_open=is_open)
    keeping = asyncio.create_task(keeper.run(lambda: print("open", flush=True)))
    others = [asyncio.create_task(each) for each in (over.wait(), _serve_input(keeper))]
    await asyncio.wait({keeping, *others}, return_when=asyncio.FIRST_COMPLETED)
    if not keeping.done():
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for task in (keeping, *others):
        if not task.cancelled():
            task.result()


async def _serve_input(keeper: Keeper) -> None:
    """Do what the club asks for on standard input, until that ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    pipe, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(0, "rb", closefd=False)
    )
    try:
        while line := await reader.readline():
            asked = msgspec.json.decode(line, type=Numbered)
            answer = KeepersAnswer(asked.number, await keeper.serve_owner(asked.request))
            print(msgspec.json.encode(answer).decode(), flush=True)
    finally:
        pipe.close()


if __name__ == "__main__":
    sys.exit(main())
