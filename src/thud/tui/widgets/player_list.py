"""The list of who plays from a position."""

from __future__ import annotations

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
    options: list[Option | None] = [Option("Two people at this terminal", id=f"{HUMAN} {HUMAN}")]
    for side in Side:
        title = Text(f"You, with the {side.plural} {when}, against", "bold")
        options += [None, Option(title, disabled=True)]
        for level in range(1, HIGHEST_LEVEL + 1):
            contender = level_contender(level)
            seats = (HUMAN, contender.text) if side is Side.DWARFS else (contender.text, HUMAN)
            options.append(Option(f"  level {level}, {contender.name}", id=" ".join(seats)))
    options += [None, Option("The best computer against itself", id="cpu cpu")]
    return ListScreen("Who plays from here?", options)
