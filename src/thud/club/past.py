"""The finished matches of a club as its visitors look them up.

A match is listed as soon as it is over, at its table or in the archive.  Matches at private tables
are shown to their players alone, and so are all matches of somebody who does not want to be looked
up.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thud.club.names import looks_of
from thud.club.ratings import (
    PlayerGame,
    about_even,
    begun,
    is_rated,
    rating_in_words,
    rating_of,
    ratings,
)
from thud.club.results import RESULTS_FILE, Result, Results, ResultsFile, replaced, result_of
from thud.club.storage import Visitors, read_notes
from thud.net.host_connection import Tokens
from thud.net.seat_registry import SeatRegistry, hosted, kept_for, owner_of
from thud.records.bounds import BadRecord, read_text
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.strength.glicko import Rating
from thud.strength.people import Strength
from thud.text import why
from thud.visitor.look_up import (
    MOST_OPPONENTS,
    MOST_TEXT,
    NO_PLAYER,
    PAGE,
    Against,
    Answer,
    FindMatches,
    FindPlayers,
    Found,
    FoundMatch,
    FoundPlayer,
    Hide,
    LookUp,
    PlayerPage,
    Players,
    ReadMatches,
    Record,
    SeePlayer,
    Texts,
)
from thud.visitor.profile import VisitorProfile
from thud.visitor.tables import CarriedOut

_log: Final = logging.getLogger(__name__)

_LOOKS_EVERY: Final = 1.0
"""Seconds between two looks for changes of the file by the owner's commands."""

_FRESH_SECONDS: Final = 10.0
"""Seconds after which names, links and visits are looked at anew, if somebody asks."""

_UNKNOWN: Final = (0.0, 0.0)

_AFTER_FAILURE: Final = 30.0
"""Seconds until results are saved again after that has failed."""


class Listed(NamedTuple):
    """A result as it is shown: its players by the ids and the names that they have now."""

    result: Result
    day: str
    people: tuple[str, str]
    names: tuple[str, str]
    looks: tuple[str, str]
    """The names as they are compared, see `looks_of`."""


class Index(NamedTuple):
    """All results as they are shown, latest first."""

    listed: tuple[Listed, ...] = ()
    hidden: frozenset[str] = frozenset()
    names: Mapping[str, str] = {}
    """The names of all players by their ids."""
    ratings: Mapping[PlayerGame, Strength] = {}
    made_of: tuple[Results, Mapping[str, str]] | None = None
    """The results, and each id's person, that the ratings are computed from."""

    def seen_by(self, viewer: str) -> Iterable[Listed]:
        """Yield the matches that a visitor may see."""
        hidden = self.hidden - {viewer}
        for each in self.listed:
            if viewer in each.people or not (
                each.result.private or each.people[0] in hidden or each.people[1] in hidden
            ):
                yield each

    def shows(self, person: str, viewer: str) -> bool:
        """Whether a visitor may look somebody up."""
        return person in self.names and (person == viewer or person not in self.hidden)


_EMPTY: Final = Index()


def index_of(found: Results, visitors: Visitors, before: Index = _EMPTY) -> Index:
    """Return the results as they are shown.

    Args:
        found: the results, in the order in which the matches ended.
        visitors: all known visitors.
        before: an earlier index: its ratings stay if they are computed from the same.
    """
    ids = {person for each in found.results for person in each.people if person}
    now = {person: visitors.person(person) for person in ids}
    names = {
        person: name
        for person in {*now.values()}
        if (name := VisitorProfile(visitors.directory / person).name)
    }
    looks: dict[str, str] = {}
    listed = list[Listed]()
    for each in reversed(found.results):
        people = tuple(now.get(person, "") for person in each.people)
        shown = tuple(
            names.get(person) or name for person, name in zip(people, each.names, strict=True)
        )
        for name in shown:
            if name not in looks:
                looks[name] = looks_of(name)
        known = tuple(person if person in names else "" for person in people)
        one, two = shown
        listed.append(
            Listed(
                each, _day(each.ended), (known[0], known[1]), (one, two), (looks[one], looks[two])
            )
        )
    hidden = frozenset(visitors.person(each) for each in found.hidden)
    if before.made_of and before.made_of[0] is found and before.made_of[1] == now:
        rated = before.ratings
    else:
        rated = ratings(found.results, lambda each: now.get(each, ""))
    return Index(tuple(listed), hidden, names, rated, (found, now))


