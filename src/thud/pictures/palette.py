"""The colours of the pictures."""

from __future__ import annotations

from typing import Final

PAGE: Final = "#211d1f"
PAGE_EDGE: Final = "#453a35"
LABEL: Final = "#b9a27c"
CAPTION: Final = "#f1e3c4"

RIM: Final = "#7a5230"
RIM_LIGHT: Final = "#b98a4e"
RIM_DARK: Final = "#3a2519"
GROUT: Final = "#6b4a2e"

LIGHT: Final = "#ecd9b0"
LIGHT_EDGE: Final = "#f8ecd0"
DARK: Final = "#cba874"
DARK_EDGE: Final = "#d9bb8c"
GOAL: Final = "#3f9aa8"
LAST: Final = "#e9b400"
LAST_EDGE: Final = "#8a4f00"
CROSS: Final = "#b3201c"
CROSS_EDGE: Final = "#fff3dc"

MOVED: Final = ("#e9b400", "#5a3300")
"""Arrow of a move made, and its edge."""
ADVICE: Final = ("#8a5cf0", "#ffffff")
"""Arrow of a move advised, and its edge."""

NOTED: Final = ("#3f8f3a", "#eaf6e0")
"""An arrow or circle that a person has drawn, and its edge."""

INK: Final = "#1d1512"
SHADOW: Final = "#2b1a0c"

IRON: Final = "#8b97a6"
IRON_LIGHT: Final = "#c3ccd6"
IRON_DARK: Final = "#4c5766"
HORN: Final = "#f4e8cf"
BRASS: Final = "#e3b04b"
SKIN: Final = "#eab28a"
SKIN_DARK: Final = "#d18e66"
BEARD: Final = "#c9541c"
BEARD_LIGHT: Final = "#e8833a"
BEARD_DARK: Final = "#8c3210"
TUNIC: Final = "#7d1f24"

GRANITE: Final = "#788a7e"
GRANITE_LIGHT: Final = "#adbfae"
GRANITE_DARK: Final = "#53645a"
GRANITE_DEEP: Final = "#303c36"
MOSS: Final = "#8fae42"
EYE: Final = "#ffd23e"
TOOTH: Final = "#eaf6fb"

STONE: Final = "#3b3a4a"
STONE_LIGHT: Final = "#65647a"
STONE_DARK: Final = "#23222e"
RUNE: Final = "#ffc94d"

ROCK: Final = "#8d7a68"
ROCK_LIGHT: Final = "#bba892"
ROCK_DARK: Final = "#5f4f42"
BALL: Final = "#f2ead8"
BALL_SHADE: Final = "#c9bda2"
