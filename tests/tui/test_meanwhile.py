"""A match goes on while somebody looks at something else, and they are told."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from textual.screen import Screen

from sampling import sampled
from session.timing import ManualClock
from thud.engines.spec import parse_contender
from thud.review.summary import Progress
from thud.session.events import Played, ProposeEnd
from thud.session.law import Answer, NextBattle, Play, Say
from thud.session.session import Session
from thud.session.view import SessionView
from thud.session.words import meanwhile, stands
from thud.tui.battle.screen import BattleScreen
from thud.tui.editor.screen import EditScreen
from thud.tui.help.screen import HelpScreen
from thud.tui.replay.screen import ReplayScreen
from thud.tui.review.summary import SummaryScreen
from thud.tui.widgets.modals import TextScreen
from tui.driver import Player, playing
from tui.test_apart import GUEST, anna_plays, one_line


@pytest_asyncio.fixture
async def anna(glass: ManualClock) -> AsyncIterator[Player]:
    seats = parse_contender("human"), parse_contender("guest")
    async with playing(control="20", seats=seats) as player:
        await player.session.arrive(GUEST, "Bert")
        await player.pilot.pause()
        yield player


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    return ManualClock().put_everywhere(monkeypatch)


async def bert_plays(session: SessionView) -> None:
    assert isinstance(session, Session)
    move = session.state.match.variant.legal_moves(session.state.battle.position)[0]
    await session.request(Play(move), session.state.revision, by=GUEST)


def line(player: Player) -> str:
    return one_line(player.text("#match-line"))


@pytest.mark.slow
async def test_who_reviews_is_told_that_the_next_battle_has_begun(
    anna: Player, glass: ManualClock
) -> None:
    session = anna.session
    await anna_plays(anna)
    await session.request(ProposeEnd(), by=GUEST)
    await session.request(Answer(True, ProposeEnd()))
    await anna.pilot.pause()
    await anna.press("r")
    await anna.see(ReplayScreen)
    assert "F4 to the match" in line(anna)
    assert "The battle is over." in line(anna)
    await session.request(NextBattle(), by=GUEST)
    await anna.until(lambda: "Bert has started battle 2." in line(anna))
    assert "Waiting for Bert." in line(anna)
    await bert_plays(session)
    await anna.until(lambda: "It is your turn." in line(anna))
    assert "20:00" in line(anna)
    glass.pass_ms(37_000)
    await anna.until(lambda: "19:23" in line(anna))
    await session.request(Say("hello?"), by=GUEST)
    await anna.until(lambda: "Bert says: hello?" in line(anna))
    await anna.press("f4")
    await anna.see(BattleScreen)
    assert anna.screen.session is session


@pytest.mark.parametrize("over", sampled(["help", "chat", "review"]))
async def test_who_reads_is_told_and_led_back(anna: Player, over: str) -> None:
    session, record = anna.session, anna.session.record
    shown: Screen[Any]
    if over == "help":
        shown = HelpScreen(record.variant)
    elif over == "chat":
        shown = TextScreen("Chat", "hello")
    else:
        shown = SummaryScreen(record, Progress(record), 1)
    await anna_plays(anna)
    await anna.app.push_screen(shown)
    await anna.until(lambda: "Waiting for Bert." in line(anna))
    await bert_plays(session)
    await anna.until(lambda: "It is your turn." in line(anna))
    await anna.press("f4")
    await anna.see(BattleScreen)


async def test_who_plays_a_computer_by_the_clock_is_told_of_their_turn(glass: ManualClock) -> None:
    seats = parse_contender("human"), parse_contender("random")
    async with playing(control="20", seats=seats) as player:
        await player.press("E")
        await player.see(EditScreen)
        assert "It is your turn." in line(player)


async def test_who_looks_back_is_told(anna: Player) -> None:
    session = anna.session
    await anna_plays(anna)
    await anna.press("left_square_bracket")
    assert "The battle begins" in anna.message
    await bert_plays(session)
    await anna.pilot.pause()
    assert "The battle begins" in anna.message
    assert "Bert steps" in anna.message
    assert "returns to the battle" in one_line(anna.message)
    await session.request(Say("your turn"), by=GUEST)
    await anna.pilot.pause()
    assert "Bert says: your turn" in anna.message
    await anna.press("a")
    assert "Move 0" not in anna.message


@pytest.mark.slow
async def test_a_name_stays_as_it_was_written(anna: Player) -> None:
    session = anna.session
    assert isinstance(session, Session)
    await session.rename(GUEST, "bert")
    await anna_plays(anna)
    assert stands(session.state) == "Waiting for bert."
    session.depart(GUEST)
    assert stands(session.state) == "bert to move, but away."
    await session.arrive(GUEST, "", known=True)
    await anna.press("left_square_bracket")
    await bert_plays(session)
    await anna.until(lambda: "bert steps" in anna.message)
    last = session.state.battle.last
    assert last
    assert meanwhile(session.state, Played(*last)).startswith("bert steps")


async def test_that_the_battle_is_over_is_told_once() -> None:
    async with playing(control="20") as player:
        glass, timekeeper = ManualClock().put_at(player.session), player.session.timekeeper
        await player.play("dF1-F5")
        await player.press("E")
        await player.see(EditScreen)
        glass.pass_ms(21 * 60_000)
        timekeeper.sync()
        await player.until(lambda: "Bert's time is up. Anna wins by" in line(player))
        assert line(player).count("is over") == 1


async def test_there_is_no_line_where_nobody_waits() -> None:
    async with playing() as player:
        await player.play("F1F5")
        await player.press("E")
        await player.see(EditScreen)
        assert not player.app.screen.query("#match-line")
