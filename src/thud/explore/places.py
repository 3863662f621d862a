"""Which files there are to look into, and whether they are still as they were."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, TypeAlias

from thud.records.formats import READABLE
from thud.rules.variant import Variant

CORPUS: Final = Path(__file__).with_name("corpus")
"""Battles of the computer that come with the program; `tools/make_corpus.py` makes them."""

Stamp: TypeAlias = str
"""What tells a file from a later one of the same name: size, time, and how it is read."""


def corpus_of(variant: Variant) -> Path:
    """Return the file with the battles of the computer in a game."""
    return CORPUS / f"{variant.name}.tgn"


def checked(names: Iterable[str]) -> list[Path]:
    """Return the files and folders that people name.

    Raises:
        OSError: there is no such one.
        ValueError: it is neither a folder nor a file that can be a record.
    """
    return [_checked(Path(os.path.expanduser(name))) for name in names]


def _checked(path: Path) -> Path:
    mode = path.stat().st_mode
    if not S_ISDIR(mode) and not (S_ISREG(mode) and _readable(path.name)):
        raise ValueError(f"{path} is neither a folder nor a {' or '.join(READABLE)} file")
    return path


def stamps_in(
    roots: Iterable[Path], variant: Variant | None, stopped: Callable[[], bool] = lambda: False
) -> dict[Path, Stamp]:
    """Return the files that can be records at some places and in all folders below.

    Places that are not there, or may not be looked into, have none; links to folders are not
    followed.

    Args:
        roots: files and folders.
        variant: the game of the files that do not name it.
        stopped: is asked all the time whether to look no further.
    """
    found: dict[Path, Stamp] = {}
    for root in roots:
        # A folder that is reached in two ways is looked into once.
        for path in _below(Path(os.path.realpath(root)), stopped):
            if stamp := _stamp(path, variant):
                found[path] = stamp
    return found


def _below(root: Path, stopped: Callable[[], bool]) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    for folder, _, names in os.walk(root):
        # What begins with a point is being written, or not meant to be seen.
        for name in (name for name in names if _readable(name) and name[0] != "."):
            if stopped():
                return
            yield Path(folder, name)
        if stopped():
            return


def _readable(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in READABLE


def _stamp(path: Path, variant: Variant | None) -> Stamp:
    """Return the stamp of a file, nothing if it is none."""
    try:
        status = path.stat()
    except OSError:
        return ""
    if not S_ISREG(status.st_mode):
        return ""
    named = variant.name if variant and path.suffix.lower() != ".tgn" else ""
    return f"{status.st_size} {status.st_mtime_ns} {named}"
