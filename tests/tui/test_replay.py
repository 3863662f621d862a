"""The replay of a match."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import Static

from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.tui.app import ThudApp
from thud.tui.battle_screen import BattleScreen
from thud.tui.margin_graph import MarginGraph
from thud.tui.panel import MoveList
from thud.tui.replay_screen import ReplayScreen


def played(variant: str, plies: int = 30) -> Match:
    """Return a match of random moves."""
    chooser, rules = random.Random(variant), VARIANTS[variant]
    match = Match(rules, ("Anna", "Bert"))
    for number in (1, 2):
        while len(match.battle.moves) < plies and not match.battle.outcome:
            moves = rules.legal_moves(match.battle.position)
            captures = [move for move in moves if move.captures]
            match.battle.play(chooser.choice(captures or moves))
        if not match.battle.outcome:
            match.battle.agree()
        if number == 1:
            match.next_battle()
    return match


@asynccontextmanager
async def replaying(
    match: Match, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[ReplayScreen, Pilot[None]]]:
    app = ThudApp(match, replay=Record.of(match))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        yield app.screen, pilot


def said(screen: ReplayScreen) -> str:
    return str(screen.query_one("#message", Static).render())


async def test_keys_go_through_the_battle() -> None:
    match = played("classic")
    async with replaying(match) as (screen, pilot):
        await pilot.press("right", "right", "right", "left")
        assert screen.played == 2
        assert "captures" in said(screen) or "Bert" in said(screen)
        await pilot.press("end")
        assert screen.played == 30
        assert "Both players agree" in said(screen)
        await pilot.press("right")
        assert screen.played == 30
        await pilot.press("home", "left")
        assert screen.played == 0
        await pilot.press("1", "2", "enter")
        assert screen.played == 24
        await pilot.press("9", "9", "9", "9", "9", "enter")
        assert screen.played == 30
        await pilot.press("b")
        assert (screen.number, screen.played) == (2, 0)
    assert len(match.battles[0].moves) == 30


async def test_it_runs_by_itself_and_stops_at_the_end() -> None:
    async with replaying(played("koom", 4)) as (screen, pilot):
        await pilot.press("plus", "plus", "space")
        await pilot.pause(0.4)
        assert screen.played >= 1
        await pilot.pause(1.2)
        assert screen.played == 4
        assert "Running" not in said(screen)


async def test_clicks_on_the_graph_and_the_list_jump() -> None:
    async with replaying(played("classic")) as (screen, pilot):
        graph = screen.query_one(MarginGraph)
        await pilot.click(graph, offset=(graph.size.width // 3 + 3, 1))
        first = screen.played
        assert first > 3
        await pilot.press("home")
        await pilot.click(MoveList, offset=(6, 1))
        assert screen.played > 0


async def test_play_from_here() -> None:
    match = played("classic")
    async with replaying(match) as (screen, pilot):
        await pilot.press("b", "right", "right", "right", "p")
        await pilot.pause()
        playing = pilot.app.screen
        assert isinstance(playing, BattleScreen)
        assert playing.match.number == 2
        assert playing.match.battle.moves == match.battles[1].moves[:3]
        assert playing.match.battles[0].outcome == match.battles[0].outcome
        assert playing.match is not match
        assert screen.match is match


async def test_every_variant_and_size() -> None:
    for variant in VARIANTS:
        async with replaying(played(variant, 12), (130, 45)) as (screen, pilot):
            await pilot.press("end", "f", "left")
            assert screen.played > 0
            await pilot.resize_terminal(30, 12)
            await pilot.pause()
            assert screen.has_class("-too-small")
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            graph = screen.query_one(MarginGraph)
            assert any(graph.render_line(y).text.strip() for y in range(4)) or variant != "classic"
