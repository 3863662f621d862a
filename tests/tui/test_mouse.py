"""Hovering, dragging and dropping on the board of a match."""

from __future__ import annotations

from textual.events import MouseMove
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


async def test_hovering_shows_nothing_while_a_piece_is_in_hand() -> None:
    async with playing() as player:
        await player.choose("F1")
        before = player.board.view
        await hover(player, "K1")
        assert player.board.view.marks == before.marks


async def test_a_piece_dragged_where_it_cannot_go_returns_with_the_reason() -> None:
    async with playing() as player:
        await drag(player, "F1", "G7")
        assert not player.match.battle.moves
        assert player.screen.picker.selection.picked is None
        assert "F1" in player.message
        assert "Anna to move" in player.message


async def test_a_piece_of_the_other_side_cannot_be_dragged() -> None:
    async with playing() as player:
        await drag(player, "G7", "G6")
        assert not player.match.battle.moves
        assert player.screen.picker.selection.picked is None


async def test_captures_are_asked_for_after_dragging() -> None:
    position = placed("TG8", "dE6", "dE7", to_move="T")
    async with playing("classic", position) as player:
        await drag(player, "G8", "F7")
        assert "Capture from F7: 2 of 2" in player.question
        await player.press("enter")
        assert "TG8-F7xE6xE7" in player.moves


async def test_everything_is_captured_at_once_where_the_settings_say_so() -> None:
    position = placed("TG8", "dE6", "dE7", to_move="T")
    async with playing("classic", position) as player:
        player.app.change_setting("captures", "all")
        await drag(player, "G8", "F7")
        assert "TG8-F7xE6xE7" in player.moves
