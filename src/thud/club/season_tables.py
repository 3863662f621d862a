"""The tables of a club's season: opened when they are due, their results taken down.

What is to be so is in `seasons.json` before it is done, and done again after a kill: a table's ids
are saved before its files, and the tokens of its seats before its match.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from thud.club.season import (
    SEASONS_FILE,
    SETTINGS_FILE,
    Season,
    SeasonMatch,
    Seasons,
    SeasonSettings,
    SeasonsFile,
    draw,
    due,
    follow,
    join,
    leave,
    names_in,
    note_of,
    page_of,
    settings_in,
    unite,
)
from thud.club.seating import TableIds, begun_between, make_table, new_ids
from thud.club.storage import Visitors
from thud.club.struct_file import stamp_of
from thud.net.seat_registry import Terms
from thud.records.store import CannotResume, Store
from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.session.cancellation import finished
from thud.session.law import NextBattle, Resign
from thud.session.session import Session
from thud.session.state import TableState
from thud.text import why, why_at
from thud.visitor.profile import VisitorProfile
from thud.visitor.season import (
    NO_SEASON,
    JoinSeason,
    SeasonNote,
    SeasonPage,
    SeeSeason,
    Tally,
)
from thud.visitor.tables import CarriedOut

_log: Final = logging.getLogger(__name__)

LOOKS_EVERY: Final = 1.0
"""Seconds between two looks for changes of the files."""

STEPS_EVERY: Final = 60.0
"""Seconds after which all is gone through, even if nothing is known to have changed."""

STEADY_SECONDS: Final = 600.0
"""Seconds for which the system's clock must have run without a jump before joining ends by it."""

_JUMP: Final = 60.0
"""Seconds by which the system's clock may run too fast or too slow between two looks."""

_AFTER_FAILURE: Final = 30.0
"""Seconds until all is tried again after something could not be saved."""

_ARRANGED: Final = Terms(claim=0, arranged=True)


class SeasonTable(Protocol):
    """What a season needs of an open table."""

    @property
    def session(self) -> Session:
        """The match played there."""

    @property
    def state(self) -> TableState:
        """The same as others see it."""

    @property
    def arranged(self) -> bool:
        """Whether it is a table of a season."""

    @property
    def people(self) -> frozenset[int]:
        """The players who are there."""


