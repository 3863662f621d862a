"""Tables that the club itself opens, for two visitors who need not be there."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from thud.club.storage import Visitors
from thud.net.host_connection import Tokens
from thud.net.seat_registry import SeatRegistry, Terms, kept_for
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.clock import Control
from thud.rules.match import InvalidPlayers, Match
from thud.rules.variant import Variant


class TableIds(NamedTuple):
    """The ids of a table that is not open yet, and of its match."""

    table: str
    match: str


def new_ids() -> TableIds:
    """Return ids that no other table and no other match has."""
    match = f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
    return TableIds(secrets.token_hex(4), match)


def begun_between(names: Sequence[str], variant: Variant, control: Control | None) -> Match:
    """Return a new match between two players, whose names may be the same."""
    try:
        return Match(variant, (names[0], names[1]), control=control)
    except InvalidPlayers:
        return Match(variant, (f"{names[0]} 1", f"{names[1]} 2"), control=control)


def make_table(
    store: Store,
    visitors: Visitors,
    ids: TableIds,
    *,
    people: Sequence[str],
    match: Match,
    terms: Terms,
    event: str = "",
) -> None:
    """Make the files of a table: the tokens of its seats, then its match.

    Args:
        store: the keeper's.
        visitors: all known visitors.
        ids: the table's.
        people: the players' ids.
        match: the match, which has not begun.
        terms: the table's.
        event: the record's.

    Raises:
        OSError: they cannot be made.
        ValueError: the same.
    """
    registry = SeatRegistry(range(2), terms)
    registry.id = ids.table

    def seat(name: str) -> None:
        for player, person in enumerate(people):
            token = registry.seats[player].take()
            registry.seats[player].known = True
            if complaint := Tokens(visitors.directory / person).keep(registry.id, token):
                raise OSError(complaint)
        registry.keep(kept_for(store.matches, name))

    record = Record.of(match, event=event, date=date.today().isoformat())
    store.adopt(record, ids.match, seat).close(keep_empty=True)
