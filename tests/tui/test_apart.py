"""A match with somebody at another place, on the board."""

import asyncio
from collections.abc import AsyncIterator
from contextvars import Context

import pytest_asyncio

from thud.engines.spec import parse_contender
from thud.rules.geometry import square_name
from thud.session.events import LineBack, LineLost
from thud.tui.battle.company_screen import CompanyScreen
from thud.tui.widgets.ask_screen import AskScreen
from tui.driver import Player, playing

GUEST = 1
"""The player at another place, Bert; Anna sits here."""


@pytest_asyncio.fixture
async def anna() -> AsyncIterator[Player]:
    seats = parse_contender("human"), parse_contender("guest")
    async with playing(seats=seats) as player:
        yield player


async def anna_plays(anna: Player) -> None:
    await anna.play_move(anna.match.variant.legal_moves(anna.match.battle.position)[0])


async def bert_plays(anna: Player) -> None:
    session = anna.screen.session
    move = session.match.variant.legal_moves(session.battle.position)[0]
    await session.play(move, session.number, by=GUEST)
    await anna.pilot.pause()


async def test_the_other_one_is_waited_for(anna: Player) -> None:
    await anna_plays(anna)
    assert "Bert to move, and away" in anna.message
    await anna.screen.session.company.arrive(GUEST, "Bert")
    await anna.pilot.pause()
    assert "Waiting for Bert" in anna.message
    assert "Bert has come." in anna.message
    await bert_plays(anna)
    assert "Bert" in anna.message
    assert "Waiting" not in anna.message


async def test_who_is_away_is_told(anna: Player) -> None:
    await anna.screen.session.company.arrive(GUEST, "Bert")
    anna.screen.session.company.depart(GUEST)
    await anna.pilot.pause()
    assert "Bert has gone away." in anna.message


async def test_to_take_back_is_asked_of_the_other_one(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("u")
    assert "Waiting for Bert" in anna.question
    await anna.screen.session.answer(True, by=GUEST)
    await anna.pilot.pause()
    assert not anna.match.battle.moves
    assert not anna.question


async def test_what_is_proposed_can_be_withdrawn(anna: Player) -> None:
    await anna.press("e")
    assert "Waiting for Bert" in anna.question
    await anna.press("escape")
    assert anna.screen.session.proposal is None
    assert not anna.question


async def test_what_the_other_one_proposes_is_asked(anna: Player) -> None:
    await anna_plays(anna)
    await bert_plays(anna)
    await anna.screen.session.undo(by=GUEST)
    await anna.pilot.pause()
    assert "Bert asks to take back" in anna.question.replace("\n", " ")
    await anna.press("n")
    assert len(anna.match.battle.moves) == 2
    await anna.screen.session.undo(by=GUEST)
    await anna.pilot.pause()
    await anna.press("y")
    assert len(anna.match.battle.moves) == 1


async def test_players_talk(anna: Player) -> None:
    await anna.press('"')
    assert isinstance(anna.app.screen, AskScreen)
    await anna.press(*"hello [b]you", "enter")
    assert "Anna says: hello [b]you" in anna.text("#heard")
    anna.screen.session.company.say("hi", GUEST)
    await anna.pilot.pause()
    assert anna.text("#heard").startswith("Anna says: hello [b]you\nBert says: hi")


async def test_nobody_talks_at_one_table() -> None:
    async with playing() as player:
        await player.press('"', "W")
        assert player.app.screen is player.screen


async def test_who_is_there_is_told(anna: Player) -> None:
    company = anna.screen.session.company
    company.invitation = ("On this machine:", "thud join abc")
    await anna.press("W")
    screen = anna.app.screen
    assert isinstance(screen, CompanyScreen)
    assert "Bert is away" in str(screen.query_one("#company").render())
    company.look_on("Cora")
    assert "Cora looks on" in str(screen.query_one("#company").render())
    await anna.press("c")
    assert anna.app.clipboard == "thud join abc"
    await anna.press("escape")
    assert anna.app.screen is anna.screen


async def test_the_board_is_at_hand_once_everybody_is_there(anna: Player) -> None:
    company = anna.screen.session.company
    await anna.press("W")
    assert isinstance(anna.app.screen, CompanyScreen)
    await company.arrive(GUEST, "Bert")
    await anna.pilot.pause()
    assert anna.app.screen is anna.screen
    await anna.press("W")
    assert "Bert is here" in str(anna.app.screen.query_one("#company").render())


async def test_a_broken_line_is_told(anna: Player) -> None:
    anna.screen.session.tell(LineLost("no route"))
    assert "The line is broken; we try again. No route." in anna.message
    anna.screen.session.tell(LineBack())
    assert "The line is there again" in anna.message


async def test_no_hints_where_none_are_allowed(anna: Player) -> None:
    anna.screen.session.hints_allowed = False
    assert anna.screen.check_action("hint", ()) is False


async def test_what_a_server_hears_is_drawn_as_ever(anna: Player) -> None:
    """A task of a server is none of the interface's, and has nothing of its context."""
    anna.board.animated = True
    await anna_plays(anna)
    session = anna.screen.session
    move = session.match.variant.legal_moves(session.battle.position)[0]
    loop = asyncio.get_running_loop()
    await loop.create_task(session.play(move, by=GUEST), context=Context())
    while anna.board.moving:
        await asyncio.sleep(0.01)
    assert anna.drawn(square_name(move.destination)).strip()
