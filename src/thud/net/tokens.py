"""What shows at a host that a seat is one's own, kept by the guest from one evening to the next."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from thud.disk.directories import data_directory
from thud.disk.small import read_small, write_small
from thud.net.fields import SECRET, BadMessage

_MOST_BYTES: Final = 4096
_MOST: Final = 200
"""So many tokens are kept, those that were used last."""


class Tokens:
    """The tokens of one user, by the ids of the hosts.

    Args:
        directory: the data directory, if not the usual one.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._seats = (data_directory() if directory is None else directory) / "seats"

    def of(self, host: str) -> str:
        """Return the token for a host, empty if there is none."""
        with suppress(BadMessage):
            return str(SECRET.read(read_small(self._path(host), _MOST_BYTES).get("token", "")))
        return ""

    def keep(self, host: str, token: str) -> str:
        """Keep the token for a host; return why that is not possible, empty if it is done."""
        try:
            write_small(self._path(host), {"token": token}, private=True)
            self._clear()
        except OSError as error:
            return f"your seat is not kept: {error.strerror or error}"
        return ""

    def _path(self, host: str) -> Path:
        return self._seats / f"{SECRET.read(host) or '-'}.json"

    def _clear(self) -> None:
        """Forget those that were not used for longest."""
        kept = sorted(self._seats.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-_MOST]:
            path.unlink(missing_ok=True)
