"""A match read from a file that the player names, or of a saved match."""

from __future__ import annotations

from thud.records.files import open_named
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match


def opened(name: str, store: Store) -> tuple[Record, Match, str]:
    """Read a record from a file, or of a saved match, as far as it can be read.

    Returns:
        The record, its match, and its fault, which is empty if it has none.

    Raises:
        ValueError: nothing of it can be read; the message says why.
    """
    record, fault = open_named(name, store)
    return record, record.match(), fault
