"""The web hook of a club: players who are away are told outside it where it is their turn.

The keeper sends the messages.  The hook's address is a secret: it stands in a file that only the
club's user reads, and in no log.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from thud.club.owner_file import read_values
from thud.disk.small import read_small, write_small

HOOK_FILE: Final = "hook.toml"
"""Name of the file in the club's directory that has the hook."""

_SECONDS: Final = 15.0
"""Timeout for a message, whatever the other side does; its answer's body is not read."""

_HOUR: Final = 3600.0
_MOST_REMINDED: Final = 1000
_MOST_KEPT: Final = 1 << 20


class Hook(NamedTuple):
    """Where the messages go."""

    url: str
    json: bool = False
    """Whether they are sent as JSON, for chat programs, and not as plain text."""
    hours: float = 1.0
    """Least time between two messages for one player."""
    link: str = ""
    """The club's address, added to each message."""


def hook_in(path: Path) -> Hook | None:
    """Return the hook in a file, None if there is no file.

    Raises:
        ValueError: the file is wrong; the text says in what, without the address.
    """
    if (values := read_values(path, Hook)) is None:
        return None
    if not values.get("url", "").startswith(("https://", "http://")):
        raise ValueError("url has to begin with https://")
    if not 0 <= values.get("hours", 1) <= 1000:
        raise ValueError("hours is a number from 0 to 1000")
    return Hook(**values)


async def post(hook: Hook, message: str) -> str:
    """Send a message; return why that failed, empty if it was accepted."""
    import aiohttp

    # Names are the players' own: Discord must not take them for mentions.
    values = {"text": message, "content": message, "allowed_mentions": {"parse": []}}
    body: Any = {"json": values} if hook.json else {"data": message.encode()}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_SECONDS)) as session,
            session.post(hook.url, allow_redirects=False, **body) as answer,
        ):
            return "" if answer.ok else f"it answers with status {answer.status}"
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as fault:
        # The text of some has the address.
        return f"it cannot be reached ({type(fault).__name__})"


class Reminders:
    """Who wants to be told outside the club, and of what they were told last.

    Args:
        path: the file that keeps it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: dict[str, tuple[float, dict[str, str]]] = {}
        for name, last in read_small(path, _MOST_KEPT).items():
            match last:
                case {"at": int() | float() as at, "told": dict() as told}:
                    self._last[name] = at, {str(table): str(turn) for table, turn in told.items()}
                case _:
                    self._last[name] = 0.0, {}

    @property
    def wanted_by(self) -> tuple[str, ...]:
        """The ids of the visitors who want it."""
        return tuple(self._last)

    def switch(self, visitor: str, on: bool) -> None:
        """Begin or stop to tell a visitor.

        Raises:
            ValueError: too many are told already.
            OSError: it cannot be saved.
        """
        if not on:
            self._last.pop(visitor, None)
        elif len(self._last) >= _MOST_REMINDED:
            raise ValueError("too many players are told already")
        else:
            self._last.setdefault(visitor, (0.0, {}))
        self._save()

    def due(self, visitor: str, turns: Mapping[str, str], now: float, hours: float) -> bool:
        """Whether a visitor is to be told now; not if they no longer want it.

        Args:
            visitor: the visitor's id.
            turns: where it is their turn: for each table a text that changes with each turn.
            now: seconds since 1970.
            hours: least time since they were told last.
        """
        if visitor not in self._last:
            return False
        at, told = self._last[visitor]
        new = any(told.get(table) != turn for table, turn in turns.items())
        return new and not 0 <= now - at < hours * _HOUR

    def note(self, visitor: str, turns: Mapping[str, str], now: float) -> None:
        """Note that a visitor has been told.

        Raises:
            OSError: it cannot be saved.
        """
        if visitor in self._last:
            self._last[visitor] = now, dict(turns)
            self._save()

    def _save(self) -> None:
        kept = {name: {"at": at, "told": told} for name, (at, told) in self._last.items()}
        write_small(self._path, kept, private=True)
