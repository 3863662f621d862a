"""The colours of squares and of what is drawn on them, from the variables of a theme."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rich.color import Color
from rich.style import Style
from textual.color import Color as Tint


class Tone(NamedTuple):
    """By which variables something is drawn, without the `board-` before each."""

    ink: str = ""
    ground: str = ""
    bold: bool = False


def _piece(ink: str) -> Tone:
    return Tone(ink, bold=True)


TONES: Final[Mapping[str, Tone]] = {
    "light": Tone(ground="light"),
    "dark": Tone(ground="dark"),
    "texture": Tone("texture"),
    "goal": Tone("goal-text", "goal"),
    "goal-dark": Tone("goal-text", "goal-dark"),
    "dwarf": _piece("dwarf"),
    "beard": _piece("beard"),
    "troll": _piece("troll"),
    "stone": _piece("stone"),
    "stone-shade": _piece("stone-shade"),
    "outline": Tone("outline"),
    "label": Tone("label"),
    "destination": Tone("destination", "destination-ground", bold=True),
    "destination-dark": Tone(ground="destination-dark"),
    "capture": Tone("capture", "capture-ground", bold=True),
    "capture-dark": Tone(ground="capture-dark"),
    "victim": Tone("victim-text", "victim", bold=True),
    "held": Tone("held-text", "held", bold=True),
    "spared": Tone(),
    "last": Tone(ground="last"),
    "advised": Tone(ground="advised"),
    "threat": Tone("threat", bold=True),
    "danger": Tone(ground="danger"),
    "aim": Tone("aim"),
    "cursor": Tone("cursor-text", "cursor", bold=True),
}
"""How everything on the board is drawn, by its name."""


class Tones:
    """Gives the style of what is drawn, each looked up once.

    Component classes would say the same, but each of them is compared with every rule of the style
    sheet whenever the board is styled, which took a tenth of the time to the first frame.

    Args:
        variables: the colours of a theme by their names, `board-light` and so on.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._known: dict[str, Style] = {}

    def style_of(self, name: str) -> Style:
        """Return the style of a square, a piece, a mark or the edge."""
        if name not in self._known:
            ink, ground, bold = TONES[name]
            self._known[name] = Style(
                color=self._colour(ink), bgcolor=self._colour(ground), bold=bold or None
            )
        return self._known[name]

    def _colour(self, name: str) -> Color | None:
        return Tint.parse(self._variables[f"board-{name}"]).rich_color if name else None
