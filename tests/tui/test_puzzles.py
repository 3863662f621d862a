"""Puzzles on the board: a wrong try is refuted, a right one leads on, and the score is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from sampling import sampled
from thud.exercises.drill import Drill
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.puzzle import Puzzle
from thud.exercises.puzzles.score import load_score
from thud.exercises.puzzles.themes import THEMES
from thud.records.links import link_to_puzzle
from thud.records.store import Store
from thud.rules.notation import move_text
from thud.rules.position import Move
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.drill.choosing import ChoosingScreen
from thud.tui.drill.screen import DrillScreen
from thud.tui.editor.screen import EditScreen
from thud.tui.front.page import FrontPage
from thud.tui.keys.bar import KeyBar
from thud.tui.start import Puzzles
from thud.tui.widgets.modals import ListScreen
from tui.driver import Player, running

FIRST, SECOND = [each for each in puzzles() if each.variant is puzzles()[0].variant][:2]
SECOND_CLASSIC = [each for each in puzzles() if each.variant.name == "classic"][1]
LONG = next(puzzle for puzzle in puzzles() if puzzle.replies)


@asynccontextmanager
async def solving(
    directory: Path, size: tuple[int, int] = (80, 24), some: Sequence[Puzzle] = ()
) -> AsyncIterator[Player]:
    """Open the front page and choose the puzzles there, or begin with some."""
    app = ThudApp(Puzzles(some), store=Store(directory), preferences=Preferences(None))
    async with running(app, size) as player:
        if not some:
            await player.press("z")
        await player.see(DrillScreen)
        await begun(player)
        yield player


async def begun(player: Player) -> None:
    """Wait until the first task is shown."""
    task = player.app.screen.query_one("#task", Static)
    await player.until(lambda: bool(str(task.render())))


def drill(player: Player) -> Drill:
    screen = player.app.screen
    assert isinstance(screen, DrillScreen)
    return screen.drill


async def attempt(player: Player, move: Move) -> None:
    """Type a move, and wait for what is said of it."""
    text = move_text(drill(player).task.position, move)
    await player.press(":", *text, "enter")
    await player.until(lambda: bool(player.question))


@pytest.mark.parametrize("size", sampled([(80, 24), (160, 50)]))
async def test_a_right_move_is_kept_and_leads_on(tmp_path: Path, size: tuple[int, int]) -> None:
    async with solving(tmp_path, size) as player:
        bar = str(player.app.screen.query_one(KeyBar).render())
        assert "s Solution" in bar
        assert "c Others" in bar
        await attempt(player, FIRST.solutions[0][0])
        assert "Right" in player.question
        assert "Solved 1, first try 1" in " ".join(player.question.split())
        await player.until(lambda: load_score(tmp_path).ids == {FIRST.id})
        await player.press("enter")
        assert drill(player).task.position == SECOND.position


async def test_a_wrong_move_is_refuted_on_the_board(tmp_path: Path) -> None:
    async with solving(tmp_path) as player:
        await attempt(player, FIRST.tempting[0])
        assert "better move" in player.question
        screen = await player.see(DrillScreen)
        refuted = [*FIRST.tempting]
        await player.until(lambda: list(screen.picker.match.battle.moves) == refuted[:2])
        await player.press(*["right"] * (len(refuted) - 2))
        assert list(screen.picker.match.battle.moves) == refuted
        assert "the next move" not in player.question
        await player.press("enter")
        assert screen.picker.match.battle.moves == ()
        assert not player.question
        await player.press("i")
        await attempt(player, FIRST.solutions[0][0])
        await player.until(lambda: bool(load_score(tmp_path).solved))
        (effort,) = [each.effort for each in load_score(tmp_path).solved]
        assert (effort.misses, effort.hints) == (1, 1)


async def test_after_a_wrong_move_the_solution_is_one_key_away_and_counts_as_missed(
    tmp_path: Path,
) -> None:
    async with solving(tmp_path, some=[LONG, FIRST]) as player:
        while drill(player).task.position != LONG.position:
            await player.press("n")
        await attempt(player, LONG.tempting[0])
        await player.press("s")
        await player.until(lambda: player.question.startswith("The solution: "))
        assert "Solved 0, first try 0, streak 0" in " ".join(player.question.split())
        screen = await player.see(DrillScreen)
        moves = 2 * len(LONG.solutions) - 1
        assert screen.picker.advice.move == LONG.solutions[0][0], "drawn, not played"
        for shown in range(moves + 1):
            assert len(screen.picker.match.battle.moves) == shown
            assert ("the next move" in player.question) is (shown < moves)
            await player.press("right")
        await player.until(lambda: bool(load_score(tmp_path).solved))
        (kept,) = load_score(tmp_path).solved
        assert kept.effort.shown
        await player.press("enter")
        assert drill(player).task.position == FIRST.position


async def test_leaving_leads_to_the_front_page_and_there_to_the_game_chosen(
    tmp_path: Path,
) -> None:
    async with solving(tmp_path) as player:
        await attempt(player, FIRST.solutions[0][0])
        await player.until(lambda: bool(load_score(tmp_path).solved))
        await player.press("escape")
        await player.see(FrontPage)
        await player.press("z")
        await player.see(DrillScreen)
        assert puzzles()[1].variant.name != "classic"
        assert drill(player).task.position == SECOND_CLASSIC.position


@pytest.mark.slow
async def test_a_long_puzzle_alone_leads_back_to_the_front_page(tmp_path: Path) -> None:
    async with solving(tmp_path, some=[LONG]) as player:
        for place, best in enumerate(LONG.solutions):
            assert drill(player).place == place
            await attempt(player, best[0])
            await player.press("enter")
        await player.see(FrontPage)
        await player.until(lambda: load_score(tmp_path).ids == {LONG.id})


@pytest.mark.parametrize("keys", ["n", ":skip", ":next"])
async def test_a_puzzle_is_skipped_and_comes_again_later(tmp_path: Path, keys: str) -> None:
    async with solving(tmp_path) as player:
        await player.press(*keys, *(["enter"] if keys[1:] else []))
        assert drill(player).task.position == SECOND.position
        await player.until(lambda: load_score(tmp_path).seen == (FIRST.id, SECOND.id))
        assert not load_score(tmp_path).solved


async def test_a_puzzle_is_played_from_or_edited(tmp_path: Path) -> None:
    async with solving(tmp_path) as player:
        await player.press("P")
        await player.see(ListScreen)
        await player.press("enter")
        await player.see(BattleScreen)
        assert player.match.battle.position == FIRST.position
        assert player.match.variant is FIRST.variant
        await player.press("q")
        await player.see(DrillScreen)
        await player.press("E")
        await player.see(EditScreen)


@pytest.mark.parametrize("size", sampled([(48, 34), (80, 24), (160, 50)]))
async def test_puzzles_are_chosen_at_the_board(tmp_path: Path, size: tuple[int, int]) -> None:
    async with solving(tmp_path, size) as player:
        await player.press("c")
        await player.see(ChoosingScreen)
        await player.press("right", "down", "down", "right", "right", "down", "enter")
        assert player.text("#count").startswith("No such puzzle."), "and none is begun"
        await player.press("up", "left", "left", "up", "up", "left")
        await player.press("left", "down", "right")
        await player.until(lambda: "puzzles" in player.text("#count"))
        assert "rating" not in player.text("#count")
        await player.press("down", "down", "enter")
        await player.see(DrillScreen)
        await begun(player)
        await player.until(lambda: ", puzzle " in drill(player).title)
        await player.until(lambda: drill(player).title.endswith("(easy)"))
        await player.until(lambda: drill(player).task.variant.name == "football")


@pytest.mark.slow
async def test_a_score_that_cannot_be_kept_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("thud.exercises.puzzles.score.save_score", refuse)
    async with solving(tmp_path) as player:
        await attempt(player, FIRST.solutions[0][0])
        await player.until(lambda: bool(player.app._notifications))
        (told,) = player.app._notifications
        assert "No space left" in told.message


async def test_the_theme_is_shown_on_demand_and_once_a_puzzle_is_solved(tmp_path: Path) -> None:
    about = THEMES[FIRST.theme]
    async with solving(tmp_path) as player:
        task = str(player.app.screen.query_one("#task", Static).render())
        assert about not in task
        await player.press("T")
        assert about in " ".join(player.message.split())
        await attempt(player, FIRST.solutions[0][0])
        assert about in " ".join(player.question.split())
        await player.until(lambda: bool(load_score(tmp_path).solved))
        assert load_score(tmp_path).solved[0].effort.hints == 1


async def test_a_link_to_a_puzzle_is_copied_unless_it_is_ones_own(tmp_path: Path) -> None:
    own = FIRST._replace(id="mine-1")
    async with solving(tmp_path, some=[own, FIRST]) as player:
        await player.press("C")
        assert not player.app.clipboard
        await player.press("n", "C")
        assert player.app.clipboard == link_to_puzzle(FIRST.id)


async def test_after_a_wrong_move_another_can_be_typed_at_once(tmp_path: Path) -> None:
    """Its letters are no keys: `f` would flip the board."""
    async with solving(tmp_path) as player:
        await attempt(player, FIRST.tempting[0])
        screen = await player.see(DrillScreen)
        flipped = screen.pane.board.flipped
        await player.press(":")
        assert screen.picker.match.battle.moves == ()
        await player.press(*move_text(FIRST.position, FIRST.solutions[0][0]), "enter")
        await player.until(lambda: player.question.startswith("Right"))
        assert screen.pane.board.flipped is flipped
