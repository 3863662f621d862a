"""The clocks beside the board, with time that passes when it is told to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from session.timing import ManualClock
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.events import Ended, Event, RunningOut
from thud.session.law import Open
from thud.tui.battle.widgets import Clocks
from thud.tui.board.widget import Board
from thud.tui.widgets.standing import Standing
from tui.driver import Player, playing


def clocks(player: Player) -> Clocks:
    return player.screen.query_one(Clocks)


def shown(player: Player, glass: ManualClock, ms: int = 0) -> str:
    """Let time pass, and return what the clocks show then."""
    glass.pass_ms(ms)
    clocks(player).tick()
    return player.text(Clocks)


def sanded(player: Player) -> ManualClock:
    """Put a manual clock at the match."""
    glass = ManualClock().put_at(player.session)
    player.screen.pane.show_standing()
    return glass


async def runs_out(player: Player, glass: ManualClock, ms: int, kind: type[Event]) -> None:
    """Let time pass until that is noticed."""
    session, told = player.screen.session, asyncio.Event()
    stop = session.subscribe(lambda event: told.set() if isinstance(event, kind) else None)
    glass.pass_ms(ms)
    session.timekeeper.sync()
    async with asyncio.timeout(20):
        await told.wait()
    stop()
    await player.pilot.pause()


async def test_the_clock_of_the_player_to_move_runs() -> None:
    async with playing(control="20+10") as player:
        glass = sanded(player)
        assert shown(player, glass, 60_000).split() == ["dwarfs", "20:00", "trolls", "20:00"]
        await player.play("dF1-F5")
        assert shown(player, glass, 1_500).split() == ["dwarfs", "20:00", "trolls", "»19:58"]
        assert clocks(player).region.height == 1
        await player.press("q")
        shown(player, glass, 60_000)
        await player.press("n")
        assert shown(player, glass, 2_000).split() == ["dwarfs", "20:00", "trolls", "»19:56"]
        await player.play("TG7-F6")
        assert shown(player, glass).split() == ["dwarfs", "»20:00", "trolls", "20:06"]
        await player.press("left_square_bracket")
        assert "Turn 1 of 1: Anna moves F1-F5, 20:00 left" in player.message
        await player.press("a", "u")
        assert shown(player, glass).split() == ["dwarfs", "20:00", "trolls", "»20:00"]


async def test_the_end_of_a_time_and_its_periods_are_told_by_more_than_a_colour() -> None:
    async with playing(control="2/3x30") as player:
        glass = sanded(player)
        await player.play("dF1-F5")
        assert "trolls »2:00" in shown(player, glass)
        assert "trolls »3×0:29" in shown(player, glass, 121_000)
        await player.play("TG7-F7")
        text = shown(player, glass, 121_000)
        assert text.split() == ["d", "»3×0:29", "t", "3×0:30"]
        assert len(text) <= clocks(player).size.width
        assert "»1×0:20!" in shown(player, glass, 69_000)
        assert "»1×0:09.8!" in shown(player, glass, 10_200)


async def test_time_that_passes_draws_the_clocks_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing(control="5") as player:
        glass = sanded(player)
        await player.play("dF1-F5")
        await player.pilot.pause()
        drawn: list[object] = []
        with monkeypatch.context() as patch:
            for kind in (Board, Standing, Clocks):
                patch.setattr(kind, "refresh", lambda self, *_, **__: drawn.append(type(self)))
            clocks(player).tick()
            drawn.clear()
            clocks(player).tick()
            assert not drawn
            glass.pass_ms(3_000)
            clocks(player).tick()
            assert set(drawn) == {Clocks}
        record = Record.of(Match(VARIANTS["classic"], ("Cid", "Dee")))
        await player.session.request(Open(record))
        await player.pilot.pause()
        assert not clocks(player).display, "a match without a clock shows none"


async def test_the_bell_rings_once_and_when_the_time_is_up_the_battle_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(control="5", store=Store(tmp_path)) as player:
        glass = sanded(player)
        rung: list[None] = []
        monkeypatch.setattr(player.app, "bell", lambda: rung.append(None))
        player.app.change_setting("bell", True)
        await player.play("dF1-F5")
        await runs_out(player, glass, 271_000, RunningOut)
        assert "Bert has 29 seconds left." in player.message
        glass.pass_ms(5_000)
        player.screen.session.timekeeper.sync()
        await player.pilot.pause()
        assert len(rung) == 1
        await runs_out(player, glass, 24_000, Ended)
        assert "Bert's time is up." in player.question
        assert "Anna wins by 32 points" in player.question
        assert "undo" not in player.question
        assert "Bert                     0" in player.question
        await player.press("n")
        assert player.match.number == 2
        assert shown(player, glass).split() == ["dwarfs", "5:00", "trolls", "5:00"]


async def test_a_move_that_comes_too_late_is_not_played() -> None:
    async with playing(control="5") as player:
        glass = sanded(player)
        await player.play("dF1-F5")
        await player.choose("G7")
        glass.pass_ms(300_000)
        await player.choose("F7")
        assert len(player.match.battle.moves) == 1
        assert player.match.battle.timed_out
        assert "time is up" in player.question
