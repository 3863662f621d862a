"""In the smallest terminal nothing is cut off that could be said in fewer columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App

from sampling import sampled
from saving import begin
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.tui.app import ThudApp
from thud.tui.front.form import MatchForm, NameInput
from thud.tui.front.page import FrontPage
from thud.tui.start import Explore, Front, Replay
from thud.tui.widgets.menu import Choice, Row
from tui.driver import playing, work_done

SMALLEST = (80, 24)
CUT = "…"
every_variant = pytest.mark.parametrize("name", VARIANTS)


def shown(app: App[None]) -> str:
    """Return all that is on the screen, as one text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(line.text for line in lines)


def match_of(name: str) -> Match:
    return Match(VARIANTS[name], ("Esmerelda Weatherwax of Lancre", "Gytha Ogg of Lancre Town"))


@every_variant
def test_a_short_name_is_short_and_of_one_game_only(name: str) -> None:
    assert 0 < cell_len(VARIANTS[name].short) <= 15
    assert [each.short for each in VARIANTS.values()].count(VARIANTS[name].short) == 1


@pytest.mark.slow
async def test_the_longest_name_of_a_game_is_whole_at_every_board() -> None:
    name = max(VARIANTS, key=lambda each: cell_len(VARIANTS[each].title))
    title = VARIANTS[name].title
    async with playing(name) as player:
        assert title in shown(player.app)
        await player.press("E")
        assert title in shown(player.app)
    for app in (
        ThudApp(Replay(Record.of(match_of(name)))),
        ThudApp(Explore(match_of(name))),
    ):
        async with app.run_test(size=SMALLEST) as pilot:
            await pilot.pause()
            assert title in shown(app)


@pytest.mark.parametrize("size", sampled([SMALLEST, (48, 34)]))
async def test_games_and_players_are_told_whole_in_the_list_of_matches(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    store = Store(tmp_path)
    for name in VARIANTS:
        match = match_of(name)
        for _ in range(2):
            match.battle.play(match.variant.legal_moves(match.battle.position)[0])
        begin(store, match).close()
    app = ThudApp(Front(), store=store)
    async with app.run_test(size=size) as pilot:
        await pilot.press("r")
        await work_done(app)
        await pilot.pause()
        words = [variant.short for variant in VARIANTS.values()]
        if size != SMALLEST:
            assert CUT not in shown(app)
            words += " ".join(match.players).split()
        assert all(each in shown(app) for each in words)


def rows(app: App[None]) -> str:
    return "\n".join(str(row.render()) for row in app.screen.query(Row) if row.region)


@pytest.mark.slow
async def test_no_row_of_the_front_page_is_cut_whatever_is_chosen(tmp_path: Path) -> None:
    app = ThudApp(Front(), store=Store(tmp_path))
    async with app.run_test(size=SMALLEST) as pilot:
        page = app.screen
        assert isinstance(page, FrontPage)
        page.query_one(NameInput).value = "Granny"
        page.query_one("#options").focus()
        await pilot.press("enter")
        await pilot.press("escape")
        for choice in [each for each in page.query(Choice) if each.region]:
            choice.focus()
            for _ in choice._values:
                await pilot.press("right")
                assert CUT not in rows(app)
                gist = page.query_one(MatchForm).variant.gist.capitalize()
                # What a level, or a side, is like takes its place.
                assert gist in shown(app) or choice.id in {"computer", "side"}
        assert page.query_one("#menu").max_scroll_y == 0