class Ratings(NamedTuple):
    """The ratings of a club's players."""

    known: Index
    starts: Mapping[str, tuple[float, float]]
    """The ratings of visitors by their matches against the levels."""

    def shown(self, person: str, variant: str, viewer: str) -> str:
        """Return the range of somebody's rating, as far as a visitor may see it."""
        strength = self.known.ratings.get(PlayerGame(person, variant))
        seen = strength and self.known.shows(person, viewer)
        return rating_of(strength) if strength and seen else ""

    def even(self, variant: str, one: str, other: str) -> bool:
        """Whether two visitors may be as strong as each other in a game."""
        return about_even(self._of(one, variant), self._of(other, variant))

    def _of(self, person: str, variant: str) -> Rating:
        strength = self.known.ratings.get(PlayerGame(person, variant))
        return strength.rating if strength else begun(self.starts.get(person, _UNKNOWN))


def _day(seconds: float) -> str:
    with suppress(ValueError, OverflowError, OSError):
        return date.fromtimestamp(seconds).isoformat()
    return ""


class PastMatches:
    """A club's finished matches, in its file and as they are looked up.

    Args:
        directory: the keeper's, with the tables' matches and the archive.
        visitors: all known visitors.
        changed: called when the ratings have changed.

    Attributes:
        results: the results, as loaded last.
        starts: the ratings of visitors by their matches against the levels, as they tell them.
    """

    def __init__(
        self, directory: Path, visitors: Visitors, changed: Callable[[], object] = lambda: None
    ) -> None:
        self._changed = changed
        self._directory = directory
        self._visitors = visitors
        self._file = ResultsFile(directory.with_name(RESULTS_FILE))
        self._index, self._indexed_at = Index(), float("-inf")
        self._indexing = asyncio.Lock()
        self._ends: dict[str, tuple[tuple[float, float], int]] = {}
        """How each match that is known to be over has ended, by its id: points and moves."""
        self._new: dict[str, tuple[Result, SeatRegistry] | None] = {}
        """Matches to save, or to remove: they go on after all."""
        self._noted = asyncio.Event()
        self.starts: dict[str, tuple[float, float]] = {}
        self._load()

    # New results

    def note(self, name: str, match: Match, registry: SeatRegistry, *, unrated: bool) -> None:
        """Note how a match stands, which may be over, or go on after it was.

        Args:
            name: its id.
            match: the match.
            registry: its seats.
            unrated: whether a player has said that it is not rated.
        """
        end = (match.tally, sum(each.played for each in match.battles)) if match.over else None
        if not name or self._ends.get(name) == end:
            return
        if end:
            private = bool(registry.terms.word)
            result = result_of(
                name, match, ("", ""), private=private, ended=time.time(), unrated=unrated
            )
            self._ends[name], self._new[name] = end, (result, registry)
        else:
            del self._ends[name]
            self._new[name] = None
        self._noted.set()

    async def run(self) -> None:
        """Take up the matches that there are, then save new results and follow changes."""
        with suppress(OSError):
            await asyncio.to_thread(self._take_up)
        while True:
            with suppress(OSError):
                await self.fresh_ratings()
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOKS_EVERY):
                    await self._noted.wait()
            try:
                if self._noted.is_set():
                    self._noted.clear()
                    await self._save_new()
                elif self._file.stamp != self._stamp:
                    await asyncio.to_thread(self._load)
            except OSError as fault:
                _log.warning("results cannot be saved: %s", why(fault))
                await asyncio.sleep(_AFTER_FAILURE)
                self._noted.set()

    async def _save_new(self) -> None:
        saved = dict(self._new)
        await asyncio.to_thread(self._save, saved)
        for name, each in saved.items():
            if self._new.get(name) is each:
                self._new.pop(name, None)

    def _save(self, new: Mapping[str, tuple[Result, SeatRegistry] | None]) -> None:
        added = list[Result]()
        for result, registry in filter(None, new.values()):
            one, other = people = who_sat(self._visitors, registry)
            starts = self.starts.get(one, _UNKNOWN), self.starts.get(other, _UNKNOWN)
            added.append(msgspec.structs.replace(result, people=people, starts=starts))
        gone = [name for name, each in new.items() if each is None]
        with self._file.changing() as found:
            found.results = replaced(found.results, added, gone)
        self._load()

    def _load(self) -> None:
        self._stamp = self._file.stamp
        self.results = self._file.load()
        self._ends |= {
            each.id: (each.tally, each.moves)
            for each in self.results.results
            if each.id not in self._new
        }
        self._indexed_at = float("-inf")

    def _take_up(self) -> None:
        """Add finished matches that the file lacks; remove those that are no longer kept.

        Raises:
            OSError: the matches cannot be listed, or the results not saved.
        """
        known = {each.id for each in self.results.results}
        kept, missing = set[str](), list[tuple[float, Store, str]]()
        for store in (Store(self._directory), Store(self._directory / "archive")):
            for each in store.finished():
                kept.add(each.id)
                if each.id not in known:
                    missing.append((each.modified / 1e9, store, each.id))
        added, seats = list[Result](), all_seats(self._visitors) if missing else {}
        for ended, store, name in sorted(missing, key=lambda each: each[0]):
            with suppress(ValueError):
                match = store.load(name).match()
                registry = SeatRegistry(range(2))
                registry.load(kept_for(store.matches, name))
                was = hosted(store.matches, name)
                private = bool(was and was.terms.word)
                one, two = (seats.get(registry.seats[each].owner, "") for each in range(2))
                people = one, two
                # Those of a table that is still open have not gone to the archive.
                places = {store.matches.parent, self._directory}
                unrated = any(read_notes(each, registry.id).unrated for each in places)
                added.append(
                    result_of(name, match, people, private=private, ended=ended, unrated=unrated)
                )
        gone = known - kept
        if added or gone:
            with self._file.changing() as found:
                found.results = replaced(found.results, added, gone)
            self._load()

    # Ratings

    @property
    def ratings(self) -> Ratings:
        """All ratings as computed last."""
        return Ratings(self._index, self.starts)

    async def fresh_ratings(self) -> Ratings:
        """Return all ratings as they are now, which may take long."""
        if self._index.made_of is None or self._index.made_of[0] is not self.results:
            await self._fresh_index()
            self._changed()
        return self.ratings

    def drop(self, names: Iterable[str]) -> None:
        """Remove the results of matches that the archive had no more room for."""
        for name in names:
            self._new[name] = None
            self._noted.set()

    # Looking up

    async def answer(
        self, viewer: str, here: Collection[str], asked: LookUp
    ) -> Answer | CarriedOut:
        """Return what a visitor asks for.

        Args:
            viewer: the visitor's id.
            here: the ids of those who are in the club.
            asked: the request.

        Raises:
            ValueError: there is no such player or match, or it cannot be sent.
            OSError: it cannot be read or saved.
        """
        index = await self._fresh_index()
        match asked:
            case FindMatches():
                return await asyncio.to_thread(found_matches, index, viewer, asked)
            case FindPlayers():
                return await asyncio.to_thread(found_players, index, viewer, asked)
            case SeePlayer(person):
                return await asyncio.to_thread(self._page, index, viewer, person, here)
            case ReadMatches(ids):
                return await asyncio.to_thread(self._texts, index, viewer, ids)
            case Hide(on):
                await asyncio.to_thread(self._file.change, _hiding(viewer, on=on))
                await asyncio.to_thread(self._load)
                return CarriedOut()

    async def _fresh_index(self) -> Index:
        async with self._indexing:
            if self._file.stamp != self._stamp:  # somebody may just have been forgotten
                await asyncio.to_thread(self._load)
            if time.monotonic() - self._indexed_at > _FRESH_SECONDS:
                self._indexed_at = time.monotonic()
                made = asyncio.to_thread(index_of, self.results, self._visitors, self._index)
                self._index = await made
            return self._index

    def _page(self, index: Index, viewer: str, person: str, here: Collection[str]) -> PlayerPage:
        page = player_page(index, viewer, person)
        with suppress(OSError):
            seen = (self._visitors.directory / person).stat().st_mtime
            return msgspec.structs.replace(page, seen=_day(seen), here=person in here)
        return page

    def _texts(self, index: Index, viewer: str, ids: Iterable[str]) -> Texts:
        seen = {each.result.id for each in index.seen_by(viewer)}
        texts, size = list[str](), 0
        for name in ids:
            if name not in seen:
                raise ValueError("there is no such match")
            text = self._text(name)
            size += len(msgspec.json.encode(text))
            if size > MOST_TEXT:
                if not texts:
                    raise ValueError("that match is too long to be sent")
                break
            texts.append(text)
        return Texts(tuple(texts))

    def _text(self, name: str) -> str:
        for above in (self._directory, self._directory / "archive"):
            with suppress(BadRecord, OSError):
                return read_text(Store(above).matches / f"{name}.tgn")
        raise ValueError("that match is no longer kept")


