"""The index: a SQLite database of the moves played in each file.

It is a cache: if damaged it is rebuilt, and if it cannot be stored it is temporary.  Several
processes may use it at once; each counts only the files it has chosen.  The plays of a dropped file
stay, uncounted, until there are enough of them to be worth a scan of the whole table.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Final, NamedTuple

from thud.disk.lock import Lock, Locked
from thud.explore.files import PLIES, BattleLine, Content, Stamp

NAME: Final = "explored.sqlite"
_OURS: Final = 0x54687564
"""SQLite `application_id` of our database."""

_VERSION: Final = 5
"""Version of the contents: raised when files would be indexed differently."""

_TIMEOUT: Final = 30
"""Timeout in seconds for another process that writes."""

_GONE: Final = 200
"""Dropped files that are worth a scan of the whole index."""

_A_MOMENT: Final = 0.02

_LONGEST: Final = 20
"""Timeout of a query in seconds: a sound index answers within one."""

_FILES: Final = [NAME, *(NAME + ending for ending in ("-wal", "-shm", "-journal"))]

_KIND: Final = 0xFF
"""Mask of an error code's primary part."""

_DAMAGED: Final = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR),
    *(sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_INTERRUPT),
)
"""Primary error codes that a sound index never has."""

_MARKS: Final = ("application_id", "user_version")

_MADE: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE file (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    fault TEXT NOT NULL
);
CREATE TABLE battle (
    file INTEGER NOT NULL,
    begin INTEGER NOT NULL,
    players TEXT NOT NULL,
    opening TEXT NOT NULL,
    moves INTEGER NOT NULL,
    PRIMARY KEY (file, begin)
) WITHOUT ROWID;
CREATE TABLE play (
    position INTEGER NOT NULL,
    file INTEGER NOT NULL,
    place INTEGER NOT NULL,
    move BLOB NOT NULL,
    margin REAL,
    PRIMARY KEY (position, file, place)
) WITHOUT ROWID;
CREATE TABLE gone (file INTEGER PRIMARY KEY);
PRAGMA application_id = {_OURS};
PRAGMA user_version = {_VERSION};
COMMIT;
"""

_CHOSEN: Final = "CREATE TEMP TABLE chosen (file INTEGER PRIMARY KEY, own INTEGER)"

_COUNTED: Final = """
SELECT move, COUNT(*), SUM(margin > 0), SUM(margin = 0), SUM(margin < 0), AVG(margin),
AVG(margin * margin), SUM(own), AVG(margin) FILTER (WHERE own)
FROM play JOIN chosen USING (file) WHERE position = ? GROUP BY move
"""

_SAMPLES: Final = """
SELECT path, place, margin, players, opening, moves
FROM play JOIN file ON file.id = play.file
JOIN battle ON battle.file = play.file AND battle.begin = play.place - play.place % ?
WHERE position = ? AND play.file IN (SELECT file FROM chosen) AND (? IS NULL OR move = ?)
ORDER BY play.file DESC, place LIMIT ?
"""


class IndexedFile(NamedTuple):
    """A file in the index: its number, its stamp, and its fault, if any."""

    number: int
    stamp: Stamp
    fault: str


class Counted(NamedTuple):
    """A move's count and results; `mean` is the mean margin, None if none is known.

    `square` is the mean of the squared margins.
    `own` and `own_mean` are the same of the people's files alone.
    `move` is in canonical form.  Without a known margin, `dwarfs`, `drawn` and `trolls` are None.
    """

    move: bytes
    number: int
    dwarfs: int | None
    drawn: int | None
    trolls: int | None
    mean: float | None
    square: float | None
    own: int
    own_mean: float | None


class Senseless(sqlite3.DatabaseError):
    """The index returned data that was never written to it."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the index itself is damaged; else the disk or another process is at fault."""
    return getattr(error, "sqlite_errorcode", 0) & _KIND in _DAMAGED


