"""Positions, records and saved matches, from a command's options."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os.path import expanduser
from pathlib import Path
from typing import TYPE_CHECKING

from thud.records.store import CannotResume, Saved, Store
from thud.rules.match import parse_handicap, starts_at
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.terminal.streams import report

if TYPE_CHECKING:
    from thud.records.record import Reading, Record


def chosen(options: Namespace) -> tuple[Variant, Position]:
    """Return the variant and position of the options, by default the variant's start."""
    variant = VARIANTS[options.variant or "classic"]
    if options.position is None:
        return variant, variant.start
    return variant, variant.position(options.position)


def starts(
    options: Namespace, position: Position, players: tuple[str, str]
) -> tuple[Position, Position]:
    """Return the starts of both battles, with the handicap of the options, if any.

    Raises:
        ValueError: there is no such handicap, or it is combined with a position.
    """
    if options.handicap is None:
        return position, position
    if options.position is not None:
        raise ValueError("a handicap needs the usual start: leave out --position")
    variant = VARIANTS[options.variant or "classic"]
    return starts_at(variant, parse_handicap(options.handicap, players))


def source(options: Namespace) -> tuple[Record, str]:
    """Return the record of --from, as far as it can be read, and its fault.

    Raises:
        ValueError: nothing of it can be read, its match is over, or other options contradict it.
    """
    from thud.records.record import MAX_PLIES

    given = options.position, options.names, options.handicap
    if any(each is not None for each in given):
        raise ValueError("--from takes position, names and handicap from the record")
    options.file = options.source
    record, fault = opened(options)
    if record.over:
        raise ValueError(
            f"that match is over: use 'thud replay {options.source}' to play on from a move of it"
        )
    if len(record.battles[-1].moves) == MAX_PLIES:
        raise ValueError(f"its battle has {MAX_PLIES} moves, the most that can be saved")
    return record, fault


def opened(options: Namespace) -> tuple[Record, str]:
    """Return the record of the options, a file or a saved match, and its fault.

    A file with a fault is read up to it.

    Raises:
        ValueError: there is none, or nothing of it can be read.
    """
    from thud.records.formats import match_in, open_named

    # The board of a new match needs no links.
    from thud.records.links import LinkKind, is_link, read_link

    if is_link(options.file):
        link = read_link(options.file)
        if link.kind is not LinkKind.MATCH:
            raise ValueError("the link leads to no match: 'thud replay' opens it at the board")
        return match_in(link.text)
    if name := name_of_saved(options):
        with _told_of(options.file):
            number = getattr(options, "match", 1)
            return _checked(options, *open_named(name, Store(), None, number))
    return picked(options, all_opened(options))


def picked(options: Namespace, readings: Sequence[Reading]) -> tuple[Record, str]:
    """Return the match of the options among those of a file, and its fault.

    Raises:
        ValueError: there is none, or nothing of it can be read.
    """
    from thud.records.formats import match_of

    with _told_of(_shown(options)):
        return _checked(options, *match_of(readings, getattr(options, "match", 1)))


def all_opened(options: Namespace) -> list[Reading]:
    """Return all matches of the options' file, each as far as it can be read.

    Raises:
        ValueError: there is none, or nothing can be read.
    """
    from thud.records.formats import read_all, read_stream

    with _told_of(_shown(options)):
        if options.file == "-":
            return read_stream(sys.stdin.buffer)
        return read_all(Path(expanduser(options.file)), _variant(options))


def _shown(options: Namespace) -> str:
    return "standard input" if options.file == "-" else options.file


def _variant(options: Namespace) -> Variant | None:
    return VARIANTS.get(getattr(options, "variant", None) or "")


def _checked(options: Namespace, record: Record, fault: str) -> tuple[Record, str]:
    """Return a record and its fault with the file's name; check that it is of the game asked for.

    Raises:
        ValueError: it is of another.
    """
    if _variant(options) not in (None, record.variant):
        raise ValueError(f"the record is a game of {record.variant.title}")
    return record, f"{_shown(options)}: {fault}" if fault else ""


@contextmanager
def _told_of(name: str) -> Iterator[None]:
    """Context manager: put the name of a file or a match before what is wrong with it."""
    try:
        yield
    except CannotResume:
        raise
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def locked(options: Namespace) -> Saved | None:
    """Lock the saved match of the options, to annotate it; None for a file.

    Raises:
        ValueError: it is open elsewhere, or cannot be read, or `--match` asks for a second one.
    """
    from thud.records.formats import check_number

    store, name = Store(), name_of_saved(options)
    if not name:
        return None
    with _told_of(name):
        check_number(options.match)
    return store.take(name)


def name_of_saved(options: Namespace) -> str:
    """Return the id of the saved match of the options, empty for a file.

    Raises:
        CannotResume: there is no such match, or several.
    """
    from thud.records.formats import is_saved
    from thud.records.links import is_link

    name: str = options.file
    if name == "-" or is_link(name):
        return ""
    return Store().named(name) if is_saved(name) else ""


def opened_with_warning(options: Namespace) -> Record:
    """Return the record of the options, printing a fault on standard error."""
    record, fault = opened(options)
    if fault:
        report(f"thud: {fault}", sys.stderr)
    return record
