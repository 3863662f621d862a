"""Forgetting a visitor of a club: their files, and their name in the matches that they played.

The others keep their matches, with another name in its place.  A running keeper has the open tables
in its memory: it is left a note of the seats, and does there what is done here to files.
"""

from __future__ import annotations

import re
import secrets
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from thud.club.results import RESULTS_FILE, Results, ResultsFile
from thud.club.season import SEASONS_FILE, SeasonsFile, forget_in
from thud.club.seeks import forget_seeks
from thud.club.storage import Visitors
from thud.disk.atomic import set_modified, write_atomic
from thud.disk.lock import Lock, Locked
from thud.disk.small import read_small, write_small
from thud.net.host_connection import Tokens
from thud.net.seat_registry import SeatRegistry
from thud.records.store import SUFFIX, SUMMARIES, Store
from thud.records.tgn.writer import tgn_text

FORGOTTEN: Final = "Somebody"
"""What somebody is called who is forgotten."""

NOTE: Final = "forgotten.json"
"""The name of the note for a running keeper, beside the tables: for each table, players."""

_MOST_BYTES: Final = 1 << 20
_COPY: Final = re.compile(r"(.+)-[0-9a-f]{8}")
"""The id of a match that was renamed when two visitors became one."""

_KEEPER_SECONDS: Final = 5.0


def name_instead(other: str) -> str:
    """Return what a forgotten player is called, given the other player's name."""
    return FORGOTTEN if other != FORGOTTEN else f"{FORGOTTEN} 2"


def forget(visitors: Visitors, name: str) -> list[str]:
    """Delete a visitor with all their files, and their name wherever they have played.

    Args:
        visitors: all known visitors.
        name: the visitor's id.

    Returns:
        The files that could not be read, in which the name may be left.

    Raises:
        OSError: something cannot be deleted or written.
    """
    tables = visitors.directory.with_name("tables")
    ids = {name, *visitors.linked_to(name)}
    tokens: dict[str, str] = {}
    for each in ids:
        tokens |= Tokens(visitors.directory / each).all()
    visitors.forget(name)
    played = defaultdict[str, set[int]](set)
    results = ResultsFile(visitors.directory.with_name(RESULTS_FILE))
    results.change(lambda found: _forget_results(found, ids, played))
    seasons = SeasonsFile(visitors.directory.with_name(SEASONS_FILE))
    seasons.change(lambda found: forget_in(found, ids, secrets.token_hex(16), FORGOTTEN))
    forget_seeks(visitors.directory.parent, ids)
    open_here: dict[str, list[int]] = {}
    for above in (tables, tables / "archive"):
        for path, registry in _registries(above):
            player = registry.owned(tokens.get(registry.id, ""))
            if player is not None:
                played[path.stem].add(player)
                if above == tables:
                    open_here.setdefault(registry.id, []).append(player)
    try:
        lock = Lock(tables / ".lock")
    except FileNotFoundError:  # no table was ever open
        lock = None
    except Locked:  # a keeper runs, and has the open tables in its memory
        write_small(tables / NOTE, {"seats": open_here, "ids": [*ids]}, private=True)
        _wait_for_keeper(tables / NOTE)
        lock = None
    try:
        return [*_rename_in_files(visitors, tables, played)]
    finally:
        if lock:
            lock.release()


def _forget_results(found: Results, ids: set[str], played: dict[str, set[int]]) -> None:
    found.hidden = [each for each in found.hidden if each not in ids]
    nobody = secrets.token_hex(16)  # what the others have won and lost stays rated
    for place, each in enumerate(found.results):
        people, names = [*each.people], [*each.names]
        for player in range(2):
            if people[player] in ids:
                played[each.id].add(player)
                people[player], names[player] = nobody, name_instead(names[1 - player])
        found.results[place] = msgspec.structs.replace(
            each, people=(people[0], people[1]), names=(names[0], names[1])
        )


def _registries(above: Path) -> Iterator[tuple[Path, SeatRegistry]]:
    for path in [*(above / "hosted").glob("*.json")]:
        registry = SeatRegistry(range(2))
        registry.load(path)
        yield path, registry


def _wait_for_keeper(note: Path) -> None:
    until = time.monotonic() + _KEEPER_SECONDS
    while note.exists() and time.monotonic() < until:
        time.sleep(0.05)


def _rename_in_files(
    visitors: Visitors, tables: Path, played: Mapping[str, set[int]]
) -> Iterator[str]:
    """Rename a player in all files of some matches; yield those that cannot be read."""
    others = [*visitors.directory.iterdir()] if visitors.directory.is_dir() else []
    for above in (tables, tables / "archive", *others):
        store, touched = Store(above), False
        with suppress(FileNotFoundError):
            for path in [*store.matches.iterdir()]:
                copy = _COPY.fullmatch(path.stem)
                players = played.get(path.stem) or (copy and played.get(copy[1]))
                if path.suffix == SUFFIX and players:
                    touched = True
                    if not _renamed(store, path, players):
                        yield str(path)
        for name in played:
            _without_chat(above / "hosted" / f"{name}.json")
        if touched:  # caches, which have names in them
            for cache in (store.matches / SUMMARIES, *(above / "cache").glob("**/*.sqlite*")):
                cache.unlink(missing_ok=True)


def _renamed(store: Store, path: Path, players: Iterable[int]) -> bool:
    """Rename players in a match's file; its time stays. Return whether it could be read."""
    try:
        record = store.load(path.stem)
    except ValueError:
        return False
    names = [*record.players]
    for player in players:
        names[player] = name_instead(names[1 - player])
    before = path.stat().st_mtime_ns
    write_atomic(path, tgn_text(record._replace(players=(names[0], names[1]))).encode())
    set_modified(path, before)
    return True


def _without_chat(path: Path) -> None:
    values: dict[str, Any] = read_small(path, _MOST_BYTES)
    if values.get("said"):
        before = path.stat().st_mtime_ns
        write_small(path, values | {"said": []}, private=True)
        set_modified(path, before)
