"""Names of our own players in records: `Thud 0.1.0 level 4 of 15, edition 12`, `Thud 0.1.0 random`.

Older records say `Thud 0.1.0 level 4 of 12, edition 9`, without an edition if it was the first, or
`Thud 0.1.0 level 4`, of seven levels.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from thud import __version__

HIGHEST_LEVEL: Final = 15

MIDDLE_LEVEL: Final = 8
"""The middle of the scale: the Miner, whose rating is 1500."""

EDITION: Final = 12
"""The levels' edition, higher after each change of how strong they are.

2: with the networks; 3: levels 8 to 11 of Classic look at more positions; 4: low levels overlook
moves as people do; 5: Classic has another network; 6: so has single capture, and the
levels of both Classic games are spaced anew; 7: so are 8 to 11 of Classic, 2, 3 and 7 to 11 of
Koom Valley and 9 of Football; 8: single capture has another network, and its levels are spaced
anew; 9: so it is with Classic; 10: there are fifteen levels instead of twelve; 11: level 13 of
single capture looks at fewer positions; 12: the dwarfs of levels 12 and 13 of Football are weaker
and stronger.
"""

SIMPLE_PLAYERS: Final = ("random", "material")
"""The players that have no level."""

_FORMER: Final = {
    7: (1, 3, 8, 9, 11, 14, 15),
    12: (1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15),
}
"""Today's levels for those of former scales, of so many levels; they kept their names."""

_EDITIONS: Final = {7: (1, 1), 12: (1, 9), HIGHEST_LEVEL: (10, EDITION)}
"""The first and the last edition of each scale, by how many levels it has."""

_OWN: Final = (
    r"Thud \S+(?: level (?P<level>[1-9][0-9]?)"
    rf"(?: of (?P<levels>12|{HIGHEST_LEVEL})(?:, edition (?P<edition>[1-9][0-9]?))?)?"
    rf"| (?P<simple>{'|'.join(SIMPLE_PLAYERS)}))?"
)


class OwnPlayer(NamedTuple):
    """One of our own players: a level, a simple player, or neither at full strength."""

    level: int | None = None
    """Today's number for it."""
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
    if not found["level"]:
        return OwnPlayer(simple=found["simple"] or "")
    levels = int(found["levels"] or 7)
    level = today(int(found["level"]), levels)
    first, last = _EDITIONS[levels]
    edition = max(first, min(last, int(found["edition"] or 1)))
    return OwnPlayer(level, edition=edition) if level else None


def today(level: int, levels: int) -> int:
    """Return today's number of a level, or of one of a former scale; 0 if it has no such level.

    Args:
        level: its number.
        levels: how many its scale has: 7, 12 or today's.
    """
    scale = _FORMER.get(levels, range(1, HIGHEST_LEVEL + 1))
    return scale[level - 1] if 0 < level <= len(scale) else 0
