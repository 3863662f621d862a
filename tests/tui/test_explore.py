"""What others played, walked through by keys and mouse."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import islice
from pathlib import Path
from threading import Event, Thread, current_thread

import pytest
from textual.events import Key
from textual.widgets import Input, OptionList

from explore.match_files import played, write
from sampling import sampled
from thud.explore import files, library
from thud.explore.files import Content, content_of
from thud.explore.library import CannotIndex, Library
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Side
from thud.rules.variant import Forfeit, Reason, Variant
from thud.rules.variants import VARIANTS
from thud.terminal.cells import Cell
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.look import SquareMark
from thud.tui.board.widget import Board
from thud.tui.explore.played_list import PlayedList
from thud.tui.explore.screen import ExploreScreen
from thud.tui.front.page import FrontPage
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import Explore, Front, Replay, Start
from thud.tui.widgets.modals import ListScreen
from tui.driver import Player

CLASSIC = VARIANTS["classic"]


class Explorer(Player):
    """Drives the app through what others played."""

    @property
    def explorer(self) -> ExploreScreen:
        screen = self.app.screen
        assert isinstance(screen, ExploreScreen)
        return screen

    @property
    def battle(self) -> Battle:
        return self.explorer.picker.match.battle

    @property
    def listed(self) -> list[str]:
        """The lines of the list."""
        shown = self.explorer.query_one(PlayedList)
        lines = [shown.render_line(y).text.rstrip() for y in range(shown.size.height)]
        return [line for line in lines if line]

    def told(self, of: str) -> str:
        return " ".join(self.text(of).split())

    @property
    def chosen(self) -> Move:
        found = self.explorer.query_one(PlayedList).chosen
        assert found
        return found.move

    async def settled(self) -> None:
        """Wait until everything has been read and looked up."""
        await super().settled()
        await super().settled()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_CACHE_DIR", str(tmp_path / "cache"))
    for module in files, library:
        monkeypatch.setattr(module, "CORPUS", tmp_path / "corpus")


@asynccontextmanager
async def exploring(
    tmp_path: Path, *records: Record, size: tuple[int, int] = (80, 24), start: Start | None = None
) -> AsyncIterator[Explorer]:
    """Run the app on what was played in some matches."""
    if records:
        write(tmp_path / "data" / "matches" / "a.tgn", *records)
    store = Store(tmp_path / "data")
    first = Explore(Match(CLASSIC)) if start is None else start
    app = ThudApp(first, store=store)
    async with app.run_test(size=size) as pilot:
        player = Explorer(app, pilot)
        await player.settled()
        yield player


MANY = (
    *[played("dF1-F5", "TG7-G6", "dF5-F4")] * 3,
    played("dF1-F5", "TG7-F6xF5"),
    played("dG1-G5", over=False),
)


async def test_the_moves_are_listed_with_what_came_of_them(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        head, first, second = player.listed
        assert head.split() == ["move", "times", "average"]
        assert first.split()[1:4] == ["4", "80%", "-0.2"]
        assert second.split()[1:] == ["1", "20%"]
        assert "Two moves in five battles" in player.told("#where")
        assert "in four battles, 80%. One troll win, three draws." in player.told("#message")
        await player.do("down")
        assert "not finished yet" in player.told("#message")
        for key in ("up", "down"):
            await player.do(key)
            marks = player.explorer.query_one(Board).view.marks
            advised = {square for square, mark in marks.items() if mark is SquareMark.ADVISED}
            assert advised == set(player.chosen[:2])
        hint = "'thud explore --corpus' has battles between computers."
        assert hint not in player.told("#told")
        shown = player.explorer.query_one(PlayedList)
        assert all(
            shown.render_line(y).cell_length == shown.size.width for y in range(shown.size.height)
        )


async def test_the_computer_judges_the_chosen_move(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        await player.press("i")
        await player.until(
            lambda: "After dF1-F5. The best move: " in " ".join(player.message.split())
        )


async def test_an_average_is_shown_with_its_error_where_there_is_room(tmp_path: Path) -> None:
    ended = played("dF1-F5", "TG7-F6xF5"), played("dF1-F5", "TG7-G6")
    for width, shown in (120, True), (80, False):
        async with exploring(tmp_path, *ended, size=(width, 40)) as player:
            assert ("±" in "".join(player.listed)) is shown


async def test_c_counts_ones_own_battles_or_the_computers(tmp_path: Path) -> None:
    write(tmp_path / "corpus" / "classic.tgn", *[played("dG1-G5")] * 7)
    async with exploring(tmp_path, *MANY) as player:
        for counted, battles in (
            ("all battles", "Two moves in twelve battles"),
            ("your battles", "Two moves in five battles"),
            ("the computer's battles", "One move in seven battles"),
            ("all battles", "Two moves in twelve battles"),
        ):
            assert f"Counted: {counted}" in player.told("#where")
            assert battles in player.told("#where")
            await player.do("c")


async def test_matches_are_found_by_their_pieces(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        await player.press("M")
        player.app.screen.query_one(Input).value = "31 8"
        await player.press("enter")
        await player.see(ListScreen)
        assert "Matches with 31 dwarfs and eight trolls" in player.text("#said")
        await player.press("enter")
        await player.see(ReplayScreen)
        screen = player.app.screen
        assert isinstance(screen, ReplayScreen)
        assert screen.cursor.ply == 2
        await player.press("q")
        await player.see(ExploreScreen)
        await player.press("M")
        player.app.screen.query_one(Input).value = "2 2"
        await player.press("enter")
        await player.see(ListScreen)
        assert "No match has two dwarfs and two trolls." in player.text("#said")


async def test_one_explores_from_a_match_and_from_the_front_page(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY, start=Front()) as player:
        await player.press("x")
        await player.see(ExploreScreen)
        await player.settled()
        await player.do("enter", "P")
        await player.press("enter")
        await player.see(BattleScreen)
        assert player.match.battle.position.letter_at(parse_square("F5")) == "d"
        assert player.match.battle.position.to_move is Side.TROLLS
        await player.do("q")
        await player.see(ExploreScreen)
        await player.do("q")
        await player.see(FrontPage)
        await player.press("n")
        await player.see(BattleScreen)
        await player.play("dF1-F5")
        await player.press("X")
        await player.see(ExploreScreen)
        await player.settled()
        assert player.battle.played == 1
        assert player.listed[1].split()[0].startswith("TG7-G6")
        await player.do("enter")
        await player.do("q")
        await player.see(BattleScreen)
        assert player.session.state.battle.played == 1, "the match itself has not gone on"


async def test_one_steps_in_and_back_and_on_again(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        first = player.chosen
        await player.do("enter")
        assert player.battle.moves == (first,)
        assert "Two moves in four battles" in player.told("#where")
        await player.pilot.click(PlayedList, offset=(2, 2))
        assert "One troll win." in player.told("#message")
        await player.pilot.click(PlayedList, offset=(2, 2))
        await player.settled()
        assert len(player.battle.moves) == 2
        await player.do("left")
        await player.do("u")
        assert player.battle.moves == ()
        assert "in five battles" in player.told("#where")
        await player.do("r", "r")
        assert len(player.battle.moves) == 2
        await player.do("g")
        assert player.battle.moves == ()
        # What is not listed yet is not stepped into, however fast the keys come.
        await player.do(*["enter"] * 5)
        assert player.battle.moves
        await player.do(*["left"] * 5)
        assert player.battle.moves == ()
        assert "in five battles" in player.told("#where")


async def test_a_move_made_on_the_board_is_stepped_into(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        await player.do("tab")
        assert player.app.focused is player.explorer.query_one(Board)
        await player.press(":", *"K1-K5", "enter")
        await player.settled()
        assert move_text(CLASSIC.start, player.battle.moves[0]) == "dK1-K5"
        # It is the mirror image of what was played.
        assert "Two moves in four battles" in player.told("#where")
        await player.do("escape")
        assert player.app.focused is player.explorer.query_one(PlayedList)
        await player.do("g", ":", *"A6-A7")
        await player.do("enter")
        assert player.battle.moves == ()
        await player.do("escape", ":", *"A6-B7", "enter")
        assert "No match continues from here." in player.told("#where")
        assert player.listed == []


async def test_a_match_is_opened_where_it_was_and_left_again(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        await player.do("enter", "m")
        assert isinstance(player.app.screen, ListScreen)
        assert player.app.screen.query_one(OptionList).option_count
        await player.do("enter")
        screen = player.app.screen
        assert isinstance(screen, ReplayScreen)
        assert screen.cursor.ply == 1
        await player.do("q")
        assert len(player.battle.moves) == 1
        await player.do("m")
        (tmp_path / "data" / "matches" / "a.tgn").unlink()
        await player.do("enter")
        assert "No such file" in player.told("#message")
        await player.do("m", "escape", "q")
        assert player.app.return_code == 0


async def test_nothing_is_listed_where_nothing_was_played_and_shares_are_told_in_koom_valley(
    tmp_path: Path,
) -> None:
    koom = VARIANTS["koom"]
    first = move_text(koom.start, koom.legal_moves(koom.start)[0])
    start = Explore(Match(koom))
    async with exploring(tmp_path, start=start) as player:
        assert player.listed == []
        assert "'thud explore --corpus' has battles between" in player.told("#told")
    async with exploring(tmp_path, played(first, variant="koom"), start=start) as player:
        assert player.listed[0].split() == ["move", "times", "won"]
        assert player.listed[1].split()[1:] == ["1", "100%", "50%"]


async def test_what_is_tried_in_a_kept_match_is_kept_with_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    with closing(store.adopt(played("dF1-F5", "TG7-G6"))) as saved:
        name = saved.id
    async with exploring(tmp_path) as player:
        await player.do("m")
        await player.do("enter")
        await player.do(":", *"G1-G5", "enter")
        replay = player.app.screen
        assert isinstance(replay, ReplayScreen)
        assert not replay.annotations.behind
        assert store.load(name) == replay.record != saved.record


async def test_an_index_that_fails_is_told_where_matches_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise CannotIndex("the index of the matches cannot be used: disk I/O error")

    async with exploring(tmp_path, *MANY) as player:
        monkeypatch.setattr(Library, "samples", failing)
        await player.do("m")
        assert "The index of the matches cannot be used" in player.told("#message")
        await player.do("enter")
        assert len(player.battle.moves) == 1


async def test_escape_leads_back_step_by_step_and_out(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        await player.do("enter", "tab", "enter")
        await player.do("escape")
        await player.do("escape")
        assert player.app.focused is player.explorer.query_one(PlayedList)
        await player.do("escape")
        assert player.battle.moves == ()
        await player.press("escape")
        assert player.app.return_code == 0


async def test_escape_undoes_only_steps_made_here(tmp_path: Path) -> None:
    match = Match(CLASSIC)
    match.battle.play(parse_move(CLASSIC, CLASSIC.start, "dF1-F5"))
    async with exploring(tmp_path, *MANY, start=Explore(match)) as player:
        await player.do("enter", "escape")
        assert len(player.battle.moves) == 1
        await player.press("escape")
        assert player.app.return_code == 0


@pytest.mark.slow
async def test_a_replay_opens_it_where_it_is(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY, start=Replay(MANY[0])) as player:
        await player.do("right", "x")
        assert [move_text(CLASSIC.start, move) for move in player.battle.moves] == ["dF1-F5"]
        assert "Two moves in four battles" in player.told("#where")
        await player.do("left")
        assert "in five battles" in player.told("#where")
        for key in ("m", "enter", "x", "q", "q"):
            await player.do(key)
        assert player.battle.moves == ()
        await player.do("q")
        assert isinstance(player.app.screen, ReplayScreen)
        assert player.app.screen.cursor.ply == 1
        await player.do("x")
        await player.do("escape", "q")
        assert isinstance(player.app.screen, ReplayScreen)


@pytest.mark.slow
@pytest.mark.parametrize("keys", sampled(["xp", "px"]))
async def test_playing_on_and_exploring_at_once_opens_one_of_them(
    tmp_path: Path, keys: str
) -> None:
    async with exploring(tmp_path, start=Replay(MANY[0])) as player:
        for key in keys:
            player.app.post_message(Key(key, key))
        await player.settled()
        assert [type(each) for each in player.app.screen_stack] in (
            [ReplayScreen, ExploreScreen],
            [ReplayScreen, ListScreen],
        )


@pytest.mark.slow
async def test_others_went_on_where_the_players_ended_the_battle(tmp_path: Path) -> None:
    match = Match(CLASSIC)
    match.battle.play(MANY[0].battles[0].moves[0])
    match.battle.lose(Forfeit(Side.TROLLS, Reason.RESIGNATION))
    async with exploring(tmp_path, *MANY, start=Replay(Record.of(match))) as player:
        await player.do("end", "x")
        await player.do("enter")
        assert len(player.battle.moves) == 2
        await player.do("g")
        assert player.battle.moves == ()


@pytest.mark.slow
async def test_what_has_been_read_is_told_and_counts_before_all_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, first, rest = list[Path](), Event(), Event()

    def slowly(path: Path, variant: Variant | None) -> Content:
        read.append(path)
        if len(read) == 1:
            first.wait(20)
        if len(read) == 11:
            rest.wait(20)
        return content_of(path, variant)._replace(fault="line 1: broken")

    monkeypatch.setattr(library, "content_of", slowly)
    monkeypatch.setattr(library, "_AT_ONCE", 1)
    for number in range(12):
        write(tmp_path / "data" / "matches" / f"{number}.tgn", *MANY)
    app = ThudApp(Explore(Match(CLASSIC)), store=Store(tmp_path / "data"))
    async with app.run_test(size=(80, 24)) as pilot:
        player = Explorer(app, pilot)
        await player.until(lambda: read)
        await player.press("m")
        await player.see(ListScreen)
        assert "No match read so far" in player.text("#said")
        await player.press("escape")
        first.set()
        await player.until(lambda: "in 50 battles" in player.told("#where"))
        assert "Reading: 10 of 12 files" in player.told("#told")
        assert "10 files cannot be read in full" in player.told("#told")
        await player.press("down")
        second = player.chosen
        rest.set()
        await player.settled()
        assert "in 60 battles" in player.told("#where")
        assert "Reading" not in player.told("#told")
        assert player.chosen == second


async def test_the_index_is_closed_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closers, close = list[Thread](), Library.close

    def noting(self: Library) -> None:
        closers.append(current_thread())
        close(self)

    monkeypatch.setattr(Library, "close", noting)
    async with exploring(tmp_path, *MANY) as player:
        await player.press("q")
    assert closers
    assert current_thread() not in closers


@pytest.mark.parametrize("width", [1, 10, 24, 26, 28])
async def test_a_list_too_narrow_for_its_columns_is_cut(tmp_path: Path, width: int) -> None:
    async with exploring(tmp_path, *MANY) as player:
        await player.pilot.resize_terminal(width, 12)
        await player.settled()
        shown = player.explorer.query_one(PlayedList)
        lines = [shown.render_line(y) for y in range(2)]
        assert {line.cell_length for line in lines} == {shown.size.width}


@pytest.mark.slow
async def test_many_moves_scroll(tmp_path: Path) -> None:
    battle = Battle(CLASSIC)
    moves = (move_text(battle.position, move) for move in CLASSIC.legal_moves(battle.position))
    async with exploring(tmp_path, *map(played, islice(moves, 40))) as player:
        assert "in 40 battles" in player.told("#where")
        rows = player.explorer.query_one(PlayedList).size.height
        assert len(player.listed) == rows < 40
        await player.do("end")
        last = player.chosen
        text = move_text(CLASSIC.start, last)
        assert any(line.startswith(text) for line in player.listed)
        assert player.listed[0].startswith("move")
        await player.do("home")
        assert player.chosen != last


async def test_a_screen_whose_parts_have_been_taken_away_does_not_begin(tmp_path: Path) -> None:
    async with exploring(tmp_path, *MANY) as player:
        screen = player.explorer
        number = screen.picker.revision
        await screen.pane.remove_children()
        screen.pane.show_where(player.battle, ())
        screen.pane.tell("Nobody went on.")
        await screen.pane.remove()
        screen.on_mount()
        await player.settled()
        assert screen.picker.revision == number


@pytest.mark.slow
async def test_the_board_is_as_large_as_in_play(tmp_path: Path) -> None:
    async with exploring(tmp_path, size=(160, 50)) as player:
        assert player.app.screen.query_one(Board).cell == Cell(7, 3)