def _hiding(viewer: str, *, on: bool) -> Callable[[Results], None]:
    def change(found: Results) -> None:
        found.hidden = [each for each in found.hidden if each != viewer] + [viewer] * on

    return change


def who_sat(visitors: Visitors, registry: SeatRegistry) -> tuple[str, str]:
    """Return the ids of those whose seats these are, empty for one whom the club does not know."""
    people = ["", ""]
    with suppress(OSError):
        for each in visitors.directory.iterdir():
            token = Tokens(each).of(registry.id)
            player = registry.owned(token) if token else None
            if player is not None:
                people[player] = each.name
    return people[0], people[1]


def all_seats(visitors: Visitors) -> dict[str, str]:
    """Return the ids of all visitors by what is kept of the tokens of their seats."""
    known = [*visitors.directory.iterdir()] if visitors.directory.is_dir() else []
    return {owner_of(token): each.name for each in known for token in Tokens(each).all().values()}


# Answers


def found_matches(index: Index, viewer: str, asked: FindMatches) -> Found:
    """Return a page of the matches that fit a search and that a visitor may see."""
    names = looks_of(asked.player), looks_of(asked.opponent)
    fitting = [each for each in index.seen_by(viewer) if _fits(each, asked, *names)]
    first = asked.page * PAGE
    return Found(
        len(fitting),
        tuple(
            FoundMatch(
                each.result.id,
                each.day,
                each.result.variant,
                each.names,
                each.people,
                each.result.tally,
                each.result.moves,
                is_rated(each.result, *each.result.people),
            )
            for each in fitting[first : first + PAGE]
        ),
        viewer in index.hidden,
    )


