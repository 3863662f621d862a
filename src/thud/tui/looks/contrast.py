"""Contrast: illegible colours corrected, and the board in a theme's hue.

Contrast is that of the Web Content Accessibility Guidelines 2.1, which ask for 4.5 for text and 3
for large text and marks (https://www.w3.org/TR/WCAG21/#contrast-minimum).

In themes not made for Thud, the squares take the theme's hue but keep the luminance of wood.
Contrast depends on luminance alone, so pieces and marks stand out on them as on wood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

TEXT: Final = 4.5
"""Smallest contrast of text."""

MARK: Final = 3.0
"""Smallest contrast of marks, and of less important text."""

_MUTED: Final = 3.3
"""Smallest contrast of muted text, whose ground may be tinted towards it, as in an input."""

_DIMMED: Final = 0.34
"""Share of the background in text dimmed by Textual."""

_STEPS: Final = 20

_SHARES: Final = (0.2126, 0.7152, 0.0722)
"""Weights of red, green and blue in luminance."""

_CHOSEN: Final = "auto"
"""Prefix of a colour that Textual chooses, black or white; its opacity in percent follows."""


class Pair(Struct, frozen=True):
    """A colour drawn on others, and the contrast it needs."""

    colour: str
    grounds: tuple[str, ...]
    least: float = TEXT
    dimmed: bool = False
    """Whether it is also drawn dimmed, then with the contrast of a mark."""


_GROUNDS: Final = ("background", "surface", "panel")
_BAR: Final = ("footer-background",)

PAIRS: Final = (
    Pair("foreground", (*_GROUNDS, "surface-lighten-1")),
    Pair("foreground-muted", _GROUNDS, _MUTED),
    Pair("footer-foreground", _BAR, dimmed=True),
    Pair("footer-key-foreground", _BAR, dimmed=True),
    Pair("block-cursor-foreground", ("block-cursor-background",)),
    Pair("accent", ("background",)),
    Pair("board-turn", ("background",)),
    Pair("board-label", ("background",), MARK),
    Pair("board-dwarf", ("background",), MARK),
    Pair("board-troll", ("background",), MARK),
    *(Pair(f"mark-{mark}", ("background",)) for mark in ("dubious", "mistake", "blunder")),
)
"""Pairs of foreground and background outside the board."""


def legible(variables: Mapping[str, str]) -> dict[str, str]:
    """Return a theme's variables, illegible colours moved towards black or white.

    Each becomes the nearest legible colour, or else the most legible one.
    """
    corrected = dict(variables)
    for pair in PAIRS:
        grounds = [Color.parse(variables[ground]) for ground in pair.grounds]
        colour = drawn(variables[pair.colour], grounds[0])
        if not _is_legible(colour, grounds, pair):
            end = max((BLACK, WHITE), key=lambda end: min(contrast(end, each) for each in grounds))
            nearest_first = (
                (grounds[0] + colour).blend(end, step / _STEPS) for step in range(1, _STEPS + 1)
            )
            legibles = (each for each in nearest_first if _is_legible(each, grounds, pair))
            corrected[pair.colour] = next(legibles, end).hex
    return corrected


def drawn(text: str, ground: Color) -> Color:
    """Return the colour of a theme's variable on a ground."""
    if not text.startswith(_CHOSEN):
        return Color.parse(text)
    share = text.removeprefix(_CHOSEN).strip().removesuffix("%")
    return ground.get_contrast_text(float(share or 100) / 100)


def _is_legible(colour: Color, grounds: Sequence[Color], pair: Pair) -> bool:
    return all(
        contrast(colour, ground) >= pair.least
        and not (pair.dimmed and contrast((ground + colour).blend(ground, _DIMMED), ground) < MARK)
        for ground in grounds
    )


def contrast(colour: Color, ground: Color) -> float:
    """Return the contrast of a colour on an opaque ground, from 1 to 21."""
    dark, light = sorted((luminance(ground + colour), luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Color) -> float:
    """Return the relative luminance of WCAG 2.1, from 0 to 1."""
    return sum(share * part for share, part in zip(_SHARES, light_of(colour), strict=True))


def light_of(colour: Color) -> tuple[float, ...]:
    """Return the linear light of each primary of an sRGB colour, from 0 to 1."""
    return tuple(
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    )


_TONES: Final = ("board-light", "board-dark", "board-texture", "board-outline", "board-label")
"""Colours that take a theme's hue."""

_OF_PRIMARY: Final = 0.2
"""Share of the theme's primary colour in the squares."""


def tinted(wood: Mapping[str, str], theme: Theme) -> dict[str, str]:
    """Return the board's colours with its squares in a theme's hue."""
    colours = theme.to_color_system().generate()
    ground, primary = Color.parse(colours["panel"]), Color.parse(colours["primary"])
    tint = ground.blend(primary, _OF_PRIMARY)
    squares = {name: of_luminance(tint, luminance(Color.parse(wood[name]))) for name in _TONES}
    return {**wood, **{name: colour.hex for name, colour in squares.items()}}


def of_luminance(colour: Color, wanted: float) -> Color:
    """Return a colour of the same hue and the given luminance, rounded to 24 bits."""
    light, has = light_of(colour), luminance(colour)
    if wanted <= has:
        light = tuple(part * wanted / has for part in light)
    else:
        white = (wanted - has) / (1 - has)
        light = tuple(part + (1 - part) * white for part in light)
    red, green, blue = (
        round(
            255 * min(1, part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
        )
        for part in light
    )
    return Color(red, green, blue)
