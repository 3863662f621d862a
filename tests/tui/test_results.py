"""How battles and matches have ended: everything that can be answered is to be seen."""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path

import pytest

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import LookedBack
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.battle.questions import _FIGURES, _result, _table, large
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import PlayMatch
from thud.tui.widgets.modals import AskScreen
from thud.tui.widgets.prompt import Prompt
from thud.tui.widgets.standing import Standing
from tui.driver import Player, placed, playing, running

LONGEST = ("Wilhelmina Brunnhilde the Very Long-Lived", "Maximilian-Theodoric of the Far Mountains")


def seen(player: Player) -> str:
    """Return what the screen shows of the question, line by line."""
    prompt = player.screen.query_one(Prompt)
    visible = prompt.region.intersection(prompt.screen.region)
    assert visible == prompt.region, "nothing of it is cut off"
    lines = [strip.text for strip in player.app.screen._compositor.render_strips()]
    return "\n".join(lines[y][visible.x : visible.right] for y in range(visible.y, visible.bottom))


@pytest.mark.parametrize("variant", sampled(VARIANTS, 4))
async def test_results_fit_with_the_longest_names_in_the_smallest_terminal(variant: str) -> None:
    first, second = (name[:40] for name in LONGEST)
    async with playing(variant, size=(79, 23), names=(first, second)) as player:
        for _ in range(2):
            move = player.match.variant.legal_moves(player.match.battle.position)[0]
            await player.play_move(move)
            await player.press("e", "y")
            await player.pilot.pause()
            shown = seen(player)
            assert all(answer in shown for answer in (" Enter ", " u ", " q ")), shown
            await player.press("n")
            await player.pilot.pause()


@pytest.mark.parametrize(("size", "big"), [((80, 24), False), ((120, 40), True)])
async def test_a_result_is_drawn_large_where_there_is_room_with_names_above(
    size: tuple[int, int], big: bool
) -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position, size=size) as player:
        await player.play("TG8-F7xE6xE7")
        await player.press("e", "y")
        await player.pilot.pause()
        shown = seen(player)
        assert ("▀█    ▄   █ █" in shown) is big, shown
        assert bool(re.search(r"Anna +Bert? *\n.*▀█    ▄   █ █", player.question)) is big
        assert "has the dwarfs" in " ".join(player.question.split())
        board = player.board.region
        assert not board.overlaps(player.screen.query_one(Prompt).region)


async def test_who_has_to_do_what_is_said_between_the_battles_and_at_the_end_who_made_what() -> (
    None
):
    async with playing(size=(120, 40)) as player:
        for move in ("dF1-F5", "TG7-F6xF5", "dG1-G5"):
            await player.play(move)
        await player.press("e", "y")
        told = " ".join(player.question.split())
        assert "Anna needs to win the second battle by 2 points or more." in told
        await player.press("n")
        assert re.search(r"to win +Anna \+2", player.standing)
        assert player.board.cursor in player.screen.picker.selection.movable
        await player.play("dF1-F5")
        await player.press("e", "y")
        assert re.search(r"points +dwarfs trolls both\n", player.question)
        assert re.search(r"Anna +31 +32 +63\n", player.question)
        assert re.search(r"Bert +32 +32 +64\n", player.question)


async def test_a_match_that_cannot_be_won_any_more_says_so_in_the_second_battle() -> None:
    position = placed("TG8", "TP8", "dF8", "dJ1", "dF1")
    async with playing(position=position, names=("Anna", "Bert")) as player:
        await player.play("dJ1-J2")
        await player.press("e", "y", "n")
        assert re.search(r"to win +Anna \+6", player.standing)
        await player.play("dF8-G8xG8")
        assert re.search(r"to win +Anna cannot", player.standing)
        await player.press("[")
        assert re.search(r"to win +Anna \+6", player.standing), "as it was there"


async def test_a_name_of_eleven_letters_stands_in_its_row_where_the_points_are_short() -> None:
    async with playing(names=("Anna", "Lamplighter"), size=(80, 24)) as player:
        await player.play("dF1-F5")
        await player.press("e", "y", "n")
        await player.play("dF1-F5")
        await player.press("e", "y")
        assert re.search(r"Anna +32 +32 +64\n", player.question)
        assert re.search(r"Lamplighter +32 +32 +64\n", player.question)


