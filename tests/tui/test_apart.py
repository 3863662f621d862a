"""A match with somebody at another place, on the board."""

import asyncio
from collections.abc import AsyncIterator
from contextvars import Context

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from textual.containers import VerticalScroll

from thud.engines.spec import parse_contender
from thud.rules.geometry import square_name
from thud.session.events import (
    Arrived,
    ConnectionBack,
    ConnectionLost,
    ConnectionSilent,
    NewMatch,
    NotSaid,
    ProposeEnd,
    Sending,
    Undo,
)
from thud.session.law import Answer, NextBattle, Play, Withdraw
from thud.session.state import Connection
from thud.tui.battle.participants_screen import ParticipantsScreen, broken
from thud.tui.battle.screen import BattleScreen
from thud.tui.battle.talk_screen import TalkScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.picking.move_entry import MoveEntry
from thud.tui.widgets.modals import AskScreen
from tui.driver import Player, playing
from tui.test_keys_card import says

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
    session = anna.session
    move = session.state.match.variant.legal_moves(session.state.battle.position)[0]
    await session.request(Play(move), session.state.revision, by=GUEST)
    await anna.pilot.pause()


def one_line(text: str) -> str:
    return " ".join(text.split())


async def test_the_other_one_is_waited_for(anna: Player) -> None:
    await anna_plays(anna)
    assert "Bert to move, but away" in anna.message
    await anna.session.arrive(GUEST, "Bert")
    await anna.pilot.pause()
    assert "Waiting for Bert" in anna.message
    assert "Bert has joined." in anna.message
    await anna.press("e")
    assert anna.message.endswith("It is Bert's turn.")
    await bert_plays(anna)
    assert "Bert" in anna.message
    assert "Waiting" not in anna.message


async def test_what_is_proposed_is_asked_of_the_other_one_and_can_be_withdrawn(
    anna: Player,
) -> None:
    await anna.press("e")
    assert "Waiting for Bert" in anna.question
    assert anna.message.startswith("Waiting for Bert to answer")
    await anna.press("escape")
    assert anna.session.state.proposal is None
    assert not anna.question
    await anna_plays(anna)
    await anna.press("u")
    assert "Waiting for Bert" in anna.question
    await anna.session.request(Answer(True, Undo()), by=GUEST)
    await anna.pilot.pause()
    assert not anna.match.battle.moves
    assert not anna.question