def _fits(listed: Listed, asked: FindMatches, wanted: str, other: str) -> bool:
    result, day = listed.result, listed.day
    if (
        (asked.variant and result.variant != asked.variant)
        or not asked.shortest <= result.moves <= asked.longest
        or (asked.since and day < asked.since)
        or (asked.until and day[: len(asked.until)] > asked.until)
    ):
        return False
    if not (asked.player or asked.opponent or asked.person or asked.result):
        return True
    for player in range(2):
        own, against = result.tally[player], result.tally[1 - player]
        ended = "won" if own > against else "lost" if own < against else "drawn"
        if (
            (not asked.person or listed.people[player] == asked.person)
            and wanted in listed.looks[player]
            and other in listed.looks[1 - player]
            and asked.result in ("", ended)
        ):
            return True
    return False


def found_players(index: Index, viewer: str, asked: FindPlayers) -> Players:
    """Return a page of the players with a name, those with most matches first."""
    wanted = looks_of(asked.name)
    counts = Counter(
        person for each in index.seen_by(viewer) for person in {*each.people} if person
    )
    fitting = [
        FoundPlayer(person, index.names[person], number)
        for person, number in counts.items()
        if index.shows(person, viewer) and wanted in looks_of(index.names[person])
    ]
    fitting.sort(key=lambda each: (-each.matches, each.name.casefold(), each.id))
    first = asked.page * PAGE
    return Players(len(fitting), tuple(fitting[first : first + PAGE]))


def player_page(index: Index, viewer: str, person: str) -> PlayerPage:
    """Return a player's page, as far as a visitor may see it.

    Raises:
        ValueError: they may not see the player, or there is none.
    """
    if not index.shows(person, viewer):
        raise ValueError(NO_PLAYER)
    matches, sides = Record(), {side: Record() for side in Side}
    against: dict[str, Against] = {}
    for each in index.seen_by(viewer):
        if person not in each.people or each.people[0] == each.people[1]:
            continue
        player = each.people.index(person)
        own, other = each.result.tally[player], each.result.tally[1 - player]
        matches = matches.with_one(own, other)
        rival = each.people[1 - player] or each.looks[1 - player]
        before = against.get(rival, Against(each.names[1 - player], Record()))
        against[rival] = before._replace(record=before.record.with_one(own, other))
        for number, (dwarfs, trolls) in enumerate(each.result.scores):
            if player == number:  # the first player has the dwarfs first
                sides[Side.DWARFS] = sides[Side.DWARFS].with_one(dwarfs, trolls)
            else:
                sides[Side.TROLLS] = sides[Side.TROLLS].with_one(trolls, dwarfs)
    rivals = sorted(against.values(), key=lambda each: (-each.record.played, each.name))
    return PlayerPage(
        person,
        index.names[person],
        matches=matches,
        dwarfs=sides[Side.DWARFS],
        trolls=sides[Side.TROLLS],
        against=tuple(rivals[:MOST_OPPONENTS]),
        others=max(0, len(rivals) - MOST_OPPONENTS),
        ratings=tuple(
            (variant, words)
            for variant in VARIANTS
            if (strength := index.ratings.get(PlayerGame(person, variant)))
            and (words := rating_in_words(strength))
        ),
    )