async def test_names_too_long_for_their_rows_leave_the_table_whole() -> None:
    names = "Bartholomew the Second", "Christiane of Quirm"
    for alike in (False, True):
        first = names[1].replace("Quirm", "Lancre") if alike else names[0]
        match = Match(VARIANTS["classic"], (first, names[1]))
        for _ in range(2):
            match.battle.agree()
            if not match.over:
                match.next_battle()
        head, *rows = _table(match, 26).plain.splitlines()
        assert len(rows) == (4 if alike else 2), "on lines of their own if they look alike"
        rows = rows[1::2] if alike else rows
        assert {len(row) for row in (head, *rows)} == {26}
        assert all(re.search(r" 32     32   64$", row) for row in rows)


async def test_after_resigning_only_the_margin_that_counts_is_shown() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        assert "margin" in player.standing
        await player.press("R", "y")
        assert "wins by 32 points" in player.question
        assert "margin" not in player.standing


async def test_a_result_is_laid_out_anew_for_another_size() -> None:
    async with playing(names=("Anna", "Lamplighter"), size=(120, 40)) as player:
        await player.play("dF1-F5")
        await player.press("e", "y", "n")
        await player.play("dF1-F5")
        await player.press("e", "y")
        wide = player.question
        await player.pilot.resize_terminal(80, 24)
        await player.until(lambda: player.question != wide)
        assert re.search(r"Anna +32 +32 +64\n", player.question)
        await player.pilot.resize_terminal(120, 40)
        await player.until(lambda: player.question == wide)


async def test_a_result_covers_no_frame_however_much_was_captured() -> None:
    position = placed(*(f"d{each}" for each in ("A6", "A7", "A9")), "TG8")
    async with playing("classic", position, size=(120, 40)) as player:
        player.app.change_setting("pieces", "sprites")
        await player.play("dA6-B6")
        await player.press("e", "y")
        await player.pilot.pause()
        shown = [each for each in player.screen.query("#panel > *") if each.display]
        assert not any(
            one.region.overlaps(other.region) for one, other in combinations(shown, 2)
        ), player.written


async def test_threats_leave_the_board_when_the_battle_is_over() -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="d")
    async with playing("classic", position) as player:
        await player.play("dJ1-J2")
        await player.press("t")
        assert player.board.view.threatened
        await player.press("e", "y")
        await player.pilot.pause()
        assert player.match.battle.outcome
        assert not player.board.view.threatened


async def test_a_battle_that_is_over_is_replayed_or_saved_by_a_key() -> None:
    async with playing() as player:
        player.app.change_setting("pieces", "sprites")
        await player.play("dF1-F5")
        await player.press("e", "y", "S")
        assert isinstance(player.app.screen, AskScreen)
        await player.press("escape")
        await player.press("r")
        replay = await player.see(ReplayScreen)
        assert replay.pane.board.piece_set == "sprites"
        assert not replay.review_task.running
        await player.press("q")
        await player.pilot.pause()
        assert "is over" in player.question


def test_every_figure_is_three_lines_high() -> None:
    for figure in "0123456789.:":
        assert len({len(line) for line in _FIGURES[figure]}) == 1
        assert len(_FIGURES[figure]) == 3


def test_results_too_wide_for_figures_are_not_drawn() -> None:
    assert large(21, 28, 26).plain.count("\n") == 3
    assert large(1021, 1028, 26).plain == ""


@pytest.mark.slow
async def test_whose_points_are_whose_is_said_in_the_second_battle() -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await player.play("TG8-F7xE6xE7")
        assert re.search(r"margin +3 to the trolls", player.standing)
        await player.press("e", "y", "n")
        before = re.findall(r"(Anna|Bert) .*\n +battle 1 +(\d)", player.standing)
        assert before == [("Bert", "4"), ("Anna", "1")]


