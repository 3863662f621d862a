"""Two people at one terminal."""

from __future__ import annotations

import pytest

from session.test_calm import FEW, RETURNED, SHUFFLE
from thud.rules.match import Handicap, Match, handicap_in, starts_at
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.picking.move_entry import MoveEntry
from thud.tui.start import PlayMatch
from tui.driver import placed, playing, running


async def test_the_outline_says_whose_turn_it_is() -> None:
    async with playing() as player:
        edges = []
        for move in ("dF1-F5", "TG7-F6xF5"):
            assert player.board.turn is player.match.battle.position.to_move
            edges.append(next(iter(player.board.render_line(3)._segments[1:])).style)
            await player.play(move)
        assert edges[0] != edges[1]
        await player.press("e", "y")
        assert player.board.turn is None


async def test_the_board_turns_to_who_moves_if_that_is_wanted() -> None:
    async with playing() as player:
        await player.press("T")
        assert "The board turns to who moves." in player.message
        for flipped, move in ((False, "dF1-F5"), (True, "TG7-F6xF5"), (False, "dG1-G5")):
            assert player.board.flipped is flipped
            await player.type(move)
        assert player.board.flipped
        player.board.flip()
        await player.press("T", "T")
        assert player.board.flipped, "at once"


async def test_whoever_moves_in_a_battle_that_has_become_calm_can_propose_the_end() -> None:
    async with playing(position=FEW) as player:
        for move in (*SHUFFLE, *SHUFFLE):
            assert RETURNED not in player.message
            await player.play(move)
        assert f"{RETURNED} e proposes the end." in player.message
        await player.press("e")
        assert "do you agree?" in player.question


async def test_what_one_has_asked_for_is_gone_when_the_other_sits_down() -> None:
    async with playing() as player:
        await player.press("t")
        assert player.board.view.threatened or "Nothing can be captured" in player.message
        await player.type("dF1-F5")
        assert player.screen.picker.threats is None


@pytest.mark.parametrize("key", ["6", "e", "tab"])
async def test_a_refusal_is_gone_with_the_next_key(key: str) -> None:
    async with playing() as player:
        await player.choose("G6")
        assert "G6 is empty" in player.message
        await player.press(key)
        assert "G6" not in player.message


async def test_who_is_to_answer_is_said_until_they_have() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("e")
        assert player.message.startswith("Anna to answer")
        await player.press("n")
        assert player.message.startswith("Bert to move")


async def test_what_is_confirmed_is_not_called_a_move_to_make() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        assert "to move" in player.message
        await player.press("R")
        assert "to move" not in player.message
        await player.press("n")
        assert "Bert to move" in player.message


async def test_a_move_is_typed_while_captures_are_chosen() -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await player.choose("G8", "F7")
        assert "Capture from F7" in player.question
        await player.press(":")
        assert not player.question
        await player.press(*"g8g9", "enter")
        assert "TG8-G9" in player.moves


@pytest.mark.parametrize("typed", ["g5", "f5", "K9", "h5"])
async def test_a_square_typed_there_captures_nothing(typed: str) -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await player.choose("G8", "F7")
        flipped = player.board.flipped
        await player.press(*typed)
        assert not player.match.battle.moves
        assert not player.question
        assert player.screen.query_one(MoveEntry).value == typed
        assert player.board.flipped is flipped


async def test_in_another_match_the_other_one_begins() -> None:
    async with playing() as player:
        for _ in range(2):
            await player.press("R", "y", "n")
        assert player.match.players == ("Bert", "Anna")
        assert "A new match. Bert begins." in player.message


async def test_of_a_handicap_by_a_long_name_its_size_is_read() -> None:
    rules = VARIANTS["classic"]
    match = Match(rules, ("Anna" * 10, "Bert"), *starts_at(rules, Handicap(0, 2)))
    async with running(ThudApp(PlayMatch(Session(match)))) as player:
        assert "… gives 2" in player.standing


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_handicap_stays_with_its_player(variant: str) -> None:
    rules = VARIANTS[variant]
    if not rules.handicaps:
        return
    match = Match(rules, ("Anna", "Bert"), *starts_at(rules, Handicap(1, 2)))
    again = match.rematch()
    assert again.players == ("Bert", "Anna")
    assert handicap_in(rules, again.starts) == Handicap(0, 2)
    assert again.name_of(Side.DWARFS) == "Bert"
