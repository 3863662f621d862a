"""What waits for a visitor of a club: one list, and what is new in it.

The lobby and the lines of text show it in the same words.  A season's tables are in it like any
others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from thud.text import counted
from thud.visitor.profile import clean
from thud.visitor.seek import ListedSeek, news_of, what_is_offered, what_to_do, who_seeks
from thud.visitor.tables import (
    ClubState,
    ListedTable,
    how_it_stands,
    what_is_played,
    who_plays,
)

Row: TypeAlias = ListedTable | ListedSeek

WAITS: Final = "What waits for you"
TABLES: Final = "Tables"


class Waiting(NamedTuple):
    """What waits for a visitor, and the rest of what there is in the club."""

    mine: tuple[Row, ...]
    rest: tuple[Row, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, what waits for the visitor first."""
        return self.mine + self.rest

    def groups(self) -> Iterator[tuple[str, tuple[Row, ...]]]:
        """Yield both groups with their titles, but none that is empty."""
        if self.mine:
            yield WAITS, self.mine
        if self.rest:
            yield TABLES, self.rest


def waiting_in(state: ClubState) -> Waiting:
    """Return what waits for a visitor: turns, messages, tables and matches offered to them."""
    waits = [each for each in state.tables if each.my_turn or each.unread or each.offered]
    rest = [each for each in state.tables if each not in waits]
    offers = [each for each in state.seeks if not each.mine]
    own = [each for each in state.seeks if each.mine]
    return Waiting((*waits, *offers), (*rest, *own))


def who_in_words(row: Row) -> str:
    """Return who is at a table, with their ratings, or offers a match."""
    return who_seeks(row) if isinstance(row, ListedSeek) else who_plays(row, rated=True)


def what_in_words(row: Row) -> str:
    """Return what is played or offered, and what the visitor can do there."""
    if isinstance(row, ListedSeek):
        return f"{what_is_offered(row)}: {what_to_do(row)}"
    new = f", {counted(row.unread, 'new message')}" if row.unread else ""
    return f"{what_is_played(row)}: {how_it_stands(row)}{new}"


class News(NamedTuple):
    """Something that waits for a visitor."""

    words: str
    rings: bool = False
    """Whether it is told wherever they are, if they want to hear it, and not in the lobby alone."""


def news_in(state: ClubState, *, offers: bool) -> dict[tuple[str, str], News]:
    """Return what is told once, by what makes it new.

    Args:
        state: the club.
        offers: whether the visitor wants to hear of offers.
    """
    found: dict[tuple[str, str], News] = {}
    for each in state.tables:
        what = f"{who_plays(each)}, {what_is_played(each)}"
        if each.my_turn:
            begins = each.own and not (each.begun or each.wanted)
            sat = f"{_opponent(each)} has sat down, and it is your turn"
            words = sat if begins else "It is your turn"
            found[each.id, words] = News(f"{words}: {what}.", rings=begins)
        elif each.offered:
            found[each.id, "offered"] = News(f"You are invited: {what}.")
        if each.unread:
            words = counted(each.unread, "new message")
            found[each.id, words] = News(f"{words[0].upper()}{words[1:]}: {what}.")
    for seek in state.seeks if offers else ():
        if not seek.mine:
            found[seek.id, ""] = News(news_of(seek), rings=True)
    return found


def _opponent(table: ListedTable) -> str:
    return clean(table.players[1 - (table.mine or 0)])
