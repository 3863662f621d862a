"""The themes, with their colours of the board and of sprites.

A sprite keeps its colours on a marked square, so marks have grounds that sprites stand out from:
dark ones in dark themes, light ones in light themes.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from textual.theme import Theme

from thud.tui.looks.contrast import tinted

if TYPE_CHECKING:
    from textual.app import App


Colours: TypeAlias = Mapping[str, str]
"""The board's colours, by theme variable."""

KOOM_VALLEY: Final = Theme(
    name="koom-valley",
    primary="#7fa99b",
    secondary="#8a8f98",
    accent="#e0a458",
    warning="#e0a458",
    error="#d0624f",
    success="#8fb573",
    foreground="#d9d6cf",
    background="#14171a",
    surface="#1c2024",
    panel="#272d32",
)
"""Dark: wet slate, lichen and torchlight."""

ANKH_MORPORK: Final = Theme(
    name="ankh-morpork",
    primary="#7a4a2b",
    secondary="#5b6b4f",
    accent="#a2401f",
    warning="#9a5b00",
    error="#a3271b",
    success="#44702f",
    foreground="#33291d",
    background="#f3ead6",
    surface="#ebdfc5",
    panel="#dfd0b0",
    dark=False,
)
"""Light: old paper, brick and the river."""

OKABE_ITO: Final = Theme(
    name="okabe-ito",
    primary="#56b4e9",
    secondary="#009e73",
    accent="#e69f00",
    warning="#f0e442",
    error="#d55e00",
    success="#009e73",
    foreground="#e6e6e6",
    background="#101214",
    surface="#181b1e",
    panel="#25292d",
)
"""For colour-blind players: Masataka Okabe and Kei Ito's "Color Universal Design" palette."""

THEMES: Final = (KOOM_VALLEY, ANKH_MORPORK, OKABE_ITO)
"""Thud's own themes."""

