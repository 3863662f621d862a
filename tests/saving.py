"""Saving matches that tests play."""

from __future__ import annotations

from thud.records.record import Record
from thud.records.store import Saved, Store
from thud.rules.match import Match
from thud.session.autosave import Autosave


def begin(
    store: Store, match: Match, *, event: str = "", programs: tuple[str, str] = ("", "")
) -> Saved:
    """Save a match for the first time."""
    return store.adopt(Record.of(match, event=event, date="2026-11-20", programs=programs))


def save(saved: Saved, match: Match, programs: tuple[str, str] = ("", "")) -> None:
    """Save a match's current state over the saved one."""
    saved.write(updated(saved.record, match, programs))


def updated(record: Record, match: Match, programs: tuple[str, str] = ("", "")) -> Record:
    """Return a match's record as it is saved now."""
    return Autosave(None, record=record).record(match, programs)
