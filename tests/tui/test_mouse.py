"""Hovering, dragging and dropping on the board of a match."""

from __future__ import annotations

import pytest
from textual.events import MouseDown, MouseMove, MouseUp
from textual.geometry import Offset

from thud.rules.geometry import parse_square
from thud.tui.board.widget import Board
from tui.driver import Player, placed, playing


def place(player: Player, square: str) -> Offset:
    region = player.board.region_of(parse_square(square))
    return Offset(region.x + 1, region.y)


async def hover(player: Player, square: str) -> None:
    await player.pilot.hover(Board, offset=place(player, square))


async def drag(player: Player, origin: str, destination: str) -> None:
    pilot = player.pilot
    await pilot.mouse_down(Board, offset=place(player, origin))
    await pilot._post_mouse_events(
        [MouseMove],
        widget=Board,
        offset=place(player, destination),
        button=1,
    )
    await pilot.mouse_up(Board, offset=place(player, destination))


async def test_hovering_shows_where_a_piece_may_go_unless_another_is_in_hand() -> None:
    async with playing() as player:
        await hover(player, "F1")
        assert player.drawn("F5") == " · "
        assert player.screen.picker.selection.picked is None
        await hover(player, "H4")
        assert player.drawn("F5") == "   "
        await player.choose("F1")
        before = player.board.view
        await hover(player, "K1")
        assert player.board.view.marks == before.marks


@pytest.mark.parametrize(
    ("ends", "told"), [("F1 F5", "dF1-F5"), ("F1 G7", "F1"), ("F1 G8", "F1"), ("G7 G6", "")]
)
async def test_what_is_dragged_is_played_or_returns_with_the_reason(ends: str, told: str) -> None:
    async with playing() as player:
        await drag(player, *ends.split())
        legal = told == "dF1-F5"
        assert told in (player.moves if legal else player.message)
        assert len(player.match.battle.moves) == legal
        assert ("Anna to move" in player.message) is not legal
        assert player.screen.picker.selection.picked is None


async def test_no_click_is_lost_however_quickly_they_follow_and_whatever_moves() -> None:
    moves = ["F1", "F5", "H7", "H6", "K1", "K5", "H6", "H5", "G1", "G4", "G9", "G10"]
    async with playing() as player:
        player.board.animated = True
        for square in moves:
            x, y = player.board.content_region.offset + place(player, square)
            for kind in (MouseMove, MouseDown, MouseUp):
                player.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False))
        await player.until(lambda: len(player.match.battle.moves) == len(moves) // 2)


async def test_captures_are_asked_for_after_dragging_unless_all_are_wanted() -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await drag(player, "G8", "F7")
        assert "Capture from F7: 2 of 2" in player.question
        await player.press("enter")
        assert "TG8-F7xE6xE7" in player.moves
        await player.press("u")
        player.app.change_setting("captures", "all")
        await drag(player, "G8", "F7")
        assert not player.question
        assert len(player.match.battle.moves) == 1
