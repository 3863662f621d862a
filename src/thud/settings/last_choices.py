"""The last choices on the front page, saved with the data, not the settings.

They change with every match begun there: a settings file, which users write and may share between
computers, should not.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from thud.disk.directories import LAST_CHOICES
from thud.disk.small import read_small, write_small
from thud.records.programs import HIGHEST_LEVEL, today
from thud.rules.match import DEFAULT_PLAYERS, MOST_STEPS, Handicap, InvalidPlayers, player_names
from thud.rules.variants import VARIANTS

_MAX_BYTES: Final = 4096


HANDICAPS: Final[Mapping[str, Handicap]] = MappingProxyType(
    {
        f"{player + 1}:{steps}": Handicap(player, steps)
        for player in (0, 1)
        for steps in range(1, MOST_STEPS + 1)
    }
)
"""All handicaps by their text on the command line, whoever the players are."""


CLOCKS: Final = ("5", "10+5", "20+10", "45", "15/3x30", "30/5x60")
"""Clocks to choose from, as on the command line."""


DAYS: Final = ("1d", "3d", "7d")
"""Further clocks at a club's tables, where players come back for days."""


EXTRA_ROWS: Final = ("resume", "replay", "practise")
"""The rows of the front page that are there only if there is something for them."""


class LastChoices(NamedTuple):
    """The choices of the last match begun."""

    variant: str = "classic"
    seats: tuple[str, str] = ("human", "human")
    """The players, as on the command line; the first has the dwarfs in the first battle."""
    names: tuple[str, str] = DEFAULT_PLAYERS
    """The names of the person here and of another, if both are people."""
    handicap: str = ""
    """The handicap, as on the command line, such as `"1:2"`; empty for none."""
    clock: str = ""
    """One of `CLOCKS` or `DAYS`, empty for none."""
    fitting: int = 0
    """The level that fitted the person then; 0 if that is not known."""
    opener: int = 0
    """The player, 0 or 1, that the person here was, unless the seats tell."""
    pair: tuple[str, str] = DEFAULT_PLAYERS
    """The names of two people at one terminal, once they are known."""
    rows: tuple[str, ...] = ()
    """Those of `EXTRA_ROWS` that the page had, to be there again before matches are read."""

    @property
    def begun(self) -> bool:
        """Whether a match has been begun."""
        return self._replace(rows=()) != LastChoices()


def load_choices(directory: Path) -> LastChoices:
    """Load the last choices from a data directory; missing or invalid ones get defaults."""
    values, usual = read_small(directory / LAST_CHOICES, _MAX_BYTES), LastChoices()

    def one_of(name: str, known: Container[str]) -> str:
        value = values.get(name)
        return value if isinstance(value, str) and value in known else ""

    first, second = _pair(values.get("seats")) or usual.seats
    # The oldest files do not say how many levels they count: it was seven.
    levels = values.get("levels", 7)
    if levels in (7, 12):
        now = {f"cpu:{level}": f"cpu:{today(level, levels)}" for level in range(1, 13)}
        first, second = now.get(first, first), now.get(second, second)
    named = {"names": usual.names, "pair": usual.pair}
    for each in named:
        if pair := _pair(values.get(each)):
            with suppress(InvalidPlayers):
                named[each] = player_names(*pair)
    level = values.get("fitting")
    rows = found if isinstance(found := values.get("rows"), list) else []
    return LastChoices(
        one_of("variant", VARIANTS) or usual.variant,
        (first, second),
        named["names"],
        one_of("handicap", HANDICAPS),
        one_of("clock", (*CLOCKS, *DAYS)),
        level if levels == HIGHEST_LEVEL and type(level) is int and 0 < level <= levels else 0,
        int(values.get("opener") == 1),
        named["pair"],
        tuple(each for each in EXTRA_ROWS if each in rows),
    )


def kept_names(directory: Path) -> tuple[tuple[str, str], str]:
    """Return the names kept of two people at one terminal, and of the person here, if any."""
    choices = load_choices(directory)
    own = choices.names[choices.opener]
    pair = choices.names if choices.pair == DEFAULT_PLAYERS else choices.pair
    return pair, "" if own in DEFAULT_PLAYERS else own


def _pair(value: object) -> tuple[str, str] | None:
    match value:
        case [str(first), str(second)]:
            return first, second
    return None


def save_choices(directory: Path, choices: LastChoices) -> None:
    """Save choices in a data directory.

    Raises:
        OSError: they cannot be saved.
    """
    write_small(directory / LAST_CHOICES, {**choices._asdict(), "levels": HIGHEST_LEVEL})
