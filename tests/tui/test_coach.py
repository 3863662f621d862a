"""The coach at the board: it asks once, shows what it means, and keys keep their order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from session.looking import HUNG, MISSED, looking
from thud.engines.spec import parse_contender
from thud.rules.geometry import mask_of, parse_square
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.session.participants import Contenders
from thud.tui.board.look import SquareMark
from tui.driver import Player, playing

HUMAN, CPU = parse_contender("human"), parse_contender("random")
ASKED = "Play your move anyway?"


@pytest.fixture(autouse=True)
def asked() -> Iterator[list[Position]]:
    with looking() as asked:
        yield asked


@asynccontextmanager
async def coached(
    seats: Contenders = (HUMAN, CPU), position: str = MISSED
) -> AsyncIterator[Player]:
    async with playing(position=position, seats=seats) as player:
        player.app.change_setting("coach", True)
        await player.pilot.pause()
        yield player


def played(player: Player) -> list[str]:
    battle = player.match.battle
    return list(map(move_text, battle.positions, battle.moves))


async def test_a_blunder_that_is_typed_is_asked_about_once_and_left_unmade() -> None:
    async with coached() as player:
        await player.press("colon", *"g1g5", "enter")
        assert ASKED in player.question
        assert "would capture the troll" in player.question.replace("\n", " ")
        assert "a better move" in player.message
        assert player.board.view.marks[parse_square("F6")] is SquareMark.ADVISED
        assert player.board.view.position == player.match.battle.position
        await player.press("n")
        assert player.question == ""
        assert "Your move: pick up a dwarf" in player.message
        assert SquareMark.ADVISED not in player.board.view.marks.values()
        assert played(player) == []
        await player.press("colon", *"g1g5", "enter")
        assert played(player)[:1] == ["dG1-G5"]


async def test_yes_plays_it_and_what_is_typed_ahead_keeps_its_order() -> None:
    async with coached() as player:
        keys = ["colon", *"g1g5", "enter", "y", "u", "colon", *"k1k5", "enter", "n"]
        await player.press(*keys)
        assert played(player) == []
        assert player.question == ""
        assert [move_text(player.match.battle.position, m) for m in player.match.battle.undone] == [
            "dG1-G5"
        ]


@pytest.mark.slow
async def test_the_piece_is_in_hand_as_before() -> None:
    async with coached() as player:
        await player.choose("G1", "G5")
        assert ASKED in player.question
        await player.press("n")
        piece = player.screen.picker.selection.picked
        assert piece
        assert piece.origin == parse_square("G1")
        await player.go_to(parse_square("G4"))
        await player.press("enter")
        assert ASKED in player.question, "another blunder is another question"
        await player.press("y")
        assert played(player)[:1] == ["dG1-G4"]


@pytest.mark.slow
async def test_captures_are_asked_for_again_and_the_danger_is_shown() -> None:
    async with coached((CPU, HUMAN), HUNG) as player:
        await player.choose("H9", "G8")
        await player.press("n", "enter")
        assert ASKED in player.question
        assert "from F7 onto the troll on G8" in player.question.replace("\n", " ")
        assert "the reply" in player.message
        assert player.board.view.threatened == mask_of(parse_square("G8"))
        await player.press("f")
        assert ASKED in player.question, "the board can be turned round meanwhile"
        await player.click("F7")
        assert ASKED in player.question, "a click on a victim decides nothing"
        await player.press("n")
        assert "Capture from G8: 0 of 1" in player.question
        await player.press("a")
        assert played(player)[:1] == ["TH9-G8xF7"]


async def test_a_hint_says_why() -> None:
    async with playing(position=MISSED) as player:
        await player.press("i")
        await player.until(lambda: "Try this: " in player.message)
        assert "hurl F6 onto the troll on G7. It threatens" in player.message
