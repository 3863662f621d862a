"""In a window that is higher than wide all is in sight, and nothing is too near to be tapped."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text
from textual.app import App
from textual.pilot import Pilot

from sampling import sampled
from saving import begin
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.review.notes import with_judgements
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.session.state import Say
from thud.tui.app import ThudApp
from thud.tui.battle.widgets import ChatLog
from thud.tui.editor.panel import EditPanel
from thud.tui.keys.bar import KeyBar
from thud.tui.replay.pane import ReplayPane
from thud.tui.review.summary import SummaryScreen
from thud.tui.settings.screen import SettingsScreen
from thud.tui.start import Front, PlayMatch, Replay
from thud.tui.widgets.menu import Row
from thud.tui.widgets.prompt import Prompt, PromptAnswer, Question
from tui.driver import Player, playing, running, work_done
from tui.test_narrow import CUT, match_of, shown
from tui.test_review import judgements
from tui.test_variations import PLAYED

SMALLEST = (48, 34)
HIGHER = (48, 44)
every_size = pytest.mark.parametrize("size", sampled([SMALLEST, HIGHER, (80, 52)]))

CHOOSING = """\
dM13-L13 TG9-H10 dG15-H14 TG8-F7 dJ1-C7 TF7-D7xC7 dO11-O8 TD7-C6xB5 dA6-G12 TC6-C5xC4 dA7-B7
TH10-G11xG12 dA10-B10 TC5-C6xB7 dE14-E3 TH9-G9 dB10-G15 TH7-J6 dG1-N7 TJ9-J13xH14 dK15-G12"""
"""A battle after which the trolls choose whom to capture, from J13 to K14."""


def played(moves: str) -> Match:
    match = match_of("classic")
    for move in moves.split():
        match.battle.play(parse_move(match.variant, match.battle.position, move))
    return match


def panel(app: App[None]) -> str:
    """Return what is in sight, each line without what is left of it."""
    return " ".join(shown(app).split())


async def tap(pilot: Pilot[None], line: int, column: int) -> None:
    await pilot.click(offset=(column, line))
    await pilot.pause()


def place(app: App[None], words: str) -> tuple[int, int]:
    """Return the line and the column where words stand."""
    found = [(y, line.find(words)) for y, line in enumerate(shown(app).split("\n"))]
    return next((y, x) for y, x in found if x >= 0)


@every_size
async def test_every_row_of_the_front_page_is_in_sight_and_two_lines_high(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = ThudApp(Front(), store=Store(tmp_path))
    async with app.run_test(size=size) as pilot:
        await work_done(app)
        await pilot.pause()
        menu = app.screen.query_one("#menu")
        for row in app.screen.query(Row):
            assert row.region.height == 2
            assert menu.region.contains_region(row.region)
        assert CUT not in shown(app)


@pytest.mark.slow
async def test_rows_are_one_line_high_in_a_window_without_room(tmp_path: Path) -> None:
    app = ThudApp(Front(), store=Store(tmp_path))
    async with app.run_test(size=(48, 30)) as pilot:
        await pilot.pause()
        assert {row.region.height for row in app.screen.query(Row)} == {1}
        await pilot.resize_terminal(*SMALLEST)
        await pilot.pause()
        assert {row.region.height for row in app.screen.query(Row)} == {2}


@pytest.mark.slow
async def test_the_settings_take_all_of_the_width(tmp_path: Path) -> None:
    app = ThudApp(Front(), store=Store(tmp_path))
    async with app.run_test(size=SMALLEST) as pilot:
        await pilot.press("comma")
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        assert {row.region.x for row in app.screen.query(Row)} == {0}


@pytest.mark.slow
@every_size
async def test_a_choice_of_captures_is_told_from_its_beginning(size: tuple[int, int]) -> None:
    app = ThudApp(PlayMatch(Session(played(CHOOSING))))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await Player(app, pilot).choose("J13", "K14")
        await pilot.pause()
        for words in "Capture from K14", "capture these", "all of them", "none of them", "Esc":
            assert words in panel(app)


@every_size
async def test_a_result_and_all_that_can_be_done_then_are_in_sight(size: tuple[int, int]) -> None:
    app = ThudApp(PlayMatch(Session(played(CHOOSING))))
    async with running(app, size) as player:
        await player.press("e", "y")
        words = "Battle 1 is over", "wins by 6 points", "begin battle 2", "review it"
        for each in (*words, "replay it", "save a picture", "play on", "quit"):
            assert each in panel(app)


async def test_an_answer_is_tapped_below_its_words_and_beside_them() -> None:
    app = ThudApp(PlayMatch(Session(played("dM13-L13"))))
    async with app.run_test(size=HIGHER) as pilot:
        for down, right in ((0, 12), (1, 0), (1, 12)):
            await Player(app, pilot).press("e")
            prompt = app.screen.query_one(Prompt)
            assert prompt.question
            line, column = place(app, "play on")
            await tap(pilot, line + down, column + right)
            assert prompt.question is None


async def test_answers_that_are_too_long_stand_one_below_the_other() -> None:
    app = ThudApp(PlayMatch(Session(match_of("classic"))))
    async with app.run_test(size=HIGHER) as pilot:
        await pilot.pause()
        long = "an answer of so many words that two have no room"
        answers = [PromptAnswer((key,), f"{key}, {long[:30]}", None) for key in "yn"]
        app.screen.query_one(Prompt).ask(Question(Text("Well?"), answers))
        await pilot.pause()
        assert place(app, "y, an answer")[1] == place(app, "n, an answer")[1]


async def test_a_key_of_the_footer_is_tapped_on_both_of_its_lines() -> None:
    app = ThudApp(PlayMatch(Session(match_of("classic"))))
    async with app.run_test(size=SMALLEST) as pilot:
        await pilot.pause()
        assert app.screen.query_one(KeyBar).region.height == 2
        line, column = place(app, "Help")
        await tap(pilot, line + 1, column)
        assert type(app.screen).__name__ == "HelpScreen"


@pytest.mark.slow
@every_size
async def test_all_that_the_editor_offers_is_in_sight(size: tuple[int, int]) -> None:
    app = ThudApp(PlayMatch(Session(match_of("koom"))))
    async with app.run_test(size=size) as pilot:
        await Player(app, pilot).press("E")
        await pilot.pause()
        offered = app.screen.query_one(EditPanel)
        assert app.screen.query_one("#panel").content_region.contains_region(offered.region)
        for words in "Koom Valley", "to move", "dwarf", "type it", "play it", "judge it", "save":
            assert words in panel(app)
        line, column = place(app, "clear")
        await tap(pilot, line, column + 1)
        assert "0 dwarfs" in panel(app)


@pytest.mark.slow
async def test_a_match_in_a_list_is_told_whole(tmp_path: Path) -> None:
    store = Store(tmp_path)
    match = match_of("single")
    for _ in range(2):
        match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    begin(store, match).close()
    app = ThudApp(Front(), store=store)
    async with app.run_test(size=SMALLEST) as pilot:
        await pilot.press("r")
        await work_done(app)
        await pilot.pause()
        for words in (*match.players[0].split(), *match.players[1].split(), "battle", "turn 2"):
            assert words in panel(app)
        assert CUT not in shown(app)


def reviewed() -> Record:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for move in PLAYED:
        match.battle.play(parse_move(match.variant, match.battle.position, move))
    return with_judgements(Record.of(match), 1, dict(enumerate(judgements())))


@pytest.mark.slow
async def test_the_summary_of_a_review_shows_one_battle_and_what_can_be_done() -> None:
    app = ThudApp(Replay(reviewed()))
    async with app.run_test(size=SMALLEST) as pilot:
        await pilot.pause()
        await pilot.press("m")
        await pilot.pause()
        assert isinstance(app.screen, SummaryScreen)
        for words in "Anna", "Bert", "moves judged", "Dwarfs' mistakes":
            assert words in panel(app)
        assert CUT not in shown(app)
        line, column = place(app, "Dwarfs'")
        await tap(pilot, line + 1, column)
        assert not isinstance(app.screen, SummaryScreen)


@pytest.mark.slow
@every_size
async def test_what_a_replay_says_is_whole(size: tuple[int, int]) -> None:
    app = ThudApp(Replay(reviewed()))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("right", "right", "enter")
        await pilot.pause()
        pane = app.screen.query_one(ReplayPane)
        assert pane.trying
        assert "Esc when you are done." in panel(app).replace("\n", " ")


async def test_the_look_of_a_picture_is_chosen_by_a_tap() -> None:
    app = ThudApp(PlayMatch(Session(match_of("classic"))))
    async with app.run_test(size=SMALLEST) as pilot:
        await Player(app, pilot).press("S")
        await pilot.pause()
        await tap(pilot, *place(app, "Look: carved"))
        assert "Look: as on this board" in panel(app)
        await tap(pilot, *place(app, "Arrows: none"))
        assert "Arrows: last move" in panel(app)


@pytest.mark.slow
async def test_what_was_said_last_is_in_sight() -> None:
    seats = parse_contender("human"), parse_contender("guest")
    async with playing(seats=seats, size=SMALLEST) as anna:
        for count in range(1, 6):
            await anna.session.request(Say(f"word number {count}"), by=0)
        await anna.pilot.pause()
        heard = str(anna.screen.query_one(ChatLog).render())
        assert heard.count("\n") == 2
        assert "word number 5" in panel(anna.app)
