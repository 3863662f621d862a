"""`thud play --plain` and `thud resume --plain`: a match in lines of text."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Final

from thud.commands import seating
from thud.commands.play import latest_free, source
from thud.commands.positions import chosen
from thud.engines.spec import Seat
from thud.plain.computers import Computers
from thud.plain.keeping import Keeping
from thud.plain.lines import Lines
from thud.plain.session import run
from thud.plain.table import Table
from thud.records.saved import CannotSave, Saved
from thud.records.store import Store
from thud.rules.match import Match
from thud.settings.preferences import Preferences
from thud.signals import ended_in_order

_HELP: Final = "Type help for what you can type."


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    if options.source:
        _play_on(options)
        return
    variant, position = chosen(options)
    seats = seating.seats(options)
    first, second = options.names or seating.names(seats)
    match = Match(variant, (first, second), position)
    keeping = Keeping(Store())
    waiting = keeping.unfinished()
    mention = f"Another match waits: 'thud resume --plain {waiting}' goes on with it."
    _run(match, keeping, seats, _HELP, *([mention] if waiting else []))


def _play_on(options: Namespace) -> None:
    record, fault = source(options)
    match = record.match()
    seats = seating.seats(options, match, record.programs)
    store = Store()
    saved: Saved | None = None
    complaint = ""
    try:
        saved = store.adopt(record)
    except CannotSave as error:
        complaint = str(error)
    _run(match, Keeping(store, saved), seats, _HELP, fault, complaint)


def resume(options: Namespace) -> None:
    """Go on with an unfinished match, or list them."""
    if options.list:
        from thud.commands.play import resume as listed

        listed(options)
        return
    store = Store()
    if options.id is None and store.latest() is None:
        raise ValueError("there is no unfinished match; 'thud play' begins one")
    saved = store.resume(options.id) if options.id else latest_free(store)
    match = saved.restored()
    seats = seating.seats(options, match, saved.record.programs)
    _run(match, Keeping(store, saved), seats, _HELP)


def _run(match: Match, keeping: Keeping, seats: tuple[Seat, Seat], *notices: str) -> None:
    """Play on the standard streams."""
    lines = Lines(sys.stdin.buffer, sys.stdout, echo=not sys.stdin.isatty())
    preferences = Preferences.load()
    table = Table(match, keeping, lines, Computers(seats))
    table.takes_all = preferences.settings.captures == "all"
    faults = (f"fault in {fault}" for fault in preferences.faults)
    with ended_in_order():
        run(table, *notices, *faults)
