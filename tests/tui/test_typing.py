"""Moves that are typed, told by the keys and by what is shown."""

from __future__ import annotations

import pytest

from thud.tui.battle.move_entry import MoveEntry
from tui.driver import Player, placed, playing


async def type_move(player: Player, text: str, *, open_with: str = "colon") -> None:
    """Open the line, type a text and confirm it."""
    await player.press(open_with)
    await player.press(*text)
    await player.press("enter")


def entry(player: Player) -> MoveEntry | None:
    found = player.screen.query(MoveEntry)
    return found.first() if found and player.screen.table.typing else None


@pytest.mark.parametrize("text", ["dF1-F5", "f1f5", "f1 f5", "F1,F5"])
@pytest.mark.parametrize("key", ["colon", "slash"])
async def test_a_typed_move_is_played_in_any_form(text: str, key: str) -> None:
    async with playing() as player:
        await type_move(player, text, open_with=key)
        assert "dF1-F5" in player.moves
        assert entry(player) is None
        await player.press("f")
        assert player.board.flipped, "the keys belong to the board again"


async def test_an_illegal_move_is_refused_with_the_reason_and_can_be_mended() -> None:
    async with playing() as player:
        await type_move(player, "f1f15")
        assert "F15" in player.message
        assert not player.match.battle.moves
        await player.press("backspace", "backspace", "5", "enter")
        assert "dF1-F5" in player.moves


async def test_after_a_typed_move_the_panel_shows_the_battle_as_it_is_now() -> None:
    position = placed("TG8", "TP8", "dE6", "dE7", "dA6", to_move="T")
    async with playing("classic", position) as player:
        await type_move(player, "g8f7 xe7")
        await player.pilot.pause()
        assert "» Anna" in player.standing
        assert "took" in player.standing


async def test_the_ways_to_go_on_are_shown_and_tab_takes_the_first() -> None:
    async with playing() as player:
        await player.press("colon", *"f1-f")
        await player.pilot.pause()
        assert "f1-f14" in player.message
        await player.press("4", "tab", "enter")
        assert "dF1-F4" in player.moves


async def test_escape_closes_the_line_and_nothing_is_played() -> None:
    async with playing() as player:
        await player.press("colon", *"f1f5", "escape")
        assert entry(player) is None
        assert not player.match.battle.moves
        assert "Anna to move" in player.message


async def test_captures_left_open_are_asked_for() -> None:
    position = placed("TG8", "dE6", "dE7", to_move="T")
    async with playing("classic", position) as player:
        await type_move(player, "g8f7")
        assert "Capture on F7: 2 of 2" in player.question
        await player.press("7", "enter")
        assert "TG8-F7xE7" in player.moves


async def test_captures_can_be_typed_too() -> None:
    position = placed("TG8", "dE6", "dE7", to_move="T")
    async with playing("classic", position) as player:
        await type_move(player, "g8-f7 x e6")
        assert "TG8-F7xE6" in player.moves


async def test_the_line_is_not_opened_by_what_answers_a_question() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("e", "colon")
        assert entry(player) is None


async def test_resizing_keeps_what_is_typed() -> None:
    async with playing() as player:
        await player.press("colon", *"f1")
        await player.pilot.resize_terminal(120, 40)
        await player.press(*"f5", "enter")
        assert "dF1-F5" in player.moves