@pytest.mark.slow
async def test_a_result_stays_for_who_confirms_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.tui.widgets.prompt.MOMENT", 3600)
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("R", "y", "enter", "space", "escape")
        assert "Battle 1 is over" in player.question
        assert player.match.number == 1
        await player.press("n")
        assert player.match.number == 2


async def test_enter_goes_on_after_a_battle_and_after_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thud.tui.widgets.prompt.MOMENT", 0)
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("e", "y", "enter")
        assert player.match.number == 2
        await player.play("dF1-F5")
        await player.press("e", "y")
        before = player.match
        await player.press("enter")
        assert player.match is not before
        assert not player.match.over


async def test_escape_leaves_after_a_battle_and_after_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thud.tui.widgets.prompt.MOMENT", 0)
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("e", "y")
        assert re.search(r" q  quit", player.question)
        await player.press("escape")
        assert "Quit?" in player.question, "the match goes on"
        await player.press("escape", "enter")
        await player.play("dF1-F5")
        await player.press("e", "y", "escape")
        await player.until(lambda: not player.app.is_running)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_result_is_told_in_any_width(variant: str) -> None:
    match = Match(VARIANTS[variant], (LONGEST[0][:40], LONGEST[1][:40]))
    match.battle.agree()
    second = match.until(1, 0)
    second.next_battle()
    second.battle.agree()
    for width, high in product(range(1, 60), (False, True)):
        assert "Battle 1 is over" in _result(match, width, high=high).plain
        assert "The match is over" in _result(second, width, high=high).plain


@pytest.mark.parametrize("arranged", [False, True])
async def test_after_an_arranged_match_no_other_one_is_offered(arranged: bool) -> None:
    async with playing("classic", placed("TG8", "dE6", to_move="T")) as player:
        player.session.state.arranged = arranged
        for _ in range(2):
            await player.play("TG8-G9")
            await player.press("e", "y")
            await player.pilot.pause()
            ends = player.match.over
            assert ("Enter" in seen(player)) is not (ends and arranged)
            if not ends:
                await player.press("n")
                await player.pilot.pause()
        await player.press("n")
        await player.pilot.pause()
        assert player.match.over is arranged


async def test_who_has_lost_by_far_is_offered_an_easier_match(tmp_path: Path) -> None:
    match, level = Match(VARIANTS["classic"], ("Anna", "Lamplighter")), parse_contender("cpu:2")
    session = Session(match, Autosave(Store(tmp_path)), (parse_contender("human"), level))
    async with running(ThudApp(PlayMatch(session), store=Store(tmp_path))) as player:
        await player.press("R", "y")
        assert "easier" not in player.question, "the match is not over"
        await player.press("n", "R", "y")
        assert " e  easier: level 1" in seen(player)
        await player.press("e")
        await player.until(lambda: session.state.match.players == ("Anna", "Pebble"))
        await player.until(lambda: "computer, level 1" in player.standing)
        assert "A new match. You begin." in player.message
        for answer in ("Ry", "n", "Ry", "e"):
            await player.press(*answer)
        await player.until(lambda: "Pebble gives 2" in player.standing)
        assert "Pebble gives two steps" in " ".join(player.message.split())


async def test_a_result_that_needs_the_whole_panel_hides_what_it_would_cover_in_part(
    tmp_path: Path,
) -> None:
    match, level = Match(VARIANTS["classic"], ("Anna", "Lamplighter")), parse_contender("cpu:2")
    session = Session(match, Autosave(Store(tmp_path)), (parse_contender("human"), level))
    async with running(ThudApp(PlayMatch(session), store=Store(tmp_path)), (79, 23)) as player:
        standing = player.screen.query_one(Standing)
        await player.press("R", "y")
        assert standing.visible
        await player.press("n", "R", "y")
        await player.until(lambda: "Your rating" in player.question)
        assert standing.visible
        accuracy = "Your accuracy: 61%. Level 1 has about 60%, level 6 80%." * 2
        session.emit(LookedBack("Your costliest move: turn 2.", accuracy))
        await player.until(lambda: not standing.visible)
        assert accuracy in " ".join(player.question.split())
        await player.press("n")
        await player.until(lambda: standing.visible)
