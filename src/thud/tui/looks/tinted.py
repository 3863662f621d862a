"""The squares of the board in a theme that was not made for them.

They take the hue of the theme and keep the luminance of wood.  Contrast is a matter of luminance
alone, so that pieces and marks stand out on them as they do on wood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual.color import Color
from textual.theme import Theme

from thud.tui.looks.legible import light_of, luminance

_TONES: Final = ("board-light", "board-dark", "board-texture", "board-outline", "board-label")
"""What takes the hue of a theme."""

_OF_PRIMARY: Final = 0.2
"""How much of the theme's first colour is in its squares, besides its ground."""


def tinted(wood: Mapping[str, str], theme: Theme) -> dict[str, str]:
    """Return the colours of the board with its squares in the hue of a theme."""
    tint = _tint(theme)
    squares = {name: of_luminance(tint, luminance(Color.parse(wood[name]))) for name in _TONES}
    return {**wood, **{name: colour.hex for name, colour in squares.items()}}


def _tint(theme: Theme) -> Color:
    colours = theme.to_color_system().generate()
    ground, primary = Color.parse(colours["panel"]), Color.parse(colours["primary"])
    return ground.blend(primary, _OF_PRIMARY)


def of_luminance(colour: Color, wanted: float) -> Color:
    """Return a colour of the same hue and a luminance, as near as eight bits a primary allow."""
    light, has = light_of(colour), luminance(colour)
    if wanted <= has:
        return _seen([part * wanted / has for part in light])
    white = (wanted - has) / (1 - has)
    return _seen([part + (1 - part) * white for part in light])


def _seen(light: Sequence[float]) -> Color:
    """Return the colour of sRGB that is so much light of each primary."""
    parts = (
        part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in light
    )
    red, green, blue = (round(255 * min(1.0, part)) for part in parts)
    return Color(red, green, blue)