@contextmanager
def sensibly() -> Iterator[None]:
    """Context manager: treat an answer that makes no sense as damage."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise Senseless("its contents make no sense") from error


class Index:
    """An open index; its queries raise only `sqlite3.DatabaseError`.

    Args:
        directory: holds the database; made if missing.

    Raises:
        sqlite3.Error: not even a temporary database can be made.
    """

    def __init__(self, directory: Path) -> None:
        self._temporary: Path | None = None
        self._path = directory / NAME
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._open()
        except (OSError, sqlite3.OperationalError):
            self._temporary = Path(mkdtemp(prefix="thud-"))
            self._path = self._temporary / NAME
            self._open()

    @property
    def lasts(self) -> bool:
        """Whether it is persistent, not temporary."""
        return self._temporary is None

    def _open(self) -> None:
        """Open the database; rebuild it unless it is sound and ours."""
        if not self._connect():
            with _locked(self._path):
                # Another process may have been quicker.
                if not self._connect():
                    self._make_anew()

    def _connect(self) -> bool:
        """Open the database if it is ours and sound; return whether it is.

        One connection writes, another reads, and waits only while changes are committed.
        """
        files = [each for name in _FILES if (each := self._path.with_name(name)).exists()]
        if self._path not in files or not self._path.stat().st_size:
            return False
        if not all(each.is_file() for each in files):  # opening a pipe would block
            return False
        # With a write-ahead log, its index would be shared memory, and a truncated file would end
        # the program: ours has none.
        with self._path.open("rb") as database:
            if database.read(20)[18:] == b"\2\2":
                return False
        self._writer, self._reader = _connected(self._path), _connected(self._path)
        try:
            with sensibly():
                if _marks(self._writer) == _ours():
                    self._reader.execute("PRAGMA temp_store = MEMORY")
                    self._reader.execute(_CHOSEN)
                    self._made = self._path.stat().st_ino
                    return True
        except sqlite3.OperationalError as error:
            if not is_damage(error):
                self._disconnect()
                raise
        except sqlite3.DatabaseError:
            pass
        self._disconnect()
        return False

    def _disconnect(self) -> None:
        self._writer.close()
        self._reader.close()

    def _make_anew(self) -> None:
        for name in _FILES:
            self._path.with_name(name).unlink(missing_ok=True)
        with closing(_connected(self._path)) as new:
            new.executescript(_MADE)
        self._connect()

    def rebuild(self) -> None:
        """Rebuild a damaged database."""
        self._disconnect()
        with _locked(self._path):
            if not self._path.exists() or self._path.stat().st_ino == self._made:
                self._make_anew()
                return
        self._open()

    def close(self) -> None:
        """Close the database, and delete a temporary one."""
        self._disconnect()
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)

    # Writing

    def known(self) -> dict[Path, IndexedFile]:
        """Return every file in it."""
        with sensibly(), _bounded(self._writer):
            rows = self._writer.execute("SELECT path, id, stamp, fault FROM file")
            return {Path(os.fsdecode(path)): IndexedFile(*rest) for path, *rest in rows}

    def add(self, read: Mapping[Path, tuple[Stamp, Content]]) -> list[int]:
        """Add files, replacing what is known of them; return their numbers.

        Files that another process has added meanwhile stay.
        """
        numbers: list[int] = []
        plays: list[tuple[int, int, int, bytes, float | None]] = []
        with sensibly(), self._writing() as writer:
            for path, (stamp, content) in read.items():
                name = os.fsencode(path)
                row = writer.execute(
                    "SELECT id, stamp FROM file WHERE path = ?", (name,)
                ).fetchone()
                if row and row[1] == stamp:
                    numbers.append(int(row[0]))
                    continue
                if row:
                    _drop(writer, [row[0]])
                number = writer.execute(
                    "INSERT INTO file (path, stamp, fault) VALUES (?, ?, ?)",
                    (name, stamp, content.fault),
                ).lastrowid
                assert number is not None
                numbers.append(number)
                writer.executemany(
                    "INSERT INTO battle VALUES (?, ?, ?, ?, ?)",
                    ((number, begin, *line) for begin, line in content.battles.items()),
                )
                plays += [
                    (position, number, where, move, margin)
                    for position, where, move, margin in content.plays
                ]
            plays.sort()  # in the table's order, each page is touched once
            writer.executemany("INSERT INTO play VALUES (?, ?, ?, ?, ?)", plays)
        return numbers

    def drop(self, numbers: Sequence[int]) -> None:
        """Drop files, and delete their plays once there are many."""
        if not numbers:
            return
        with self._writing() as writer:
            _drop(writer, numbers)
        gone, files = (_only(self._writer, f"SELECT COUNT(*) FROM {t}") for t in ("gone", "file"))
        if gone >= max(_GONE, files // 4):
            with self._writing() as writer:
                for table in ("play", "battle"):
                    writer.execute(f"DELETE FROM {table} WHERE file IN (SELECT file FROM gone)")
                writer.execute("DELETE FROM gone")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            yield self._writer
        except BaseException:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            raise
        self._writer.execute("COMMIT")

    # Queries

    def choose(self, numbers: Mapping[int, bool]) -> None:
        """Count only these files from now on, and tell people's own ones apart."""
        self._reader.execute("BEGIN")
        self._reader.execute("DELETE FROM chosen")
        self._reader.executemany("INSERT INTO chosen VALUES (?, ?)", numbers.items())
        self._reader.execute("COMMIT")

    def counted(self, position: int) -> list[Counted]:
        """Return the moves played in a position."""
        with sensibly(), _bounded(self._reader):
            return [Counted(*row) for row in self._reader.execute(_COUNTED, (position,))]

    def samples(
        self, position: int, move: bytes | None, most: int
    ) -> list[tuple[Path, int, float | None, BattleLine]]:
        """Return battles with a position, or a move in it: files, places, margins, lines.

        Last indexed files come first.
        """
        with sensibly(), _bounded(self._reader):
            rows = self._reader.execute(_SAMPLES, (PLIES, position, move, move, most))
            return [
                (Path(os.fsdecode(path)), place, margin, BattleLine(*line))
                for path, place, margin, *line in rows
            ]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Context manager: exclude other processes from rebuilding the database.

    Raises:
        OSError: another process takes too long.
    """
    lock, until = None, monotonic() + _TIMEOUT
    while lock is None:
        try:
            lock = Lock(path.with_suffix(".lock"))
        except Locked:
            if monotonic() > until:
                raise TimeoutError("another program is rebuilding the index") from None
            sleep(_A_MOMENT)
    try:
        yield
    finally:
        lock.release()


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)  # it cannot open other files
    # Errors show again, and are handled, at the first query.
    with suppress(sqlite3.DatabaseError, ValueError):
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16384")
    return connection


@contextmanager
def _bounded(connection: sqlite3.Connection) -> Iterator[None]:
    """Context manager: interrupt a query on a timeout; in a damaged table it might never end."""
    until = monotonic() + _LONGEST
    connection.set_progress_handler(lambda: monotonic() > until, 100_000)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def _marks(connection: sqlite3.Connection) -> tuple[object, ...]:
    """Return a database's identity: its marks and its schema."""
    tables = connection.execute(
        "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
    ).fetchall()
    return *(_only(connection, f"PRAGMA {name}") for name in _MARKS), tables


@cache
def _ours() -> tuple[object, ...]:
    """Return the identity of our databases."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(_MADE)
        return _marks(made)


def _only(connection: sqlite3.Connection, question: str) -> int:
    answer = connection.execute(question).fetchone()[0]
    assert isinstance(answer, int)
    return answer


def _drop(writer: sqlite3.Connection, numbers: Sequence[int]) -> None:
    rows = [(each,) for each in numbers]
    writer.executemany("DELETE FROM file WHERE id = ?", rows)
    writer.executemany("INSERT OR IGNORE INTO gone VALUES (?)", rows)
