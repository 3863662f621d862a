"""A battle is resigned or claimed at the board, and asked about before that."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from session.timing import ManualClock
from thud.engines.spec import parse_contender
from thud.session.law import Play, Resign
from tui.driver import Player, placed, playing
from tui.test_apart import GUEST, anna_plays, one_line


@pytest_asyncio.fixture
async def anna() -> AsyncIterator[Player]:
    seats = parse_contender("human"), parse_contender("guest")
    async with playing(seats=seats) as player:
        player.session.state.agree_on(hints=False, chat=True, waits=False, claim=600)
        await player.session.arrive(GUEST, "Bert")
        await player.pilot.pause()
        yield player


async def test_resigning_is_asked_about_and_final(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("R")
    told = "Resign? Bert would win the battle by 32 points: Anna's 32 would not count. Anna needs"
    assert told in one_line(anna.question)
    assert "rating" not in anna.question, "it is no match against a level"
    await anna.press("n")
    assert not anna.match.battle.outcome
    await anna.press("R", "y")
    assert "Anna resigns." in one_line(anna.question)
    assert "undo" not in anna.question


async def test_a_battle_that_ends_closes_the_question_whether_to_resign(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("R")
    await anna.session.request(Resign(), by=GUEST)
    await anna.pilot.pause()
    assert "Bert resigns." in one_line(anna.question)


async def test_a_battle_that_ends_is_told_of_while_it_is_asked_whether_to_quit(
    anna: Player,
) -> None:
    await anna_plays(anna)
    await anna.press("q")
    await anna.session.request(Resign(), by=GUEST)
    await anna.pilot.pause()
    assert "Quit?" in anna.question
    assert "Bert resigns." in one_line(anna.message)
    await anna.press("n")
    assert "Bert resigns." in one_line(anna.question)


async def test_a_move_that_ends_the_battle_leaves_it_asked_whether_to_quit() -> None:
    seats = parse_contender("guest"), parse_contender("human")
    position = placed("dA6", "dF4", "TF6")
    async with playing(position=position, seats=seats) as player:
        session, battle = player.session, player.match.battle
        await session.request(Play("dA6-A7"), by=0)
        await player.play("TF6-F5")
        await player.press("q")
        takes = next(m for m in battle.variant.legal_moves(battle.position) if m.captures)
        await session.request(Play(takes), by=0)
        await player.pilot.pause()
        assert battle.outcome
        assert "Quit?" in player.question
        assert "The battle is over" in one_line(player.message)
        await player.press("n")
        assert "Battle 1 is over" in player.question


async def test_a_battle_is_claimed_of_who_is_away_for_too_long(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = ManualClock().put_everywhere(monkeypatch)
    await anna_plays(anna)
    assert "Claim" not in anna.text("KeyBar")
    anna.session.depart(GUEST)
    await anna.pilot.pause()
    assert "Claim" in anna.text("KeyBar")
    await anna.press("C")
    assert not anna.question
    assert "Bert can be away for 10 minutes" in one_line(anna.message)
    hours.pass_ms(600_000)
    await anna.press("C")
    assert "Claim the battle? Bert is away. Anna would win the battle" in one_line(anna.question)
    await anna.session.arrive(GUEST, "Bert")
    await anna.pilot.pause()
    assert not anna.question, "Bert is back"
    assert "Bert is back." in anna.message
    anna.session.depart(GUEST)
    hours.pass_ms(600_000)
    await anna.press("C", "y")
    assert "Bert has been away for too long." in one_line(anna.question)


async def test_a_seat_is_given_to_whoever_asks_for_it(anna: Player) -> None:
    await anna.press("G")
    assert not anna.question
    anna.session.depart(GUEST)
    anna.session.ask_for_seat(GUEST, "Bert's\x1b brother", "with your account")
    await anna.pilot.pause()
    told = "Bert's brother, with your account, asks for the seat of Bert, who is away."
    assert told in one_line(anna.message)
    assert "G Give the seat away" in anna.text("KeyBar")
    await anna.press("G")
    assert "Give the seat of Bert away?" in one_line(anna.question)
    await anna.press("n")
    assert anna.session.state.participants.asking
    await anna.press("G", "y")
    assert "The seat of the trolls is free" in one_line(anna.message)
    assert anna.session.state.participants.asking is None
