"""The letters of a picture in pixels, for Pillow: import this module only where it is needed."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import ImageFont

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_SYSTEM_FONTS: Final = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial.ttf",
    "arial.ttf",
    "Helvetica.ttc",
)
"""Fonts that Linux, macOS and Windows come with; Pillow knows the directories of each."""

_PLAIN: Final = str.maketrans(
    {"×": "x", "→": "->", "—": "-", "–": "-", "−": "-", "’": "'", "‘": "'", "“": '"', "”": '"'}
)


class Lettering:
    """One font for all the texts of a picture.

    Pillow's own font has the letters of ASCII and no others.  Where the texts have more, a font
    of this computer writes them; where none is found, they are written without accents.

    Args:
        texts: all that will be written.
    """

    def __init__(self, texts: str) -> None:
        self._name = "" if texts.isascii() else _system_font()

    def font(self, size: float) -> Font:
        """Return the font in a size, in pixels."""
        return _font(self._name, size)

    def readable(self, text: str) -> str:
        """Return a text in letters that the font has."""
        if self._name or text.isascii():
            return text
        parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
        letters = "".join(part for part in parts if not unicodedata.combining(part))
        return letters.encode("ascii", "replace").decode()


@lru_cache(maxsize=64)
def _font(name: str, size: float) -> Font:
    return ImageFont.truetype(name, size) if name else ImageFont.load_default(size)


@lru_cache(maxsize=1)
def _system_font() -> str:
    """Return the file name of the first font there is, empty if there is none."""
    for name in _SYSTEM_FONTS:
        try:
            ImageFont.truetype(name, 12)
        except OSError:
            continue
        return name
    return ""
