"""The standing offers of a club's visitors, in a file beside the tables'."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from thud.club.past import Ratings
from thud.club.seating import TableIds, new_ids
from thud.club.storage import Visitors
from thud.club.struct_file import StructFile
from thud.disk.dates import is_ahead
from thud.net.valid import Id
from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.visitor.profile import VisitorProfile
from thud.visitor.seek import SEEK_DAYS, ListedSeek, MakeSeek

SEEKS_FILE: Final = "seeks.json"
"""Name of the file, in the club's directory."""

MOST_SEEKS: Final = 100
"""Most offers in a club."""

MOST_SEEKS_EACH: Final = 3
"""Most offers of one visitor."""

SEEK_SECONDS: Final = SEEK_DAYS * 24 * 3600

NO_SUCH_SEEK: Final = "that offer is no longer there: somebody has taken it, or it was withdrawn"

_Text = Annotated[str, Meta(max_length=40)]


class Seek(Struct, frozen=True):
    """An offer as it is saved."""

    id: Id
    by: Id
    """The id of the visitor who made it."""
    variant: _Text
    clock: _Text
    even: bool
    until: float
    """When it lapses, in seconds since 1970."""
    taker: str = ""
    """The id of the visitor who has taken it, while its table is made."""
    ids: TableIds = TableIds("", "")
    """The ids of that table."""

    @property
    def open(self) -> bool:
        """Whether it can be taken: no clock that was ahead has made it last too long."""
        known = self.variant in VARIANTS and not self.taker
        return known and time.time() < self.until and not is_ahead(self.until - SEEK_SECONDS)


def clock_of(wanted: MakeSeek) -> str:
    """Return the clock of a match that is offered.

    Raises:
        ValueError: there is no such match, or its clock would run while nobody is there.
    """
    if wanted.variant not in VARIANTS:
        raise ValueError("there is no such game")
    control = parse_control(wanted.clock) if wanted.clock else None
    if control and not control.days:
        raise ValueError("an offer that stays needs a clock in days, or none")
    return str(control) if control else ""


class SavedSeeks(Struct):
    """All offers."""

    seeks: list[Seek] = field(default_factory=list)


class Seeks:
    """A club's standing offers.

    Args:
        directory: the club's.
        visitors: all known visitors.
    """

    def __init__(self, directory: Path, visitors: Visitors) -> None:
        self._file = StructFile(directory / SEEKS_FILE, SavedSeeks)
        self._visitors = visitors
        self._person = visitors.person
        self._stamp: tuple[int, ...] | None = None
        self._seeks: list[Seek] = []
        self._shown: dict[str, tuple[str, str]] = {}
        """Whose each offer is that can be taken, by its id: their id and their name."""

    def look(self, banned: Collection[str] = ()) -> bool:
        """Read the file, if it has changed; drop the offers of those who are gone or banned.

        Returns:
            Whether visitors see something else than before.

        Raises:
            OSError: it cannot be saved.
        """
        if (stamp := self._file.stamp) != self._stamp:
            self._stamp, self._seeks = stamp, self._file.load().seeks
        shown, void = dict[str, tuple[str, str]](), set[str]()
        for each in self.all:
            by = self._person(each.by)
            directory = self._visitors.directory / by
            if by in banned or not directory.is_dir():
                void.add(each.id)
            else:
                shown[each.id] = by, VisitorProfile(directory).proposed
        if void:
            with self._file.changing() as saved:
                saved.seeks = [each for each in saved.seeks if each.id not in void]
            self._stamp, self._seeks = self._file.stamp, self._file.load().seeks
        before, self._shown = self._shown, shown
        return before != shown

    def seen_by(self, visitor: str, ratings: Ratings) -> Iterator[ListedSeek]:
        """Yield a visitor's own offers, and those that they may take."""
        for each in self.all:
            by, name = self._shown.get(each.id, ("", ""))
            mine = by == visitor
            if by and (mine or not each.even or ratings.even(each.variant, visitor, by)):
                rating = ratings.shown(by, each.variant, visitor)
                yield ListedSeek(
                    each.id, name, each.variant, each.clock, rating, each.even, mine, each.until
                )

    @property
    def all(self) -> list[Seek]:
        """The offers that can be taken."""
        return [each for each in self._seeks if each.open]

    @property
    def taken(self) -> list[Seek]:
        """Those whose table has not been made yet."""
        return [each for each in self._seeks if each.taker]

    def make(self, by: str, wanted: MakeSeek) -> Seek:
        """Make a visitor's offer, or prolong the same one; return it.

        Raises:
            ValueError: there is no such match, or there are too many offers.
            OSError: it cannot be saved.
        """
        clock, until = clock_of(wanted), time.time() + SEEK_SECONDS
        new = Seek(secrets.token_hex(4), by, wanted.variant, clock, wanted.even, until)
        with self._file.changing() as saved:
            own = [each for each in saved.seeks if each.open and self._person(each.by) == by]
            same = next((each for each in own if _what(each) == _what(new)), None)
            if same:
                new = replace(same, until=until)
            elif len(own) >= MOST_SEEKS_EACH:
                raise ValueError(f"you have {MOST_SEEKS_EACH} offers: withdraw one first")
            kept = [each for each in saved.seeks if each.open or each.taker]
            if not same and len(kept) >= MOST_SEEKS:
                raise ValueError(f"there are {MOST_SEEKS} offers already: try again later")
            saved.seeks = [each for each in kept if each.id != new.id] + [new]
        self.look()
        return new

    def take(self, name: str, by: str, check: Callable[[Seek], object]) -> Seek:
        """Let a visitor take an offer; return it with the ids of the table to be made.

        Args:
            name: its id.
            by: the visitor's id.
            check: raises a `ValueError` if they may not.

        Raises:
            ValueError: they may not, or it is not there.
            OSError: it cannot be saved.
        """
        with self._file.changing() as saved:
            found = next((each for each in saved.seeks if each.id == name and each.open), None)
            if found is None:
                raise ValueError(NO_SUCH_SEEK)
            if self._person(found.by) == by:
                raise ValueError("that offer is your own")
            check(found)
            taken = replace(found, taker=by, ids=new_ids())
            saved.seeks = [taken if each is found else each for each in saved.seeks]
        self.look()
        return taken

    def give_back(self, name: str) -> None:
        """Let an offer be taken again: its table could not be made.

        Raises:
            OSError: it cannot be saved.
        """
        with self._file.changing() as saved:
            saved.seeks = [
                replace(each, taker="") if each.id == name else each for each in saved.seeks
            ]
        self.look()

    def drop(self, names: Collection[str], by: str = "") -> int:
        """Remove offers; return how many there were.

        Args:
            names: their ids.
            by: the id of the visitor whose they have to be; empty for anybody's.

        Raises:
            OSError: it cannot be saved.
        """
        with self._file.changing() as saved:
            gone = [
                each
                for each in saved.seeks
                if each.id in names and (not by or self._person(each.by) == by)
            ]
            saved.seeks = [each for each in saved.seeks if each not in gone]
        self.look()
        return len(gone)


def forget_seeks(directory: Path, ids: Collection[str]) -> None:
    """Remove the offers of a visitor, by all their ids.

    Raises:
        OSError: it cannot be saved.
    """
    file = StructFile(directory / SEEKS_FILE, SavedSeeks)

    def change(saved: SavedSeeks) -> None:
        saved.seeks = [each for each in saved.seeks if not {each.by, each.taker} & {*ids}]

    if file.stamp:
        file.change(change)


def _what(seek: Seek) -> tuple[str, str, bool]:
    return seek.variant, seek.clock, seek.even