_WOOD_AT_NIGHT: Final[Colours] = {
    "board-turn": "#ffa62b",
    "board-label": "#9a9184",
    "board-outline": "#6f6555",
    "board-light": "#51483e",
    "board-dark": "#3b342d",
    "board-texture": "#51483e",
    "board-goal": "#1f5a5a",
    "board-goal-dark": "#174747",
    "board-goal-text": "#8fd0c8",
    "board-dwarf": "#ffd166",
    "board-beard": "#dd8a4a",
    "board-troll": "#8fe3a0",
    "board-stone": "#dedede",
    "board-stone-shade": "#a6a6a6",
    "board-destination": "#d5deb4",
    "board-destination-ground": "#2f662f",
    "board-destination-dark": "#24522a",
    "board-capture": "#ff8a7a",
    "board-capture-ground": "#5c2d26",
    "board-capture-dark": "#482019",
    "board-victim": "#9c2a22",
    "board-victim-text": "#ffffff",
    "board-held": "#e0a030",
    "board-held-text": "#1a1510",
    "board-last": "#58562f",
    "board-advised": "#5a4a78",
    "board-noted": "#8fe08a",
    "board-cursor": "#2f6fc0",
    "board-cursor-text": "#ffffff",
    "board-threat": "#ff9a6a",
    "board-danger": "#6a2a14",
    "board-aim": "#d0a0ff",
    "mark-dubious": "#f0d878",
    "mark-mistake": "#ffa24a",
    "mark-blunder": "#ff7468",
}
_WOOD_BY_DAY: Final[Colours] = {
    "board-turn": "#9a4a00",
    "board-label": "#6e6455",
    "board-outline": "#94815c",
    "board-light": "#f3e8d2",
    "board-dark": "#dfcda9",
    "board-texture": "#f3e8d2",
    "board-goal": "#a9d5cf",
    "board-goal-dark": "#8fc4bc",
    "board-goal-text": "#1c5c56",
    "board-dwarf": "#8a4b00",
    "board-beard": "#b5541c",
    "board-troll": "#0b5a2c",
    "board-stone": "#606060",
    "board-stone-shade": "#454545",
    "board-destination": "#4d4829",
    "board-destination-ground": "#bfe3a8",
    "board-destination-dark": "#b0d08f",
    "board-capture": "#b3160a",
    "board-capture-ground": "#f3cbb9",
    "board-capture-dark": "#e6b59f",
    "board-victim": "#c0392b",
    "board-victim-text": "#ffffff",
    "board-held": "#f2b134",
    "board-held-text": "#1a1510",
    "board-last": "#d3c97c",
    "board-advised": "#d0c4ea",
    "board-noted": "#0f5c1a",
    "board-cursor": "#2f6fc0",
    "board-cursor-text": "#ffffff",
    "board-threat": "#a62a06",
    "board-danger": "#ffc9a8",
    "board-aim": "#6a35a8",
    "mark-dubious": "#6e5a00",
    "mark-mistake": "#9c4600",
    "mark-blunder": "#b3160a",
}
_SLATE: Final[Colours] = {
    **_WOOD_AT_NIGHT,
    "board-turn": "#e0a458",
    "board-label": "#8d959b",
    "board-outline": "#5c666d",
    "board-light": "#434c52",
    "board-dark": "#30373c",
    "board-texture": "#434c52",
    "board-goal": "#2c5a4c",
    "board-goal-dark": "#21473b",
    "board-goal-text": "#9ad2b4",
    "board-dwarf": "#f0c674",
    "board-beard": "#dc8c58",
    "board-troll": "#a3c9a0",
    "board-last": "#525c46",
    "board-cursor": "#3a78a8",
}
_PAPER: Final[Colours] = {
    **_WOOD_BY_DAY,
    "board-turn": "#a2401f",
    "board-label": "#7b6a4c",
    "board-outline": "#9a835a",
    "board-light": "#f7efdd",
    "board-dark": "#dcc79d",
    "board-dwarf": "#8c3f10",
    "board-beard": "#aa5a19",
    "board-troll": "#2d5a3c",
    "board-last": "#cfc27a",
    "board-cursor": "#3d6a94",
}
_SAFE: Final[Colours] = {
    **_WOOD_AT_NIGHT,
    "board-turn": "#e69f00",
    "board-label": "#a0a0a0",
    "board-outline": "#707070",
    "board-light": "#474747",
    "board-dark": "#303030",
    "board-texture": "#474747",
    "board-goal": "#00543d",
    "board-goal-dark": "#004331",
    "board-goal-text": "#7fd9bd",
    "board-dwarf": "#f0e442",
    "board-beard": "#e69f00",
    "board-troll": "#56b4e9",
    "board-destination": "#ffffff",
    "board-destination-ground": "#2d5072",
    "board-destination-dark": "#223e5a",
    "board-capture": "#ff8f3d",
    "board-capture-ground": "#57341a",
    "board-capture-dark": "#4a3012",
    "board-victim": "#d55e00",
    "board-held": "#e69f00",
    "board-held-text": "#000000",
    "board-last": "#5c5a30",
    "board-cursor": "#0072b2",
    "board-threat": "#ff8f3d",
    "board-danger": "#613612",
    "board-aim": "#cc79a7",
    "mark-dubious": "#f0e442",
    "mark-mistake": "#e69f00",
    "mark-blunder": "#ff7a33",
}
_FEW_ON_BLACK: Final[Colours] = {
    "board-turn": "ansi_bright_yellow",
    "board-label": "ansi_white",
    "board-outline": "ansi_white",
    "board-light": "ansi_default",
    "board-dark": "ansi_default",
    "board-texture": "ansi_bright_black",
    "board-goal": "ansi_default",
    "board-goal-dark": "ansi_default",
    "board-goal-text": "ansi_bright_cyan",
    "board-dwarf": "ansi_bright_yellow",
    "board-beard": "ansi_yellow",
    "board-troll": "ansi_bright_green",
    "board-stone": "ansi_bright_white",
    "board-stone-shade": "ansi_white",
    "board-destination": "ansi_bright_white",
    "board-destination-ground": "ansi_default",
    "board-destination-dark": "ansi_default",
    "board-capture": "ansi_bright_red",
    "board-capture-ground": "ansi_default",
    "board-capture-dark": "ansi_default",
    "board-victim": "ansi_red",
    "board-victim-text": "ansi_bright_white",
    "board-held": "ansi_yellow",
    "board-held-text": "ansi_black",
    "board-last": "ansi_default",
    "board-advised": "ansi_default",
    "board-noted": "ansi_bright_green",
    "board-cursor": "ansi_blue",
    "board-cursor-text": "ansi_bright_white",
    "board-threat": "ansi_bright_red",
    "board-danger": "ansi_default",
    "board-aim": "ansi_bright_magenta",
    "mark-dubious": "ansi_bright_yellow",
    "mark-mistake": "ansi_bright_magenta",
    "mark-blunder": "ansi_bright_red",
}
_FEW_ON_WHITE: Final[Colours] = {
    **_FEW_ON_BLACK,
    "board-turn": "ansi_red",
    "board-label": "ansi_black",
    "board-outline": "ansi_black",
    "board-texture": "ansi_white",
    "board-goal-text": "ansi_blue",
    "board-dwarf": "ansi_red",
    "board-beard": "ansi_yellow",
    "board-troll": "ansi_green",
    "board-stone": "ansi_black",
    "board-stone-shade": "ansi_bright_black",
    "board-destination": "ansi_black",
    "board-capture": "ansi_red",
    "board-threat": "ansi_red",
    "board-aim": "ansi_magenta",
    "mark-dubious": "ansi_blue",
    "mark-mistake": "ansi_magenta",
    "mark-blunder": "ansi_red",
}
_OWN: Final = MappingProxyType({"koom-valley": _SLATE, "ankh-morpork": _PAPER, "okabe-ito": _SAFE})


