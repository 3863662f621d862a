"""The last choices on the front page, kept with the data, not the settings.

They change with every match that is begun there: a settings file that people write, and perhaps
share among computers, is left alone for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from thud.disk.small import read_small, write_small
from thud.records.programs import HIGHEST_LEVEL, of_seven
from thud.rules.handicaps import MOST, Handicap
from thud.rules.match import DEFAULT_PLAYERS, InvalidPlayers, player_names
from thud.rules.variants import VARIANTS

FILE_NAME: Final = "last-match.json"
_MAX_BYTES: Final = 4096


HANDICAPS: Final[Mapping[str, Handicap]] = MappingProxyType(
    {
        f"{player + 1}:{steps}": Handicap(player, steps)
        for player in (0, 1)
        for steps in range(1, MOST + 1)
    }
)
"""Every handicap that can be chosen, by how a command line has it, whoever the players are."""


CLOCKS: Final = ("5", "10+5", "20+10", "45", "15/3x30", "30/5x60")
"""The clocks that can be chosen, as a command line has them."""


DAYS: Final = ("1d", "3d", "7d")
"""The clocks that can be chosen besides at a table of a club, where players come back for days."""


class LastChoices(NamedTuple):
    """The choices of the match begun last."""

    variant: str = "classic"
    seats: tuple[str, str] = ("human", "human")
    """Who plays, as on a command line; the first commands the dwarfs in the first battle."""
    names: tuple[str, str] = DEFAULT_PLAYERS
    """The players' names, which a computer does not use."""
    handicap: str = ""
    """Who gives how many steps, as on a command line: `"1:2"`; empty for nobody."""
    clock: str = ""
    """One of `CLOCKS`, empty for none."""


def load_choices(directory: Path) -> LastChoices:
    """Return the last choices in a data directory; what is not there or wrong is as by itself."""
    return _checked(read_small(directory / FILE_NAME, _MAX_BYTES))


def save_choices(directory: Path, choices: LastChoices) -> None:
    """Keep choices in a data directory.

    Raises:
        OSError: that is not possible.
    """
    write_small(directory / FILE_NAME, {**choices._asdict(), "levels": HIGHEST_LEVEL})


def _checked(values: dict[str, Any]) -> LastChoices:
    usual = LastChoices()
    variant = values.get("variant")
    return LastChoices(
        variant if isinstance(variant, str) and variant in VARIANTS else usual.variant,
        _seats(values) or usual.seats,
        _names(values.get("names")) or usual.names,
        _handicap(values.get("handicap")),
        _clock(values.get("clock")),
    )


def _handicap(value: object) -> str:
    return value if isinstance(value, str) and value in HANDICAPS else ""


def _clock(value: object) -> str:
    return value if isinstance(value, str) and value in (*CLOCKS, *DAYS) else ""


def _pair(value: object) -> tuple[str, str] | None:
    match value:
        case [str(first), str(second)]:
            return first, second
    return None


def _seats(values: dict[str, Any]) -> tuple[str, str] | None:
    """Return who plays; a file of before there were twelve levels numbers them otherwise."""
    pair = _pair(values.get("seats"))
    if pair is None or values.get("levels") == HIGHEST_LEVEL:
        return pair
    today = {f"cpu:{level}": f"cpu:{of_seven(level)}" for level in range(1, 8)}
    first, second = (today.get(seat, seat) for seat in pair)
    return first, second


def _names(value: object) -> tuple[str, str] | None:
    pair = _pair(value)
    try:
        return player_names(*pair) if pair else None
    except InvalidPlayers:
        return None
