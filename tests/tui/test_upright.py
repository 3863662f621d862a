"""In a window that is higher than wide all is in sight, and nothing is too near to be tapped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rich.text import Text
from textual.app import App
from textual.pilot import Pilot

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.review.notes import with_judgements
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.law import Say
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.battle.widgets import ChatLog
from thud.tui.keys.bar import KeyBar
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


def played(moves: str, variant: str) -> Match:
    match = match_of(variant)
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
            if row.region:
                assert row.region.height == 2
                assert menu.region.contains_region(row.region)
        assert CUT not in shown(app)


def reviewed() -> ThudApp:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for move in PLAYED:
        match.battle.play(parse_move(match.variant, match.battle.position, move))
    record = with_judgements(Record.of(match), 1, dict(enumerate(judgements())))
    return ThudApp(Replay(record))


def at_board(moves: str = "", variant: str = "classic") -> ThudApp:
    return ThudApp(PlayMatch(Session(played(moves, variant))))


RESULT = "Battle 1 is over|wins by 6 points|begin battle 2|review|replay|picture|quit"


@pytest.mark.parametrize(
    ("app", "keys", "words"),
    [
        (lambda: at_board(CHOOSING), "e y", RESULT),
        (
            lambda: at_board(CHOOSING),
            "colon j 1 3 k 1 4 enter",
            "Capture from K14|capture these|all of them|none of them|Esc",
        ),
        (
            lambda: at_board(variant="koom"),
            "E",
            "Koom Valley|to move|dwarf|type it|play it|judge it|save|clear",
        ),
        (reviewed, "m", "Anna|Bert|accuracy|worst move|Dwarfs' mistakes"),
        (reviewed, "right right enter", "Esc goes back."),
    ],
    ids=["result", "captures", "editor", "review", "replay"],
)
@every_size
async def test_all_that_can_be_done_is_in_sight(
    app: Callable[[], ThudApp], keys: str, words: str, size: tuple[int, int]
) -> None:
    async with running(app(), size) as player:
        await player.press(*keys.split())
        await player.pilot.pause()
        for each in words.split("|"):
            assert each in panel(player.app)


async def test_an_answer_is_tapped_below_its_words_and_beside_them() -> None:
    app = at_board("dM13-L13")
    async with app.run_test(size=HIGHER) as pilot:
        for down, right in ((0, 12), (1, 0), (1, 12)):
            await Player(app, pilot).press("e")
            prompt = app.screen.query_one(Prompt)
            assert prompt.question
            line, column = place(app, "play on")
            await tap(pilot, line + down, column + right)
            assert prompt.question is None


async def test_answers_that_are_too_long_stand_one_below_the_other() -> None:
    app = at_board()
    async with app.run_test(size=HIGHER) as pilot:
        await pilot.pause()
        long = "an answer of so many words that two have no room"
        answers = [PromptAnswer((key,), f"{key}, {long[:30]}", None) for key in "yn"]
        app.screen.query_one(Prompt).ask(Question(Text("Well?"), answers))
        await pilot.pause()
        assert place(app, "y, an answer")[1] == place(app, "n, an answer")[1]


async def test_a_key_of_the_footer_is_tapped_on_both_of_its_lines() -> None:
    app = at_board()
    async with app.run_test(size=SMALLEST) as pilot:
        await pilot.pause()
        assert app.screen.query_one(KeyBar).region.height == 2
        line, column = place(app, "Help")
        await tap(pilot, line + 1, column)
        assert type(app.screen).__name__ == "HelpScreen"


async def test_the_look_of_a_picture_is_chosen_by_a_tap() -> None:
    app = at_board()
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
