"""The random keys of `benchmarks/monkey.py` start on every screen."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from textual.screen import Screen

import thud.tui

if TYPE_CHECKING:
    import monkey
else:
    spec = spec_from_file_location("monkey", Path(__file__).parents[2] / "benchmarks/monkey.py")
    monkey = module_from_spec(spec)
    spec.loader.exec_module(monkey)

SCREENS: Final[dict[str, tuple[str, ...]]] = {
    "AskScreen": ("position", "The text of a position"),
    "BattleScreen": ("classic", "Player 1 to move"),
    "ChoosingScreen": ("choosing", "Difficulty"),
    "ParticipantsScreen": ("host", "Who is here"),
    "DrillScreen": ("puzzles", "puzzle 2"),
    "EditScreen": ("edit", "Any position"),
    "ExploreScreen": ("explore", "What others played"),
    "FrontPage": ("front", "Two players here"),
    "HelpScreen": ("rules", "The rules of Thud"),
    "KeysCard": ("card", "Keys here, now"),
    "ListScreen": ("players", "Who plays from here?"),
    "MatchList": ("unfinished", "battle 1, turn"),
    "PairScreen": ("pair", "Dwarfs first"),
    "Palette": ("palette", "Search for commands"),
    "PictureScreen": ("picture", "Save a picture (.png"),
    "ReplayScreen": ("replay", "Variation"),
    "SettingsScreen": ("settings", "Pieces"),
    "SummaryScreen": ("summary", "s Show", "Variation", "", "points lost per move"),
    "TextScreen": ("chat", "Waiting for Ann", "Say something", "Bob says: Hi", "Copy"),
    "Welcome": ("visitor", "What is your name"),
}
"""For each screen, where a life begins on it, and what is seen there last, or after each key."""


BASES: Final = ("thud.tui.picking.screen", "thud.tui.screens", "thud.tui.textual_fixes")
"""The modules of base classes, which are never shown themselves."""


def below(screen: type[Screen[Any]]) -> set[type[Screen[Any]]]:
    return set(chain([screen], *map(below, screen.__subclasses__())))


def test_a_life_begins_on_every_screen() -> None:
    for module in pkgutil.walk_packages(thud.tui.__path__, "thud.tui."):
        import_module(module.name)
    ours = {each for each in below(Screen) if each.__module__.startswith("thud.tui.")}
    bases = {each for each in ours if each.__module__ in BASES and each.__subclasses__()}
    assert {each.__name__ for each in ours - bases} == {*SCREENS}


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_its_keys_lead_there(screen: str) -> None:
    start, *seen = SCREENS[screen]
    keys = monkey.STARTS[start].keys
    seen = [""] * (1 + len(keys) - len(seen)) + seen
    script: list[monkey.Step] = [("drawn", 0)]
    for key, sight in zip(["", *keys], seen, strict=True):
        script += [("type", key), ("see", sight)]
    assert monkey.live(start, script).what == ""
