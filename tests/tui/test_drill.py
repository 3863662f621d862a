"""Tasks at the board: lessons are chosen, done, missed, hinted at and left, by keys and mouse."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from textual.widgets import OptionList, Static

from sampling import sampled
from thud.exercises.drill import Attempts, Drill, Verdict
from thud.exercises.lessons.aim import Aim, Attempt, Measure
from thud.exercises.lessons.lesson import lessons
from thud.exercises.lessons.progress import LessonProgress
from thud.exercises.practise import MOST_MISSED, Practice
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.score import PuzzleScore, save_score
from thud.records.programs import EDITION
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.geometry import parse_square, square_name
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.widget import Board
from thud.tui.drill.screen import DrillScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.start import Front, Lessons, Practise
from thud.tui.widgets.modals import ListScreen
from tui.driver import Player, path, placed, playing, running, work_done
from tui.test_apart import one_line
from tui.test_keys import offered


class Learner(Player):
    """Drives the app through lessons."""

    @property
    def lesson(self) -> DrillScreen:
        screen = self.app.screen
        assert isinstance(screen, DrillScreen)
        return screen

    @property
    def shown(self) -> Position:
        return self.lesson.query_one(Board).view.position

    @property
    def task(self) -> str:
        return self.text("#task")

    async def solve(self) -> None:
        """Do the task at hand, and go on."""
        task = self.lesson.drill.task
        if task.solution:
            await self.type(move_text(task.position, task.solution))
        else:
            await self.press("e")
        assert "go on" in self.question
        assert " back" in self.written
        await self.press("enter")


@asynccontextmanager
async def learning(
    directory: Path, name: str | None = "", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Learner]:
    preferences = Preferences(overrides={"animation": False})
    start = Front() if name is None else Lessons(name)
    app = ThudApp(start, store=Store(directory), preferences=preferences)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Learner(app, pilot)


async def test_the_piece_asked_for_is_a_tab_away_and_after_a_miss_under_the_cursor(
    tmp_path: Path,
) -> None:
    async with learning(tmp_path, "lines") as player:
        wanted = player.lesson.drill.task.solution
        assert wanted
        board = player.lesson.query_one(Board)
        assert board.cursor != wanted.origin
        await player.press("tab")
        assert board.cursor == wanted.origin
        await player.type("C6-C7")
        assert "try again" in player.question
        await player.press("enter")
        assert board.cursor == wanted.origin


@pytest.mark.slow
async def test_tab_goes_first_to_what_a_lesson_asks_for(tmp_path: Path) -> None:
    async with learning(tmp_path, "dwarfs") as player:
        keys = player.app.screen.query_one(KeyBar)
        for _ in player.lesson.drill.tasks:
            wanted = player.lesson.drill.task.solution
            assert wanted
            board = player.lesson.query_one(Board)
            board.move_cursor(parse_square("H8"))
            await player.until(lambda: str(keys.render()).startswith("←↓↑→ Move Enter Choose"))
            await player.press("tab")
            assert board.cursor == wanted.origin
            await player.press("enter", "tab")
            assert board.cursor == wanted.destination
            await player.until(lambda: "Move" not in str(keys.render()))
            assert "Esc Let go" in str(keys.render())
            await player.press("escape")
            await player.until(lambda: "Esc Back" in str(keys.render()))
            await player.solve()


async def test_keys_that_do_nothing_in_a_lesson_say_why(tmp_path: Path) -> None:
    async with learning(tmp_path, "points") as player:
        for key, told in (
            ("n", "Do this task before the next."),
            ("s", "no solution"),
            ("T", "theme"),
        ):
            await player.press(key)
            assert told in player.message
        assert "1 of 2" in player.task
        bar = str(player.app.screen.query_one(KeyBar).render())
        assert "Skip" not in bar
        assert "Solution" not in bar


async def test_a_lesson_is_chosen_done_and_kept(tmp_path: Path) -> None:
    async with learning(tmp_path) as player:
        listed = player.app.screen.query_one(OptionList)
        assert listed.highlighted_option
        assert listed.highlighted_option.id == "points"
        await player.press("enter")
        assert "The point of the game" in player.task
        assert "1 of 2" in player.task
        await player.solve()
        assert "2 of 2" in player.task
        await player.press("escape")
        await player.see(ListScreen)
        await player.press("enter")
        await player.see(DrillScreen)
        assert "2 of 2" in player.task, "a lesson that was left goes on where it stood"
        await player.solve()
        assert "Hurls along a line" in player.task, "the next lesson follows"
        await player.press("escape")
        await player.see(ListScreen)
        await player.press("escape")
        await player.until(lambda: "Next: the lesson 'Hurls along a line' (N)" in player.written)
        await player.app.workers.wait_for_complete()
    assert LessonProgress(tmp_path).done == {"points"}
    async with learning(tmp_path) as player:
        listed = player.app.screen.query_one(OptionList)
        assert listed.highlighted_option
        assert listed.highlighted_option.id == "lines"


@pytest.mark.slow
async def test_what_misses_is_answered_and_stands_again(tmp_path: Path) -> None:
    async with learning(tmp_path, "shelter") as player:
        task = player.lesson.drill.task
        await player.type("E12 E13")
        assert "Not that one." in player.question
        assert "The reply captures" in player.question
        dwarfs = task.position.dwarfs.bit_count()
        await player.until(lambda: player.shown.dwarfs.bit_count() < dwarfs)
        bar = player.lesson.query_one(KeyBar)
        await player.until(lambda: "Enter Try again" in bar.render().plain)
        assert "Esc Back" in bar.render().plain
        await player.press("enter")
        assert player.shown == task.position
        assert player.question == ""
        assert player.lesson.drill.efforts[0].misses == 1
        await player.solve()


async def test_a_hint_points_and_then_shows(tmp_path: Path) -> None:
    async with learning(tmp_path, "shove") as player:
        solution = player.lesson.drill.task.solution
        assert solution
        await player.press("i")
        assert player.lesson.pane.board.cursor == solution.origin
        assert f"Look at the troll on {square_name(solution.origin)}" in player.message
        await player.press("i")
        assert "shove the troll from F7 to D5 and capture C4 and C5" in player.message
        assert player.lesson.picker.advice.move == solution
        await player.solve()


async def test_the_end_is_proposed(tmp_path: Path) -> None:
    async with learning(tmp_path, "end") as player:
        await player.press("e")
        assert "Agreed" in player.question
        await player.press("enter", "e")
        assert "too early" in player.question
        assert player.lesson.drill.efforts[1].misses == 1


async def test_the_end_is_no_attempt_where_only_moves_are_right(tmp_path: Path) -> None:
    async with learning(tmp_path, "hurl") as player:
        await player.press("e")
        assert "Find a move: to propose the end does nothing here." in player.message
        assert not player.question
        assert player.lesson.drill.efforts[0].misses == 0
        assert "Propose end" not in offered(player.app)
    async with learning(tmp_path, "end") as player:
        assert "Propose end" in offered(player.app)


@pytest.mark.parametrize("keys", sampled(["escape", "i escape", "e q"]))
async def test_it_is_left_at_any_moment(tmp_path: Path, keys: str) -> None:
    async with learning(tmp_path, "hurl") as player:
        await player.press(*keys.split())
        await player.see(ListScreen)


async def test_the_last_lesson_ends_in_a_battle(tmp_path: Path) -> None:
    async with learning(tmp_path, "battle") as player:
        await player.solve()
        await player.solve()
        await player.see(BattleScreen)
        computer, person = player.screen.session.state.seats.programs
        assert computer.endswith(f"level 1 of 15, edition {EDITION}")
        assert not person, "who is new has the easier side"
        session = player.screen.session
        assert isinstance(session, Session)
        assert session.advice.coach.on
        assert player.app.settings.coach
        await player.until(lambda: bool(session.autosave.id))
        await player.press("ctrl+q")
        await work_done(player.app)
    progress = LessonProgress(tmp_path)
    assert "battle" not in progress.done, "the battle was left"
    assert "battle" in progress.battles.values()


async def test_the_aim_of_a_lessons_battle_is_told_once_measured_and_listed(
    tmp_path: Path,
) -> None:
    hold, margin = Aim(Side.DWARFS, Measure.HOLD, 2, turns=1), Aim(Side.TROLLS, Measure.MARGIN, 5)
    async with playing(position=placed("dA6", "dF4", "TF6")) as player:
        player.session.state.attempt = Attempt(hold, 1)
        for text in "dA6-A7", "TF6-G7":
            assert "Your aim" not in player.message
            await player.play(text)
        told = "Your aim: hold two dwarfs for one turn. You have reached it: two dwarfs, the best"
        assert told in one_line(player.message)
        player.session.state.attempt = Attempt(margin)
        await player.press("R", "y")
        told = "Your aim: win by five points or more. You have not reached it: won by 4 points."
        assert told in one_line(player.question)
    progress = LessonProgress(tmp_path)
    progress.results = {"home": -3, "gather": 11}
    progress.save()
    async with learning(tmp_path, "hurl") as player:
        await player.press("escape")
        listed = (await player.see(ListScreen)).query_one(OptionList).options
        rows = [str(each.prompt) for each in listed]
        assert any(row.endswith("come home  lost by 3 points") for row in rows)
        assert any(row.endswith("gather  a block of eleven") for row in rows)


@pytest.mark.parametrize("name", sampled((lesson.name for lesson in lessons()), 16))
async def test_every_text_is_shown_whole_at_the_smallest_size(tmp_path: Path, name: str) -> None:
    (lesson,) = (each for each in lessons() if each.name == name)
    async with learning(tmp_path, name) as player:
        for task in lesson.tasks:
            shown = player.written.split()
            assert all(word in shown for word in task.words.split()), task.words
            await player.solve()


class _Refused(NamedTuple):
    """A task at which every move is wrong, and the reply and what follows show why."""

    variant: Variant = VARIANTS["classic"]
    position: Position = Position.from_text(placed("dF4", "dG4", "dH4", "TG6", "dA6", to_move="T"))
    words: str = "Play a move."
    solution: Move | None = None
    line: tuple[Move, ...] = ()
    played: Move | None = None

    async def judge(self, move: Move | None) -> Verdict:
        assert move
        battle = Battle(self.variant, self.position)
        battle.play(move)
        for text in "dA6-A7", "TG5-G6", "dA7-A6":
            battle.play(parse_move(self.variant, battle.position, text))
        return Verdict(False, "The reply: the dwarf moves to A7.", tuple(battle.moves[1:]))


@pytest.mark.slow
async def test_a_wrong_try_is_answered_and_help_is_on_what_is_being_done(tmp_path: Path) -> None:
    async with learning(tmp_path, None) as learner:
        await learner.app.push_screen(DrillScreen(iter([Drill("A drill", [_Refused()])])))
        await learner.settled()
        assert learner.lesson.topic == "game"
        await learner.press(*path(learner.lesson.query_one(Board).cursor, parse_square("G6")))
        await learner.press("enter", *path(parse_square("G6"), parse_square("G5")), "enter")
        assert "Capture from G5" in learner.question
        assert learner.lesson.topic == "step"
        await learner.press("enter")
        await learner.settled()
        told = " ".join(learner.question.split())
        assert "The reply: the dwarf moves to A7. Then: TG5-G6 dA7-A6." in told
        assert "try again" in told
        assert learner.lesson.topic == "step"
        await learner.press("enter")
        assert learner.lesson.topic == "game"


@pytest.mark.slow
async def test_the_threat_map_stays_for_another_try_but_not_for_the_next_task(
    tmp_path: Path,
) -> None:
    async with learning(tmp_path, "shelter") as player:
        await player.press("p")
        assert "Pieces: " in player.message
        await player.press("t")
        assert "! in danger" in player.written
        await player.type("E12 E13")
        await player.press("enter")
        assert "! in danger" in player.written
        await player.solve()
        assert "! in danger" not in player.written
        assert "Nothing can be captured" not in player.written


async def test_what_is_put_aside_comes_back_from_the_front_page(tmp_path: Path) -> None:
    save_score(tmp_path, PuzzleScore().with_solved(puzzles()[0], Attempts(misses=1)))
    practice = Practice(tmp_path)
    practice.refresh(Store(tmp_path))
    for day in range(MOST_MISSED):
        at = datetime.now(UTC) - timedelta(days=9 - day)
        practice.answer(practice.cards[0], Attempts(misses=1), at)
    practice.save()
    assert practice.aside == 1
    app = ThudApp(Practise(), store=Store(tmp_path), preferences=Preferences(None))
    async with running(app) as player:
        asked = await player.see(ListScreen)
        assert "One position put aside" in str(asked.query_one(Static).render())
        await player.press("enter")
        await player.see(DrillScreen)
    assert not Practice(tmp_path).aside
