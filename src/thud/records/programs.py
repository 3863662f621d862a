"""Names of our own players in records: `Thud 0.1.0 level 4 of 12, edition 9`, `Thud 0.1.0 random`.

Older records say `Thud 0.1.0 level 4 of 12`, of edition 1, or `Thud 0.1.0 level 4`, of seven
levels.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from thud import __version__

HIGHEST_LEVEL: Final = 12

EDITION: Final = 9
"""The levels' edition, higher after each change of how strong they are.

2: with the networks; 3: levels 8 to 11 of Classic look at more positions; 4: low levels overlook
moves as people do; 5: Classic has another network; 6: so has single capture, and the
levels of both Classic games are spaced anew; 7: so are 8 to 11 of Classic, 2, 3 and 7 to 11 of
Koom Valley and 9 of Football; 8: single capture has another network, and its levels are spaced
anew; 9: so it is with Classic.
"""

SIMPLE_PLAYERS: Final = ("random", "material")
"""The players that have no level."""

_OF_SEVEN: Final = (0, 1, 2, 6, 7, 9, 11, 12)
"""Today's levels for the former seven, which kept their names."""

_OWN: Final = (
    rf"Thud \S+(?: level (?:(?P<level>[1-9]|1[0-2]) of {HIGHEST_LEVEL}"
    r"(?:, edition (?P<edition>[1-9][0-9]?))?|(?P<former>[1-7]))"
    rf"| (?P<simple>{'|'.join(SIMPLE_PLAYERS)}))?"
)


class OwnPlayer(NamedTuple):
    """One of our own players: a level, a simple player, or neither at full strength."""

    level: int | None = None
    simple: str = ""
    edition: int = 1
    """Of the levels, at most ours: nothing is known of later ones."""


def written(player: str | int = "") -> str:
    """Return a player's name for a record: a level, a simple player, or empty for full strength."""
    level = f"level {player} of {HIGHEST_LEVEL}, edition {EDITION}"
    what = level if isinstance(player, int) else player
    return f"Thud {__version__} {what}".rstrip()


def own_player(program: str) -> OwnPlayer | None:
    """Parse a player's name in a record; None if it is not one of ours."""
    found = re.fullmatch(_OWN, program)
    if not found:
        return None
    level = int(found["level"]) if found["level"] else None
    if found["former"]:
        level = of_seven(int(found["former"]))
    return OwnPlayer(level, found["simple"] or "", min(EDITION, int(found["edition"] or 1)))


def of_seven(level: int) -> int:
    """Return today's number of one of the former seven levels."""
    return _OF_SEVEN[level]