Paints: TypeAlias = Mapping[str, str]
"""The colours of sprites, by name."""

GROUNDS: Final = ("held", "victim", "cursor")
"""Tones with another ground and text colour with sprites, as `held` and `held-text`."""

_PAINTS_AT_NIGHT: Final[Paints] = {
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
_PAINTS_BY_DAY: Final[Paints] = {
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
_SAFE_PAINTS: Final[Paints] = {
    **_PAINTS_AT_NIGHT,
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
_OWN_PAINTS: Final[Mapping[str, Paints]] = {"okabe-ito": _SAFE_PAINTS}


def board_colours(theme: Theme, *, few: bool = False) -> dict[str, str]:
    """Return the board's colours in a theme; `few` if the terminal has at most sixteen."""
    if few or theme.ansi:
        return dict(_FEW_ON_BLACK if theme.dark else _FEW_ON_WHITE)
    if theme.name in _OWN:
        return dict(_OWN[theme.name])
    return tinted(_WOOD_AT_NIGHT if theme.dark else _WOOD_BY_DAY, theme)


def few_colours(app: App[Any]) -> bool:
    """Whether an app is drawn in its terminal's sixteen colours."""
    return app.native_ansi_color or app.console.color_system in ("standard", "windows")


def tones_merge(app: App[Any]) -> bool:
    """Whether light and dark squares may look the same."""
    colourless = app.console.color_system is None and not app.is_headless
    return app.no_color or colourless or few_colours(app)


def paints(theme: Theme) -> Paints:
    """Return the colours of sprites in a theme."""
    return _OWN_PAINTS.get(theme.name, _PAINTS_AT_NIGHT if theme.dark else _PAINTS_BY_DAY)


def register_themes(app: App[Any]) -> None:
    """Register Thud's own themes first, then the others alphabetically."""
    others = sorted(app.available_themes.values(), key=attrgetter("name"))
    for theme in (*THEMES, *others):
        app.unregister_theme(theme.name)
        app.register_theme(theme)


def begin_with_theme(app: App[Any], name: str) -> None:
    """Set the theme of an app that has not started."""
    theme = app.available_themes[name]
    if theme in THEMES and theme.dark:
        # It differs from Textual's default theme only in colours: no need to parse the CSS twice.
        app.set_reactive(type(app).theme, name)
    else:
        app.theme = name
    app.stylesheet.set_variables(app.get_css_variables())
