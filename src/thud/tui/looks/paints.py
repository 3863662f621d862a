"""The colours of sprites in every theme, and of what is behind them where they are marked.

A sprite keeps its colours whatever is marked on its square, so that the marks have grounds that it
stands out from: dark ones in dark themes, light ones in light themes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from textual.theme import Theme

Paints: TypeAlias = Mapping[str, str]
"""Colours by what is painted in them."""

GROUNDS: Final = ("held", "victim", "cursor")
"""What has a ground of its own behind sprites, and text on it: `held` and `held-text`."""

_NIGHT: Final[Paints] = {
    "helmet": "#98b8d4",
    "brim": "#6f86a0",
    "horn": "#fbf0d8",
    "brass": "#f0c050",
    "skin": "#f3c39c",
    "nose": "#d39a72",
    "pupil": "#15181a",
    "beard": "#ffa050",
    "moustache": "#c4622a",
    "troll": "#93bd98",
    "troll-shade": "#628f6a",
    "moss": "#b4d05c",
    "mouth": "#1d2723",
    "eye": "#ffe14a",
    "tooth": "#ffffff",
    "slab": "#c0bdd4",
    "slab-shade": "#8a87a0",
    "rune": "#ffd050",
    "rock-light": "#f0d5b0",
    "rock": "#d7af87",
    "rock-shade": "#a5805a",
    "ball": "#f4f1ea",
    "patch": "#c04a40",
    "held": "#6e5210",
    "held-text": "#ffffff",
    "victim": "#7c1d18",
    "victim-text": "#ffffff",
    "cursor": "#1f4f7a",
    "cursor-text": "#ffffff",
}
_DAY: Final[Paints] = {
    "helmet": "#335f93",
    "brim": "#24466e",
    "horn": "#3d3020",
    "brass": "#c08a1c",
    "skin": "#f0c09a",
    "nose": "#c9845a",
    "pupil": "#15181a",
    "beard": "#a4440c",
    "moustache": "#6c2a04",
    "troll": "#2f6a45",
    "troll-shade": "#1f4a30",
    "moss": "#5c7a1c",
    "mouth": "#141c18",
    "eye": "#ffd83a",
    "tooth": "#ffffff",
    "slab": "#4b4960",
    "slab-shade": "#302e40",
    "rune": "#ffc840",
    "rock-light": "#7d6a5c",
    "rock": "#5f4e44",
    "rock-shade": "#42352d",
    "ball": "#9a4a14",
    "patch": "#3a1808",
    "held": "#f6b93c",
    "held-text": "#1a1510",
    "victim": "#ffa28f",
    "victim-text": "#1a1510",
    "cursor": "#9fc8ee",
    "cursor-text": "#1a1510",
}
_SAFE: Final[Paints] = {
    **_NIGHT,
    "beard": "#f0b030",
    "moustache": "#c08000",
    "troll": "#70b6e6",
    "troll-shade": "#4f93c0",
    "moss": "#009e73",
    "mouth": "#10222e",
    "eye": "#f0e442",
    "patch": "#d55e00",
    "held": "#66500a",
    "victim": "#7a3600",
    "cursor": "#004f80",
}
_OWN: Final[Mapping[str, Paints]] = {"okabe-ito": _SAFE}


def paints(theme: Theme) -> Paints:
    """Return the colours of sprites in a theme."""
    return _OWN.get(theme.name, _NIGHT if theme.dark else _DAY)