async def test_who_proposed_something_is_told_that_it_has_lapsed(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("u")
    await bert_plays(anna)
    assert not anna.question
    assert "Your proposal to undo has lapsed: the match has moved on." in one_line(anna.message)


async def test_people_talk_while_something_is_asked(anna: Player) -> None:
    participants = anna.session.state.participants
    await anna_plays(anna)
    await bert_plays(anna)
    await anna.session.request(Undo(), by=GUEST)
    await anna.pilot.pause()
    assert anna.message.startswith("Anna to answer")
    await anna.press('"')
    assert isinstance(anna.app.screen, AskScreen)
    participants.chat_allowed = False
    await anna.press("w", "h", "y", "enter")
    assert anna.text("#refusal") == "This match has no chat."
    participants.chat_allowed = True
    await anna.press("enter")
    await anna.until(lambda: participants.conversation == ["Anna says: why"])
    assert "Bert asks to undo" in anna.question.replace("\n", " ")
    await anna.press("n")
    assert not anna.question
    assert "to answer" not in anna.message
    await anna.press("apostrophe")
    read = anna.text("VerticalScroll Static")
    assert read.startswith("Chat:\nAnna says: why\n\nNotices:\n")


async def both_end(anna: Player) -> None:
    """Let both agree to end both battles."""
    session = anna.session
    await session.request(ProposeEnd())
    await session.request(Answer(True, ProposeEnd()), by=GUEST)
    await session.request(NextBattle())
    await bert_plays(anna)
    await session.request(ProposeEnd())
    await session.request(Answer(True, ProposeEnd()), by=GUEST)
    await anna.pilot.pause()


async def test_another_match_takes_both(anna: Player) -> None:
    await both_end(anna)
    await anna.press("n")
    assert "Anna proposes to begin another match." in one_line(anna.question)
    assert "Waiting for Bert" in anna.question
    await anna.press("left_square_bracket")
    assert anna.screen.pane.past_ply == 0
    await anna.press("x")
    assert anna.screen.pane.past_ply is None
    assert "Waiting for Bert" in anna.question, "who looks back still waits for the answer"
    await anna.session.request(Answer(False, NewMatch()), by=GUEST)
    await anna.pilot.pause()
    assert "Bert does not agree." in anna.message
    assert "The match is over" in anna.question
    await anna.session.request(NewMatch(), by=GUEST)
    await anna.pilot.pause()
    assert "Bert proposes to begin another match." in one_line(anna.question)
    # Whoever was about to begin one themselves says nothing by that.
    await anna.press("n")
    assert "do you agree?" in one_line(anna.question)
    await anna.press("escape")
    assert "The match is over" in anna.question
    await anna.press("n")
    await anna.session.request(Answer(True, NewMatch()), by=GUEST)
    await anna.pilot.pause()
    assert "Bert agrees. A new match. Anna begins." in anna.message
    assert not anna.match.over


async def test_who_looks_on_is_told_so_and_offered_what_they_can_do() -> None:
    guests = parse_contender("guest"), parse_contender("guest")
    async with playing(seats=guests) as wim:
        session = wim.session
        for player, name in enumerate(("Anna", "Bert")):
            await session.arrive(player, name)
        await wim.pilot.pause()
        assert "Watching: Anna to move" in wim.message
        await session.request(
            Play(wim.match.variant.legal_moves(session.state.battle.position)[0]), by=0
        )
        await wim.pilot.pause()
        assert "Watching: Bert to move" in wim.message
        assert [entry.description for _, entry in wim.screen.query_one(KeyBar)._laid_out] == [
            *("Look back", "Threats", "Flip", "Pieces", "Who is here", "Help", "Quit")
        ]
        offered = {command.title for command in wim.app.get_system_commands(wim.app.screen)}
        assert offered.isdisjoint({"Say", "Undo", "Hint", "Type", "Propose end"})
        assert offered.isdisjoint({"Open a file", "Take all"})
        await wim.press("enter")
        assert "Watching: Bert to move" in wim.message
        await wim.press('"')
        assert wim.message.endswith("Only players can chat.")


@pytest.mark.slow
async def test_the_other_ones_move_leaves_the_cursor_to_who_looks_around(anna: Player) -> None:
    await anna_plays(anna)
    assert anna.board.cursor == anna.match.battle.moves[-1].destination
    await bert_plays(anna)
    assert anna.board.cursor == anna.match.battle.moves[-1].destination
    await anna_plays(anna)
    await anna.press("tab")
    looking = anna.board.cursor
    assert looking != anna.match.battle.moves[-1].destination
    await bert_plays(anna)
    assert anna.board.cursor == looking
    assert len(anna.match.battle.moves) == 4


async def test_a_move_may_be_typed_ahead(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("question_mark")
    assert says(anna, ": /", "Type a move")
    await anna.press("escape")
    await anna.see(BattleScreen)
    await anna.press(":")
    assert "Type ahead, and press Enter when it is your turn." in anna.message


@pytest.mark.slow
async def test_what_is_typed_before_ones_turn_does_nothing_else(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press(":", *"f")
    await anna.press(*"1q5", "enter")
    assert "Press Enter again when it is your turn" in anna.message
    assert not anna.board.flipped
    assert not anna.question
    assert len(anna.match.battle.moves) == 1
    await bert_plays(anna)
    move = anna.match.variant.legal_moves(anna.match.battle.position)[0]
    typed = f"{square_name(move.origin)}{square_name(move.destination)}".lower()
    await anna.press(*["backspace"] * 4, *typed[:-1])
    assert typed in anna.message.split(), "the ways to go on are those of the position now"
    await anna.press(typed[-1], "enter")
    assert len(anna.match.battle.moves) == 3
    assert not anna.screen.pane.typing


async def test_what_is_proposed_stays_asked_when_a_piece_is_put_back(anna: Player) -> None:
    await anna_plays(anna)
    await bert_plays(anna)
    await anna.press("tab", "enter")
    await anna.session.request(Undo(), by=GUEST)
    await anna.press("escape")
    assert not anna.screen.picker.selection.picked
    assert "Bert asks to undo" in one_line(anna.question)
    await anna.press("y")
    assert len(anna.match.battle.moves) == 1


async def test_what_is_proposed_is_asked_no_more_once_the_battle_goes_on(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("u")
    assert "Waiting for Bert" in anna.question
    await bert_plays(anna)
    assert not anna.question
    await anna_plays(anna)
    await anna.session.request(ProposeEnd(), by=GUEST)
    await anna.pilot.pause()
    assert "Bert proposes" in one_line(anna.question)
    await bert_plays(anna)
    assert not anna.question
    assert "Anna to move" in anna.message
    await anna_plays(anna)


async def test_what_is_proposed_is_told_in_place_of_another_question(anna: Player) -> None:
    await anna_plays(anna)
    await bert_plays(anna)
    for key in "Rqc":
        await anna.press(key)
        assert anna.question
        await anna.session.request(Undo(), by=GUEST)
        await anna.pilot.pause()
        assert "Bert asks to undo" in one_line(anna.question)
        assert anna.message.startswith("Anna to answer")
        await anna.press("n")


async def test_what_is_withdrawn_is_told(anna: Player) -> None:
    await anna_plays(anna)
    await anna.session.request(ProposeEnd(), by=GUEST)
    await anna.session.request(Withdraw(), by=GUEST)
    await anna.pilot.pause()
    assert not anna.question
    assert "Bert has withdrawn the proposal." in anna.message
    await anna.press("apostrophe")
    assert "Bert has withdrawn the proposal." in anna.text("VerticalScroll Static")


async def test_what_is_proposed_is_declined_in_words_that_fit(anna: Player) -> None:
    await anna_plays(anna)
    await anna.session.request(ProposeEnd(), by=GUEST)
    await anna.press("n")
    await bert_plays(anna)
    await anna.session.request(Undo(), by=GUEST)
    await anna.pilot.pause()
    assert "leave it played" in anna.question
    await anna.press("n")
    await anna.session.request(ProposeEnd())
    await anna.session.request(Answer(True, ProposeEnd()), by=GUEST)
    await anna.session.request(Undo(), by=GUEST)
    await anna.pilot.pause()
    assert "leave it ended" in anna.question
    await anna.press("n")
    assert "Battle 1 is over" in anna.question


async def test_what_is_proposed_takes_the_keys_from_a_line_and_gives_them_back(
    anna: Player,
) -> None:
    session = anna.session
    await anna_plays(anna)
    await bert_plays(anna)
    for answer in ("n", "y"):
        await anna.press(":")
        await session.request(Undo(), by=GUEST)
        await anna.press(*"n9n")
        entry = anna.screen.query_one(MoveEntry)
        assert entry.value == "n9n", "who is typing has not read the question"
        await anna.until(lambda: anna.screen.focused is anna.screen.pane.prompt)
        assert "Bert asks" in anna.question
        await anna.press(answer)
        assert not anna.question
        assert anna.screen.focused is entry
        await anna.press("a")
        assert entry.value == "n9na"
        await anna.press("escape")
        assert anna.screen.focused is anna.board
    assert len(anna.match.battle.moves) == 1


async def test_what_is_proposed_interrupts_a_chat_message(anna: Player) -> None:
    session = anna.session
    participants = session.state.participants
    await anna_plays(anna)
    await bert_plays(anna)
    await anna.press('"', *"no")
    await session.request(Undo(), by=GUEST)
    await anna.press("n")
    await anna.see(BattleScreen)
    assert "Bert asks to undo" in one_line(anna.question)
    await anna.press("y")
    await anna.see(TalkScreen)
    assert session.state.battle.played == 1
    await anna.press("e", "enter")
    await anna.until(lambda: participants.conversation == ["Anna says: none"])
    await anna.see(BattleScreen)
    await anna.press('"', "q", "escape")
    await bert_plays(anna)
    await session.request(ProposeEnd())
    await session.request(Answer(False, ProposeEnd()), by=GUEST)
    await anna.pilot.pause()
    assert isinstance(anna.app.screen, BattleScreen), "a message given up does not come back"


async def test_who_is_there_and_how_others_come_is_told_and_copied_line_by_line(
    anna: Player,
) -> None:
    session = anna.session
    secret = f"{'k' * 43}.{'s' * 22}"
    command = f"thud join thud://192.168.0.7:4763/#{secret}"
    session.state.participants.invitation = {
        f"Whoever has been told line {number}:": (command, "thud join abc") for number in range(8)
    }
    await anna.press("W")
    await anna.pilot.pause()
    assert isinstance(anna.app.screen, ParticipantsScreen)
    told = anna.app.screen.query_one("#participants")
    assert "Bert is away" in str(told.render())
    session.look_on("Cora")
    assert "Cora is watching" in str(told.render())
    rows = str(told.render()).split("\n")
    assert max(map(len, rows)) <= told.content_size.width
    at = rows.index("thud join thud://192.168.0.7:4763/#")
    assert rows[at + 1 : at + 3] == [f"  {secret}", "thud join abc"]
    scrolled = told.parent
    assert isinstance(scrolled, VerticalScroll)
    await anna.press("end")
    assert scrolled.scroll_target_y == scrolled.max_scroll_y > 0
    for keys, copied in (("c", command), ("down c", "thud join abc"), ("up up c", command)):
        await anna.press(*keys.split())
        assert anna.app.clipboard == copied
    assert "was sent to the terminal's clipboard" in str(told.render())
    await session.arrive(GUEST, "Bert")
    await anna.pilot.pause()
    assert anna.app.screen is anna.screen, "the board is at hand once everybody is there"


@given(st.from_regex(r"thud join [a-z#./:]{1,120}", fullmatch=True), st.integers(8, 80))
def test_a_command_is_broken_and_nothing_of_it_lost(command: str, width: int) -> None:
    rows = broken(command, width)
    assert "".join(rows) == command
    assert all(0 < len(row) <= width for row in rows)


async def test_what_becomes_of_the_line_is_told(anna: Player) -> None:
    session = anna.session
    session.state.connection = connection = Connection(session.state.found)
    connection.lost = ConnectionLost("no route")
    session.emit(connection.lost)
    told = "Waiting for the connection\nThe connection is broken. Trying again. No route."
    assert anna.message == told
    connection.lost = None
    session.emit(ConnectionBack())
    assert anna.message == "Anna to move: pick up a dwarf\nThe connection is back."
    connection.sending = "dF1-F5"
    session.emit(Sending("dF1-F5"))
    session.emit(Arrived("Wim"))
    assert anna.message == "Sending dF1-F5 …\nWim is watching."
    connection.sending = ""
    for seconds in (12, 13):
        session.emit(ConnectionSilent(seconds, seconds == 12))
        assert anna.message.endswith("\nNo answer for 12 s.")
    session.emit(ConnectionSilent(0))
    assert "No answer" not in anna.message
    session.emit(NotSaid("hello", "this match has no chat"))
    assert anna.message.endswith("\nThis match has no chat. Not sent: hello")


async def test_no_hints_where_none_are_allowed(anna: Player) -> None:
    anna.session.state.agree_on(hints=False, chat=True, waits=False, claim=0)
    await anna.press("i")
    assert anna.message.endswith("This match is played without hints.")
    anna.screen.refresh_bindings()
    await anna.pilot.pause()
    assert "Hint" not in str(anna.screen.query_one(KeyBar).render())
    await anna.press("v")
    assert anna.message.endswith("This match is played without evaluation.")
    assert not anna.app.settings.evaluation_bar
    offered = {command.title for command in anna.app.get_system_commands(anna.app.screen)}
    assert offered.isdisjoint({"Hint", "Evaluation bar", "Review", "Explore"})
    await anna.press("m")
    assert anna.message.endswith("You can review the battle when it is over.")


async def test_the_evaluation_is_told_of_while_it_cannot_be_seen(anna: Player) -> None:
    await anna_plays(anna)
    await anna.press("v")
    assert anna.message.endswith("The evaluation is shown on your turn.")
    await anna.press("v")
    assert anna.message.endswith("The evaluation is off.")


async def test_what_a_server_hears_is_drawn_as_ever(anna: Player) -> None:
    """A task of a server is none of the interface's, and has nothing of its context."""
    anna.board.animated = True
    await anna_plays(anna)
    session = anna.session
    move = session.state.match.variant.legal_moves(session.state.battle.position)[0]
    loop = asyncio.get_running_loop()
    await loop.create_task(session.request(Play(move), by=GUEST), context=Context())
    await anna.until(lambda: not anna.board.moving)
    assert anna.drawn(square_name(move.destination)).strip()


async def test_what_is_typed_to_others_may_hold_any_character(anna: Player) -> None:
    await anna.session.arrive(GUEST, "Bert")
    await anna.type("say Gut gespielt, Bär! (really)")
    assert anna.session.state.participants.conversation == [
        "Anna says: Gut gespielt, Bär! (really)"
    ]
    await anna.type("claim")
    assert one_line(anna.message).endswith("Battles cannot be claimed in this match.")
    await anna.type("say")
    assert anna.message.endswith("The message is empty.")
