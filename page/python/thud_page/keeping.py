"""All that is kept as one file, and such a file opened again."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import count
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from thud.disk.atomic import write_atomic
from thud.records.store import LOCK, SUFFIX, SUMMARIES

_MOST_FILES: Final = 20_000
_MOST_BYTES: Final = 64 << 20
_NOT_KEPT: Final = (LOCK, ".tmp", SUMMARIES)


class Restored(NamedTuple):
    """What a file brought back."""

    added: int
    """Files that were not here."""
    matches: int
    """Matches among them."""
    known: int
    """Files that are here already, or in another state, which stays."""

    @property
    def sentence(self) -> str:
        """The same in words."""
        if not self.added:
            return "All of that is here already."
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return f"Opened: {matches}, {self.added - self.matches} other files. What was here stays."


def saved_as_one(places: Mapping[str, Path]) -> bytes:
    """Return a zip file of directories, each under its name."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, place in places.items():
            for path in _files(place):
                archive.write(path, f"{name}/{path.relative_to(place).as_posix()}")
    return file.getvalue()


def restore(file: BinaryIO, places: Mapping[str, Path]) -> Restored:
    """Add what a zip file of `saved_as_one` has, and is not here; what is here stays.

    A match that went on elsewhere is added under another name.

    Raises:
        ValueError: it is no such file, or too large.
        OSError: it cannot be written.
    """
    added = matches = known = 0
    for name, data in _content(file, places):
        target = places[name.parts[0]].joinpath(*name.parts[1:])
        is_match = target.suffix == SUFFIX
        if is_match and target.exists() and target.read_bytes() != data:
            target = _another(target, data)
        if target.exists():
            known += 1
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, data)
        added += 1
        matches += is_match
    return Restored(added, matches, known)


def _files(place: Path) -> Iterator[Path]:
    for path in sorted(place.rglob("*")):
        if path.is_file() and not path.name.endswith(_NOT_KEPT):
            yield path


def _content(file: BinaryIO, places: Mapping[str, Path]) -> Iterator[tuple[PurePosixPath, bytes]]:
    try:
        archive = ZipFile(file)
        listed = [each for each in archive.infolist() if not each.is_dir()]
        _check(listed, places)
        for each in listed:
            with archive.open(each) as content:
                data = content.read(each.file_size + 1)
            if len(data) != each.file_size:
                raise BadZipFile
            yield PurePosixPath(each.filename), data
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error):
        raise ValueError("the file is damaged, or no file of Thud's") from None


def _check(listed: list[ZipInfo], places: Mapping[str, Path]) -> None:
    if len(listed) > _MOST_FILES or sum(each.file_size for each in listed) > _MOST_BYTES:
        raise ValueError("the file is too large to be one of Thud's")
    for each in listed:
        name = PurePosixPath(each.filename)
        if len(name.parts) < 2 or name.parts[0] not in places or ".." in name.parts:
            raise ValueError("it is no file of Thud's: it has other things in it")


def _another(path: Path, data: bytes) -> Path:
    """Return the first path of such a name that is free, or has the same content."""
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(each for each in names if not each.exists() or each.read_bytes() == data)
