"""The terminal's own cursor is where the keys act, on every screen and after every key."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from sampling import sampled
from thud.records.store import Store
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.board.widget import Board
from thud.tui.start import Front
from tui.driver import Player, running

WALKS = {
    "front page": ("down", "down", "right", "up", "tab"),
    "a battle": ("n", "right", "down", "tab", "enter", "up", "enter", "left"),
    "a typed move": ("n", ":", "f", "1", "left", "escape"),
    "a question": ("n", "R", "n", "y", "escape"),
    "both names": ("t", "A", "enter", "B", "enter", "up", "left"),
    "messages": ("n", "apostrophe", "down", "escape"),
    "the palette": ("n", "ctrl+p", "down", "down", "escape"),
    "help": ("f1", "down", "tab", "down", "escape"),
    "settings": ("comma", "down", "down", "right", "escape"),
    "lessons": ("l", "down", "down", "enter", "right", "i"),
    "puzzles": ("p", "down", "enter", "right", "tab"),
    "the explorer": ("x", "down", "enter", "down", "tab", "down"),
    "the editor": ("E", "right", "d", "enter", "down", "T", "enter"),
    "lists": ("r", "down", "escape", "o", "down", "escape"),
}


@pytest.mark.parametrize("walk", sampled(WALKS, 7))
async def test_the_cursor_is_within_what_has_the_focus(tmp_path: Path, walk: str) -> None:
    app = ThudApp(Front(), preferences=Preferences(), store=Store(tmp_path))
    async with running(app) as player:
        for key in WALKS[walk]:
            await player.press(key)
            check(player)


def check(player: Player) -> None:
    place, focused = player.app.cursor_position, player.app.screen.focused
    if focused is None or not focused.size:
        return
    assert focused.region.contains_point(place), (focused, focused.region, place)
    match focused:
        case Board():
            assert focused.square_under(place - focused.content_region.offset) == focused.cursor
        case OptionList():
            line = place.y - focused.content_region.y + focused.scroll_offset.y
            assert focused._lines[line][0] == focused.highlighted
        case Input():
            assert place == focused.cursor_screen_offset
