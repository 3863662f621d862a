"""Directories and files that no other user could have changed.

Every directory is checked from the root down, by its owner and its rights: once all above it belong
to this user or to root, nobody else can put another in its place, so that the names stay what was
checked.  A file is opened first, and what is open is checked.  On Windows nothing is checked: a
user's directories are protected there by default.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

_CHECKED: Final = hasattr(os, "geteuid")
_MOST_LINKS: Final = 40
_READING: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe would block until somebody writes
    | getattr(os, "O_BINARY", 0)
)


def make_private(directory: Path) -> None:
    """Create a directory, and those above it that are missing, for this user alone.

    Raises:
        OSError: it cannot be created.
    """
    if not directory.is_dir():
        make_private(directory.parent)
        directory.mkdir(mode=0o700, exist_ok=True)


def trusted_directory(directory: Path) -> Path:
    """Return the real path of a directory in which only this user and root can change anything.

    Of those above it, one may let others create files if it keeps them from replacing this user's
    (the sticky bit, as `/tmp` has it), or be writable by the user's own group, as some homes are.
    Links on the way are followed if they are this user's or root's; the last name must be no link.

    Raises:
        PermissionError: others could change it, or put another in its place.
        OSError: it is missing, or no directory.
    """
    if not _CHECKED:
        return directory
    path, *names = directory.absolute().parts
    here, ahead, links = Path(path), names[::-1], 0
    _check_directory(here, here.lstat(), last=not ahead)
    while ahead:
        name = ahead.pop()
        if name == "..":
            here = here.parent
            continue
        found = here / name
        status = found.lstat()
        if stat.S_ISLNK(status.st_mode) and ahead and links < _MOST_LINKS:
            _check_owner(found, status)
            links += 1
            path, *names = (here / found.readlink()).parts
            here, ahead = Path(path), ahead + names[::-1]
            continue
        _check_directory(found, status, last=not ahead)
        here = found
    return here


def read_trusted(path: Path, most: int) -> bytes:
    """Return the content of a regular file that only this user or root could have written.

    Raises:
        PermissionError: others could have written it, or it is a link.
        OSError: it cannot be read, or has more than `most` bytes.
    """
    with open(trusted_directory(path.parent) / path.name, "rb", opener=_open) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            raise OSError(f"{path} is not a file of at most {most} bytes")
        if _CHECKED:
            _check_owner(path, status)
            if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise PermissionError(f"others can change {path}")
        return file.read(most)


def _open(path: str, _: int) -> int:
    return os.open(path, _READING)


def _check_owner(path: Path, status: os.stat_result) -> None:
    if status.st_uid not in (0, os.geteuid()):
        raise PermissionError(f"{path} belongs to another user")


def _check_directory(path: Path, status: os.stat_result, *, last: bool) -> None:
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"{path} is not a directory")
    _check_owner(path, status)
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not last and (status.st_mode & stat.S_ISVTX or status.st_gid == os.getegid()):
        shared &= ~stat.S_IWGRP
    if not last and status.st_mode & stat.S_ISVTX:
        shared &= ~stat.S_IWOTH
    if shared:
        raise PermissionError(f"others can change {path}")
