"""The results of a club's finished matches, in one file: `results.json` beside the tables.

What can be looked up of a match is here, and above all who played it: the match's own file has only
names.  The file is replaced as a whole, under a lock, as the owner's commands write it too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from thud.disk.atomic import write_atomic
from thud.disk.lock import Lock, Locked
from thud.disk.small import DAMAGED, read_regular
from thud.net.valid import Id
from thud.rules.match import Match
from thud.rules.position import Side

RESULTS_FILE: Final = "results.json"

_MOST_BYTES: Final = 1 << 28
_TRIES: Final = 100
_BETWEEN_TRIES: Final = 0.05

_Person: Final = Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")]


class Result(Struct, frozen=True, array_like=True):
    """A finished match: who played it, and how it ended."""

    id: Id
    ended: float
    """When it ended, in seconds since 1970."""
    variant: str
    people: tuple[_Person, _Person]  # type: ignore[valid-type]
    """The players' ids; empty for somebody who is not known, or not any longer."""
    names: tuple[str, str]
    """What they were called then."""
    scores: tuple[tuple[float, float], tuple[float, float]]
    """The points of the dwarfs and of the trolls in each battle."""
    moves: int
    """The moves of both battles together."""
    private: bool = False
    """Whether it was played at a table that only the invited saw."""
    set_up: bool = False
    """Whether it had a handicap, or another start than usual."""
    unrated: bool = False
    """Whether a player had said before it began that it is not rated."""
    struck: bool = False
    """Whether the owner has struck it out: it is not rated."""
    starts: tuple[tuple[float, float], tuple[float, float]] = ((0, 0), (0, 0))
    """The players' ratings by their matches against the levels, value and deviation; zeros if
    unknown."""

    @property
    def tally(self) -> tuple[float, float]:
        """Both players' points: the first has the dwarfs in the first battle, then the trolls."""
        (one, two), (three, four) = self.scores
        return one + four, two + three


class Results(Struct):
    """All results, in the order in which the matches ended, and who is not to be looked up."""

    results: list[Result] = []
    hidden: list[str] = []


_DECODER: Final = msgspec.json.Decoder(Results)


def result_of(
    name: str,
    match: Match,
    people: tuple[str, str],
    *,
    private: bool,
    ended: float,
    unrated: bool = False,
) -> Result:
    """Return the result of a finished match.

    Args:
        name: its id.
        match: the match, which is over.
        people: the players' ids.
        private: whether only the invited saw its table.
        ended: when it ended, in seconds since 1970.
        unrated: whether a player had said before it began that it is not rated.
    """
    outcomes = [battle.outcome for battle in match.battles]
    scores = [each.score if each else None for each in outcomes]
    dwarfs, trolls = (
        [float(each.of(side)) if each else 0.0 for each in scores]
        for side in (Side.DWARFS, Side.TROLLS)
    )
    return Result(
        name,
        ended,
        match.variant.name,
        people,
        match.players,
        ((dwarfs[0], trolls[0]), (dwarfs[1], trolls[1])),
        sum(battle.played for battle in match.battles),
        private,
        any(start != match.variant.start for start in match.starts),
        unrated,
    )


class ResultsFile:
    """The file with the results.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def stamp(self) -> tuple[int, ...]:
        """What differs between two versions of the file; empty if there is none."""
        with suppress(OSError):
            status = self._path.stat()
            return status.st_ino, status.st_mtime_ns, status.st_size
        return ()

    def load(self) -> Results:
        """Return the results; none if the file is missing or damaged."""
        with suppress(msgspec.DecodeError, RecursionError):
            if data := read_regular(self._path, _MOST_BYTES):
                return _DECODER.decode(data)
        return Results()

    @contextmanager
    def changing(self) -> Iterator[Results]:
        """Context manager: yield the results; if it succeeds, save them as changed.

        A damaged file stays beside the new one, its name ending in `DAMAGED`.

        Raises:
            OSError: they cannot be saved.
        """
        lock = self._locked()
        try:
            found = self.load()
            before = msgspec.json.encode(found)
            yield found
            if (data := msgspec.json.encode(found)) != before:
                if self._path.exists() and not _is_sound(self._path):
                    self._path.replace(self._path.with_name(f"{self._path.name}{DAMAGED}"))
                write_atomic(self._path, data, private=True)
        finally:
            lock.release()

    def change(self, change: Callable[[Results], object]) -> None:
        """Change the results, and save them.

        Raises:
            OSError: they cannot be saved.
        """
        with self.changing() as found:
            change(found)

    def _locked(self) -> Lock:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path.with_suffix(".lock")
        for _ in range(_TRIES):
            with suppress(Locked):
                return Lock(path)
            time.sleep(_BETWEEN_TRIES)
        raise OSError(f"{self._path.name} is in use")


def replaced(results: Iterable[Result], new: Iterable[Result], gone: Iterable[str]) -> list[Result]:
    """Return results without those that are gone, and with new ones at the end.

    One that is known already keeps its place, so that what follows from the order stays the same.
    """
    fresh = {each.id: each for each in new}
    missing = {*gone}
    kept = [fresh.pop(each.id, each) for each in results if each.id not in missing]
    return kept + [each for each in fresh.values() if each.id not in missing]


def _is_sound(path: Path) -> bool:
    with suppress(msgspec.DecodeError, RecursionError):
        _DECODER.decode(read_regular(path, _MOST_BYTES))
        return True
    return False
