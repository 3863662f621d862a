"""A private file with one value as JSON, changed by several processes: whole, under a lock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec

from thud.disk.atomic import write_atomic
from thud.disk.lock import Lock, Locked
from thud.disk.small import DAMAGED, read_regular

_MOST_BYTES: Final = 1 << 28
_TRIES: Final = 100
_BETWEEN_TRIES: Final = 0.05

_Value = TypeVar("_Value")


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return what differs between two versions of a file; empty if there is none."""
    with suppress(OSError):
        status = path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size
    return ()


class StructFile(Generic[_Value]):
    """A file with one value, replaced as a whole.

    Args:
        path: the file.
        kind: the value's type, which can be made without arguments.
    """

    def __init__(self, path: Path, kind: type[_Value]) -> None:
        self._path = path
        self._kind = kind
        self._decoder = msgspec.json.Decoder(kind)

    @property
    def stamp(self) -> tuple[int, ...]:
        """What differs between two versions of the file; empty if there is none."""
        return stamp_of(self._path)

    def load(self) -> _Value:
        """Return the value; an empty one if the file is missing or damaged."""
        return self._read() or self._kind()

    @contextmanager
    def changing(self) -> Iterator[_Value]:
        """Context manager: yield the value; if it succeeds, save it as changed.

        A damaged file stays beside the new one, its name ending in `DAMAGED`.

        Raises:
            OSError: it cannot be saved.
        """
        lock = self._locked()
        try:
            found = self.load()
            before = msgspec.json.encode(found)
            yield found
            if (data := msgspec.json.encode(found)) != before:
                if self._path.exists() and self._read() is None:
                    self._path.replace(self._path.with_name(f"{self._path.name}{DAMAGED}"))
                write_atomic(self._path, data, private=True)
        finally:
            lock.release()

    def change(self, change: Callable[[_Value], object]) -> None:
        """Change the value, and save it.

        Raises:
            OSError: it cannot be saved.
        """
        with self.changing() as found:
            change(found)

    def _read(self) -> _Value | None:
        with suppress(msgspec.DecodeError, RecursionError):
            return self._decoder.decode(read_regular(self._path, _MOST_BYTES))
        return None

    def _locked(self) -> Lock:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path.with_suffix(".lock")
        for _ in range(_TRIES):
            with suppress(Locked):
                return Lock(path)
            time.sleep(_BETWEEN_TRIES)
        raise OSError(f"{self._path.name} is in use")
