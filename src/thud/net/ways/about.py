"""What is told of a match that is open, before anybody joins it; pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from thud.records.shelf import is_id
from thud.rules.variants import VARIANTS

LONGEST_NAME: Final = 40
"""Letters of a name; what is beyond them is cut off."""

_SIDES: Final = ("dwarfs", "trolls")


class About(NamedTuple):
    """A match as others see it.

    Args:
        variant: its name.
        players: the names of both, the one first who begins with the dwarfs.
        wanted: which sides somebody can still take: "dwarfs", "trolls".
        since: when it was opened, in seconds since 1970.
    """

    variant: str
    players: tuple[str, str]
    wanted: tuple[str, ...]
    since: float


class Open(NamedTuple):
    """A match that can be joined now.

    Args:
        id: its id.
        about: what it is.
        pid: the number of the process that hosts it, 0 if that is not known.
    """

    id: str
    about: About
    pid: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of JSON."""
        variant, players, wanted, since = self.about
        return {
            "id": self.id,
            "variant": variant,
            "players": [*players],
            "wanted": [*wanted],
            "since": since,
            "pid": self.pid,
        }

    def told(self) -> str:
        """Say what it is, in a few words."""
        title = VARIANTS[self.about.variant].title
        first, second = (name or "nobody yet" for name in self.about.players)
        place = f", {' and '.join(self.about.wanted)} free" if self.about.wanted else ""
        return f"{self.id} ({title}: {first} and {second}{place})"


def read_open(values: Mapping[str, Any]) -> Open | None:
    """Return the match that an object of JSON tells of; None if it tells of none.

    Anybody may have written it: what is not as it should be is left out, or cut short.
    """
    name, variant = values.get("id"), values.get("variant")
    if not (isinstance(name, str) and is_id(name)):
        return None
    if not (isinstance(variant, str) and variant in VARIANTS):
        return None
    wanted = _texts(values.get("wanted"))
    about = About(
        variant,
        _players(_texts(values.get("players"))),
        tuple(side for side in _SIDES if side in wanted),
        _number(values.get("since")),
    )
    return Open(name, about, int(_number(values.get("pid"))))


def _players(names: list[str]) -> tuple[str, str]:
    first, second = (*(_fit(name) for name in names[:2]), "", "")[:2]
    return first, second


def _fit(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name[:LONGEST_NAME])


def _texts(values: object) -> list[str]:
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


def _number(value: object) -> float:
    """Return a number that can be a time or the number of a process, 0 if it is none."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**40
    return float(value) if fits and isinstance(value, int | float) else 0.0
