"""Names of our own players in records: `Thud 0.1.0 level 4`, `Thud 0.1.0 random`."""

from __future__ import annotations

import re
from typing import Final

from thud import __version__

_OWN: Final = r"Thud \S+(?: level (?P<level>[1-7])| (?P<simple>random|material))?"


def written(player: str = "") -> str:
    """Return what stands in a record for `level 4` or `random`; full strength has no word."""
    return f"Thud {__version__} {player}".rstrip()


def own_player(program: str) -> re.Match[str] | None:
    """Return the `level` or the `simple` player that a record names, None if it is none of ours."""
    return re.fullmatch(_OWN, program)


def level_of(program: str) -> int | None:
    """Return the level that a record names, None for whoever else."""
    found = own_player(program)
    return int(found["level"]) if found and found["level"] else None
