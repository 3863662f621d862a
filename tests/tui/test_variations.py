"""Other moves are tried in a replay, and kept."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from records.matches import variations_of
from saving import begin, save
from thud.ai.player import Thought
from thud.disk.atomic import write_atomic
from thud.engines.analyst import Analyst, Lines
from thud.records.record import Record, moves_of
from thud.records.store import Store
from thud.records.tgn.reader import read_tgn
from thud.records.tree import NodePath
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.cancellation import forever
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.look import SquareMark, Stroke
from thud.tui.board.widget import Board
from thud.tui.replay.analysis import Analysis
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import Replay
from thud.tui.widgets.prompt import Prompt
from tui.driver import running, work_done
from tui.test_replay import commented, replaying, said

PLAYED = ("dF1-F5", "TG7-F6", "dG1-G5", "TF6-G6xF5xG5")


def short() -> Match:
    """Return a match whose first battle was agreed to end after four moves, and the second, too."""
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for number in (1, 2):
        for text in PLAYED:
            match.battle.play(parse_move(match.variant, match.battle.position, text))
        match.battle.agree()
        if number == 1:
            match.next_battle()
    return match


def here(screen: ReplayScreen) -> NodePath:
    return screen.cursor.path


async def test_another_move_begins_a_variation_and_what_was_played_stays() -> None:
    match = short()
    async with replaying(match) as (screen, player):
        await player.press("right", "right")
        await player.type("e2e6")
        assert here(screen) == (((2, 0),), 3)
        await player.type("f6g7")
        assert here(screen) == (((2, 0),), 4)
        assert "In a variation." in said(screen)
        battle = screen.record.battles[0]
        assert battle.moves == match.battles[0].moves
        assert battle.outcome == match.battles[0].outcome
        (variation,) = battle.line[2].variations
        assert len(variation) == 2


async def test_keys_go_into_variations_out_and_across() -> None:
    async with replaying(short()) as (screen, player):
        for text in ("e2e6", "d3d4"):
            await player.type(text)
            await player.press("home")
        assert here(screen) == ((), 0)
        for keys, place in (
            ("down", (((0, 0),), 1)),
            ("tab", (((0, 1),), 1)),
            ("tab", ((), 1)),
            ("tab", (((0, 0),), 1)),
            ("up", ((), 0)),
            ("right_square_bracket", ((), 1)),
            ("left_square_bracket", ((), 0)),
        ):
            await player.press(keys)
            assert here(screen) == place
        await player.press("down", "tab", "P")
        assert here(screen) == (((0, 0),), 1)
        variations = screen.record.battles[0].line[0].variations
        texts = [move_text(screen.record.start, *moves_of(each)) for each in variations]
        assert texts == ["dD3-D4", "dE2-E6"]
        await player.press("P")
        assert "The moves that were played stay first" in said(screen)


async def test_a_move_is_picked_with_the_mouse_and_its_captures_are_asked_for() -> None:
    async with replaying(short()) as (screen, player):
        await player.press("right", "right", "right")
        board = screen.pane.board
        for square in ("F6", "G6"):
            region = board.region_of(parse_square(square))
            await player.pilot.click(Board, offset=(region.x + 1, region.y))
        assert "Capture from G6: 2 of 2" in str(screen.query_one(Prompt).render())
        await player.press("7", "enter")
        assert here(screen) == (((3, 0),), 4)
        assert screen.cursor.move
        assert screen.cursor.move.captures.bit_count() == 1
        # The board goes through what stands there now, and a step lets go of what is in hand.
        region = board.region_of(parse_square("G1"))
        await player.press("left")
        await player.pilot.click(Board, offset=(region.x + 1, region.y))
        await player.press("right")
        assert screen.picker.selection.picked is None
        assert here(screen) == ((), 4)


async def test_a_variation_is_deleted_when_that_is_meant() -> None:
    async with replaying(short()) as (screen, player):
        await player.type("e2e6")
        before = screen.record
        await player.press("D")
        assert "Delete dE2-E6" in str(screen.query_one(Prompt).render())
        await player.press("n")
        assert screen.record is before
        await player.press("D", "y")
        assert not variations_of(screen.record.battles[0].line)
        assert here(screen) == ((), 0)
        await player.press("right", "D")
        assert "Only variations can be deleted" in said(screen)


async def test_comments_are_written_changed_and_taken_away() -> None:
    async with replaying(short()) as (screen, player):
        await player.press("right", "c", *"why", "enter")
        await player.pilot.pause()
        assert "why" in commented(screen)
        await player.press("c", "?", "enter")
        await player.pilot.pause()
        assert screen.cursor.node.comments == ("why?",)
        await player.press("c", *["backspace"] * 4, "enter")
        await player.pilot.pause()
        assert screen.cursor.node.comments == ()


async def test_a_move_is_marked_and_the_board_drawn_on() -> None:
    async with replaying(short()) as (screen, player):
        await player.press("!")
        assert "No move has been made here" in said(screen)
        await player.press("right", "!", "!", "!")
        await player.until(lambda: screen.cursor.annotation.mark == "!?")
        assert "dF1-F5!?" in player.written
        await player.press("A", *"F1-F5 Z9", "enter")
        assert "Write an arrow like F1-F5" in player.written
        await player.press(*["backspace"] * 2, *"H8", "enter")
        await player.until(lambda: screen.cursor.annotation.shapes)
        f1, f5, h8 = map(parse_square, ("F1", "F5", "H8"))
        assert screen.cursor.annotation.shapes == ((f1, f5), (h8, h8))
        assert screen.pane.board.view.marks[h8] is SquareMark.NOTED
        assert screen.pane.board.view.strokes[parse_square("F3")] is Stroke.DOWN
        await player.press("right")
        assert h8 not in screen.pane.board.view.marks
        await player.press("left")
        assert screen.pane.board.view.marks[h8] is SquareMark.NOTED
        await player.press("A", *["backspace"] * 8, "enter")
        await player.until(lambda: not screen.cursor.annotation.shapes)
        assert screen.cursor.annotation.mark == "!?"


async def test_the_right_button_draws_and_takes_away() -> None:
    async with replaying(short()) as (screen, player):

        async def draw(origin: str, end: str) -> None:
            for kind, name in (events.MouseDown, origin), (events.MouseUp, end):
                region = screen.pane.board.region_of(parse_square(name))
                place = region.x + 1, region.y
                await player.pilot._post_mouse_events([kind], Board, offset=place, button=3)

        await draw("F1", "F5")
        await draw("H8", "H8")
        f1, f5, h8 = map(parse_square, ("F1", "F5", "H8"))
        await player.until(lambda: screen.cursor.annotation.shapes == ((f1, f5), (h8, h8)))
        await draw("F1", "F5")
        await player.until(lambda: screen.cursor.annotation.shapes == ((h8, h8),))


async def test_a_saved_match_keeps_what_was_tried(tmp_path: Path) -> None:
    store = Store(tmp_path)
    record = Record.of(short(), date="2026-11-20")
    saved = store.adopt(record)
    saved.close()
    app = ThudApp(Replay(record, name=saved.id), store=store)
    async with running(app) as player:
        await player.press("right")
        await player.type("g7h6")
        screen = await player.see(ReplayScreen)
        kept = store.load(saved.id)
        assert kept == screen.record
        assert kept.battles[0].line[1].variations == ((screen.cursor.node,),)
        await player.press("p", "enter")
        await player.see(BattleScreen)
    assert store.finished()[0].id == saved.id


@pytest.mark.slow
async def test_what_is_played_elsewhere_is_not_written_over(tmp_path: Path) -> None:
    store = Store(tmp_path)
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    playing = begin(store, match)
    record = store.load(playing.id)
    app = ThudApp(Replay(record, name=playing.id), store=store)
    async with running(app) as player:
        await player.type("e2e6")
        screen = await player.see(ReplayScreen)
        assert "open in another terminal" in said(screen)
        match.battle.play(parse_move(match.variant, match.battle.position, "TG7-H6"))
        save(playing, match)
        playing.close()
        await player.type("g7h6")
        assert "has moved on" in said(screen)
        assert len(store.load(playing.id).battles[0].moves) == 2
        await player.press("q")
        assert "not saved" in str(screen.query_one(Prompt).render())
        await player.press("y")


@pytest.mark.slow
async def test_playing_on_asks_first_where_what_was_tried_would_be_lost(tmp_path: Path) -> None:
    async with replaying(short()) as (screen, player):
        await player.type("e2e6")
        await player.press("p")
        assert "Play on from here?" in str(screen.query_one(Prompt).render())
        await player.press("n")
        assert player.app.screen is screen
        assert not screen.asking
        await player.press("p", "s")
        player.app.screen.query_one(Input).value = str(tmp_path / "tried.tgn")
        await player.press("enter")
        await work_done(player.app)
        await player.pilot.pause()
        assert player.app.screen is screen
        assert read_tgn((tmp_path / "tried.tgn").read_text()) == (screen.record,)
        await player.type("g7h6")
        await player.press("p", "y", "enter")
        playing = await player.see(BattleScreen)
        assert playing.match.battle.moves == screen.cursor.moves


@pytest.mark.slow
@pytest.mark.parametrize("leaving", [True, False])
async def test_what_could_not_be_saved_is_saved_once_there_is_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaving: bool
) -> None:
    full = True

    def write(path: Path, data: bytes) -> None:
        if full:
            raise OSError("the disk is full")
        write_atomic(path, data)

    monkeypatch.setattr("thud.tui.replay.screen.SAVE_AGAIN", 1e9 if leaving else 0.001)
    store = Store(tmp_path)
    with begin(store, short()) as saved:
        save(saved, short())
    monkeypatch.setattr("thud.records.store.write_atomic", write)
    app = ThudApp(Replay(store.load(saved.id), name=saved.id), store=store)
    async with running(app) as player:
        await player.type("e2e6")
        screen = await player.see(ReplayScreen)
        await player.until(lambda: "the disk is full" in said(screen))
        await player.press("q")
        await player.until(lambda: "not saved" in player.question)
        await player.press("n")
        full = False
        if not leaving:
            await player.until(lambda: "saved again" in said(screen))
        await player.press("q")
        await work_done(app)
    assert app.return_code == 0
    assert len(variations_of(store.load(saved.id).battles[0].line)) == 1


@pytest.mark.slow
async def test_a_variation_that_has_ended_runs_again_from_where_it_begins() -> None:
    async with replaying(short()) as (screen, player):
        await player.press("right")
        for text in ("g7h6", "d3d4", "h6g7"):
            await player.type(text)
        assert here(screen) == (((1, 0),), 4)
        await player.press("space")
        assert here(screen) == (((1, 0),), 2)
        await player.press("plus", "plus")
        await player.until(lambda: here(screen) == (((1, 0),), 4))
        assert "Playing" not in said(screen)


async def test_the_computer_thinks_of_what_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Position] = []

    async def look(
        _: Analyst, variant: Variant, position: Position, report: Callable[[Lines], None]
    ) -> None:
        asked.append(position)
        best = variant.legal_moves(position)[:3]
        report({rank: Thought(4, 300 - rank, 9, 0.1, (move,)) for rank, move in enumerate(best, 1)})
        await forever()

    monkeypatch.setattr(Analyst, "watch", look)
    async with replaying(short()) as (screen, player):
        analysis = screen.query_one(Analysis)
        await player.press("v")
        await player.press("right")
        assert asked == list(screen.cursor.positions[:2])
        text = str(analysis.render())
        assert "depth 4" in text
        assert text.count("trolls +3 ±") == 3
        third = analysis.lines.get(3)
        assert third
        await player.press("Z")
        await player.pilot.pause()
        assert screen.cursor.move == third.line[0]
        assert here(screen) == (((1, 0),), 2)
        assert asked[-1] == screen.cursor.position
        await player.press("v", "left", "X")
        await player.pilot.pause()
        assert len(asked) == 3
        assert not analysis.display
        assert here(screen) == ((), 1)


@pytest.mark.slow
async def test_the_computers_process_ends_with_the_replay() -> None:
    async with replaying(short()) as (screen, player):
        await player.press("v")
        analysis = screen.query_one(Analysis)
        await player.until(lambda: "depth" in str(analysis.render()))
        (engine,) = analysis._analyst._engines
        assert engine.running
        await player.press("q")
    assert not engine.running


async def test_a_replay_runs_no_longer_while_a_comment_is_written() -> None:
    async with replaying(short()) as (screen, player):
        await player.press("space")
        assert "Playing" in said(screen)
        await player.press("c")
        assert "Playing" not in said(screen)
