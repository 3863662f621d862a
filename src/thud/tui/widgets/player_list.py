"""The list of who plays from a position."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text
from textual.widgets.option_list import Option

from thud.engines.spec import HUMAN, level_contender
from thud.records.programs import HIGHEST_LEVEL
from thud.rules.position import Side
from thud.tui.widgets.modals import ListScreen


def player_list(when: str) -> ListScreen:
    """Return a list of pairings; the answer names both contenders, the dwarfs' one first.

    Args:
        when: when they have these sides, such as `"first"`.
    """
    return ListScreen("Who plays from here?", list(_options(when)))


def _options(when: str) -> Iterator[Option | None]:
    yield Option("Two people at this terminal", id=f"{HUMAN} {HUMAN}")
    for side in Side:
        yield None
        yield Option(Text(f"You, with the {side.plural} {when}, against", "bold"), disabled=True)
        for level in range(1, HIGHEST_LEVEL + 1):
            contender = level_contender(level)
            seats = (HUMAN, contender.text) if side is Side.DWARFS else (contender.text, HUMAN)
            yield Option(f"  level {level}, {contender.name}", id=" ".join(seats))
    yield None
    yield Option("The best computer against itself", id="cpu cpu")