class SeasonTables:
    """A club's season at its tables.

    Args:
        directory: the keeper's; the season's files are beside it.
        visitors: all known visitors.
        tables: the open tables, by their ids.
        opened: opens a table from its saved match, for some visitors by their ids.
        changed: called when the season stands otherwise than before.

    Attributes:
        note: how the season stands, None if there is none.
    """

    def __init__(
        self,
        directory: Path,
        visitors: Visitors,
        tables: Mapping[str, SeasonTable],
        opened: Callable[[str, Terms, Collection[str]], Awaitable[None]],
        changed: Callable[[], object],
    ) -> None:
        self._store = Store(directory)
        self._archive = Store(directory / "archive")
        self._visitors = visitors
        self._tables = tables
        self._opened = opened
        self._changed = changed
        self._settings_path = directory.with_name(SETTINGS_FILE)
        self._settings: SeasonSettings | None = None
        self._written: object = None
        """What the settings were read from last."""
        self._wrong = ""
        self._file = SeasonsFile(directory.with_name(SEASONS_FILE))
        self._ends: dict[str, Tally | None] = {}
        """How matches have ended, by their ids, that is not saved yet; None if they go on."""
        self._noted = asyncio.Event()
        self._changing = asyncio.Lock()
        self._clock = time.time(), time.monotonic()
        self._steady_since = time.monotonic()
        self._failed = set[str]()
        self.note: SeasonNote | None = None
        self._players = frozenset[str]()
        self._load()

    # How it goes on

    def watch(self, table: SeasonTable) -> None:
        """Note how the match at a table stands, if it is one of a season."""
        known, match = self._known.get(table.session.autosave.id), table.state.match
        if known is None:
            return
        tally = match.tally if match.over else None
        if tally != self._ends.get(known.match, known.tally):
            self._ends[known.match] = tally
            self._noted.set()

    async def run(self) -> None:
        """Follow the owner's file, the time and the tables."""
        stepped, pause = float("-inf"), LOOKS_EVERY
        while True:
            await self._begin_second_battles()
            due_now = self._noted.is_set() or time.monotonic() - stepped >= STEPS_EVERY
            if await asyncio.to_thread(self._look) or due_now:
                self._noted.clear()
                stepped, pause = time.monotonic(), LOOKS_EVERY
                try:
                    await finished(self._step())
                except OSError as fault:
                    _log.warning("the season cannot be saved: %s", why(fault))
                    self._noted.set()
                    pause = _AFTER_FAILURE
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await (self._noted.wait() if pause == LOOKS_EVERY else asyncio.sleep(pause))

    def _look(self) -> bool:
        """Read the owner's file, if it has changed; return whether one of the files has."""
        written = stamp_of(self._settings_path)
        changed = written != self._written or self._file.stamp != self._file_stamp
        if written != self._written:
            self._written, wrong = written, ""
            try:
                self._settings = settings_in(self._settings_path)
            except ValueError as refusal:
                self._settings, wrong = None, str(refusal)
            if wrong not in ("", self._wrong):
                _log.warning("%s is not used: %s", SETTINGS_FILE, wrong)
            self._wrong = wrong
        return changed

    async def _step(self) -> None:
        """Save what has happened, then open the tables that are due, and close off those left.

        Raises:
            OSError: it cannot be saved.
        """
        async with self._changing:
            await asyncio.to_thread(self._advance)
            self._show()
            for season, each in [*self._unfinished()]:
                table = self._tables.get(each.table)
                left = [player for player in (0, 1) if season.players[each.players[player]].left]
                if table is None:
                    if not left:
                        await self._bring(season, each)
                elif left:
                    await _resign(table, left[0])
        if self._ends:
            self._noted.set()

    def _advance(self) -> None:
        """Take down results, follow the owner's file, draw, and say which tables are due."""
        saved, may_draw, drawn = dict(self._ends), self._is_past_joining(), 0
        with self._file.changing() as seasons:
            for each in _matches(seasons):
                if each.match in saved:
                    each.tally = saved[each.match]
            if self._settings:
                season = follow(seasons, self._settings)
                unite(season, self._visitors.person)
                if may_draw and draw(season):
                    drawn = len(season.players)
                for each in due(season):
                    _give_ids(each)
        self._load()
        if drawn:
            _log.info("the season is drawn: %d players.", drawn)
        for name, tally in saved.items():
            if self._ends.get(name) == tally:
                self._ends.pop(name, None)

    def _is_past_joining(self) -> bool:
        """Whether joining has ended, by a clock that has not jumped for some time."""
        now, running = time.time(), time.monotonic()
        before, ran_before = self._clock
        if abs(now - before - (running - ran_before)) > _JUMP:
            self._steady_since = running
        self._clock = now, running
        steady = running - self._steady_since >= STEADY_SECONDS
        return steady and self._settings is not None and now >= self._settings.closes_at

    def _load(self) -> None:
        self._file_stamp = self._file.stamp
        self._seasons = self._file.load()
        self._known = {each.match: each for each in _matches(self._seasons) if each.match}

    @property
    def _season(self) -> Season | None:
        """The season that the owner has written down."""
        return self._seasons.named(self._settings.name) if self._settings else None

    def _show(self) -> None:
        season = self._season
        self.note = note_of(season) if season else None
        players = season.players if season else ()
        self._players = frozenset(each.id for each in players if not each.left)
        self._changed()

    def _unfinished(self) -> Iterator[tuple[Season, SeasonMatch]]:
        """Yield the matches that have a table and are not over, each with its season."""
        for season in self._seasons.seasons:
            for each in season.matches:
                if each.table and each.tally is None and each.match not in self._ends:
                    yield season, each

    # Tables

    async def _bring(self, season: Season, match: SeasonMatch) -> None:
        """Open the table of a match, whose files may have been made before.

        Raises:
            OSError: they cannot be made.
        """
        people = [season.players[each].id for each in match.players]
        try:
            if not await asyncio.to_thread(self._made, season, match):
                return
            await self._opened(match.match, _ARRANGED, people)
        except (CannotResume, ValueError) as fault:
            if match.match not in self._failed:
                _log.warning("match %s cannot be opened: %s", match.match, why_at(fault))
            self._failed.add(match.match)

    def _made(self, season: Season, match: SeasonMatch) -> bool:
        """Make the files of a match if there are none; return False if it is over already.

        Whoever runs the club may have closed its table: then it begins anew.

        Raises:
            ValueError: they cannot be made, or the match in the archive cannot be read.
            OSError: the same.
        """
        if self._store.version(match.match):
            return True
        if self._archive.version(match.match):
            record = self._archive.load(match.match)
            if record.over:
                self._ends[match.match] = record.match().tally
                return False
            with self._file.changing() as seasons:
                for each in _matches(seasons):
                    if each.match == match.match:
                        _give_ids(each)
                        match.table, match.match = each.table, each.match
            self._load()
        self._make(season, match)
        return True

    def _make(self, season: Season, match: SeasonMatch) -> None:
        people = [season.players[number].id for number in match.players]
        names = [
            VisitorProfile(self._visitors.directory / person).name or season.players[number].name
            for person, number in zip(people, match.players, strict=True)
        ]
        control, variant = parse_control(f"{season.days}d"), VARIANTS[season.game]
        make_table(
            self._store,
            self._visitors,
            TableIds(match.table, match.match),
            people=people,
            match=begun_between(names, variant, control),
            terms=_ARRANGED,
            event=season.name,
        )

    async def _begin_second_battles(self) -> None:
        """Begin the second battle where nobody is there to do so: its clock has to run."""
        for table in [*self._tables.values()]:
            match = table.state.match
            if table.arranged and match.battle.outcome and not (match.over or table.people):
                with suppress(ValueError):
                    await table.session.request(NextBattle())

    # Visitors

    def seen_by(self, visitor: str) -> SeasonNote | None:
        """Return how the season stands for a visitor, None if there is none."""
        return self.note and self.note._replace(joined=visitor in self._players)

    async def answer(
        self, viewer: str, name: str, asked: SeeSeason | JoinSeason
    ) -> SeasonPage | CarriedOut:
        """Return what a visitor asks for, or let them join or leave.

        Args:
            viewer: the visitor's id.
            name: the visitor's name.
            asked: the request.

        Raises:
            ValueError: there is no season, or they cannot.
            OSError: it cannot be saved.
        """
        if self._file.stamp != self._file_stamp:  # somebody may just have been forgotten
            async with self._changing:
                await asyncio.to_thread(self._load)
        season = self._season
        if season is None:
            raise ValueError(NO_SEASON)
        if isinstance(asked, SeeSeason):
            return await asyncio.to_thread(self._page, season, viewer)
        if asked.on and self._visitors.is_guest(viewer):
            raise ValueError("guests cannot join: come with an ssh key, or in a browser")
        if asked.on and not name:
            raise ValueError("say your name first")
        changing = partial(join, person=viewer, name=name) if asked.on else partial(_left, viewer)
        async with self._changing:
            await asyncio.to_thread(self._change, season.name, changing)
            self._show()
        self._noted.set()
        return CarriedOut()

    def _change(self, name: str, change: Callable[[Season], object]) -> None:
        with self._file.changing() as seasons:
            if season := seasons.named(name):
                change(season)
        self._load()

    def _page(self, season: Season, viewer: str) -> SeasonPage:
        return page_of(season, names_in(season, self._visitors), viewer)


def _left(viewer: str, season: Season) -> None:
    if not leave(season, [viewer]):
        raise ValueError("you do not take part in a season that goes on")


async def _resign(table: SeasonTable, player: int) -> None:
    """Let a player who has left the season resign the match at a table."""
    session, match = table.session, table.state.match
    with suppress(ValueError):
        while not match.over:
            if match.battle.outcome:
                await session.request(NextBattle())
            await session.request(Resign(), by=player)


def _matches(seasons: Seasons) -> Iterator[SeasonMatch]:
    return (each for season in seasons.seasons for each in season.matches)


def _give_ids(match: SeasonMatch) -> None:
    """Give a match a table of its own, which is not open yet."""
    match.table, match.match = new_ids()
