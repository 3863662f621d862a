"""Bans and mutes, of visitors and, if that is asked for, of newcomers from their networks."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from thud.club.doors import OURS
from thud.disk.dates import is_ahead
from thud.disk.small import read_small, write_small

KICK_SECONDS: Final = 600.0
"""How long somebody who is kicked stays out."""

_MOST_BYTES: Final = 4096


class Sanctions:
    """Visitors under a sanction, each with the networks that they came from.

    Args:
        directory: holds a file for each visitor.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def impose(self, visitor: str, networks: Iterable[str], seconds: float = math.inf) -> None:
        """Put a visitor under the sanction.

        Args:
            visitor: their id.
            networks: newcomers from there share it.
            seconds: how long it lasts.

        Raises:
            OSError: it cannot be saved.
        """
        until = None if math.isinf(seconds) else time.time() + seconds
        values = {"until": until, "networks": sorted(networks)}
        write_small(self._path(visitor), values, private=True)

    def lift(self, visitor: str) -> None:
        """End a visitor's sanction, if there is one."""
        self._path(visitor).unlink(missing_ok=True)

    def holds(self, visitor: str) -> bool:
        """Whether a visitor is under the sanction now."""
        return self.remaining(visitor) > 0

    def remaining(self, visitor: str) -> float:
        """Return the seconds until a visitor's sanction ends, infinite if never; 0 without one."""
        return _remaining(read_small(self._path(visitor), _MOST_BYTES))

    def sharing(self, network: str) -> list[str]:
        """Return the ids of those under the sanction who came from a network."""
        if network in OURS or not self._directory.is_dir():
            return []
        files = self._directory.glob("*.json")
        return [each.stem for each in files if network in (_networks_in(each) or ())]

    def held(self, least: float = 0.0) -> frozenset[str]:
        """Return the ids of all visitors under the sanction, for so many seconds at least."""
        names = [each.stem for each in self._directory.glob("*.json")]
        return frozenset(each for each in names if 0 < self.remaining(each) >= least)

    def _path(self, visitor: str) -> Path:
        return self._directory / f"{visitor}.json"


def _networks_in(path: Path) -> list[str] | None:
    """Return the networks in a sanction's or a visitor's file; None if nothing holds there."""
    values = read_small(path, _MOST_BYTES)
    if not _remaining(values):
        return None
    found = values.get("networks")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _remaining(values: Mapping[str, object]) -> float:
    """Return the seconds for which a file's values hold; none if a clock was ahead then."""
    if not values:
        return 0.0
    until = values.get("until")
    if not isinstance(until, int | float):
        return math.inf
    return 0.0 if is_ahead(until - KICK_SECONDS) else max(0.0, until - time.time())


class Networks:
    """The last networks that a visitor came from.

    Args:
        directory: the visitor's.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / "networks.json"

    def all(self) -> list[str]:
        """Return them, the latest last."""
        return _networks_in(self._path) or []

    def add(self, network: str) -> None:
        """Note where the visitor comes from.

        Raises:
            OSError: it cannot be saved.
        """
        before = self.all()
        if network and network not in before[-1:]:
            others = [each for each in before if each != network]
            write_small(self._path, {"networks": [*others, network][-4:]}, private=True)
