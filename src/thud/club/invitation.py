"""The invitation's secret: made once and kept, so that what was handed out stays true."""

from __future__ import annotations

import re
from typing import Final

from thud.club.places import club_directory
from thud.disk.atomic import write_atomic
from thud.net.transports.invitation import new_secret
from thud.net.transports.permissions import read_bytes
from thud.wording.text import quoted

_NAME: Final = "invitation"
_MOST_BYTES: Final = 100
_SECRET: Final = re.compile(r"([A-Za-z0-9_-]{22})\n", re.ASCII)


def own_secret(*, anew: bool = False) -> str:
    """Return the secret of this user's club; make one the first time, or if another is wanted.

    Raises:
        ValueError: the file of it is damaged, or others could read it.
        OSError: it cannot be read or written.
    """
    path = club_directory() / _NAME
    if anew or not path.exists():
        write_atomic(path, f"{new_secret()}\n".encode(), private=True)
    found = _SECRET.fullmatch(read_bytes(path, _MOST_BYTES).decode("ascii", "replace"))
    if not found:
        raise ValueError(
            f"{quoted(str(path), 200)} is damaged: 'thud serve --new-invitation' makes another"
        )
    return found[1]
