"""The board: its cursor, its marks, the mouse, and every size of terminal."""

import random

import pytest
from textual.geometry import Offset

from thud.rules.geometry import SQUARES, parse_square, square_name
from thud.terminal.cells import CELLS, PANEL, WIDE, Cell, cell_at, size_needed
from thud.tui.board.cursor import DIRECTIONS
from thud.tui.board.widget import Board
from thud.tui.widgets.size_classes import SMALLEST
from tui.driver import placed, playing

BAR_WIDTH = 1
KEYS = [key for _, keys in DIRECTIONS.values() for key in keys.split(",")]


async def test_keys_of_the_cursor() -> None:
    async with playing() as player:
        for keys, square in (
            (("left",), "G8"),
            (("h", "j"), "G9"),
            (("k", "l"), "J7"),
            (("7", "7"), "F6"),
            (("home", "pageup"), "H6"),
            (("end", "3"), "H10"),
            (("pagedown",), "J9"),
            (("right",) * 20, "P8"),
            (("up",) * 20, "H1"),
        ):
            player.board.move_cursor(parse_square("H8"))
            await player.press(*keys)
            assert player.board.cursor == parse_square(square)
            assert player.drawn(square)[0] == player.drawn(square)[-1].replace("]", "[") == "["


@pytest.mark.parametrize(("variant", "square"), [("classic", "D3"), ("koom", "H8")])
async def test_the_cursor_begins_on_a_piece_that_can_move(variant: str, square: str) -> None:
    async with playing(variant) as player:
        assert player.board.cursor == parse_square(square)
        await player.press("enter")
        assert player.screen.picker.selection.picked


async def test_tab_goes_through_the_pieces_then_the_destinations() -> None:
    start = placed("dA6", "dF1", "TG7", "TH6", to_move="T")
    async with playing("classic", start) as player:
        await player.go_to(parse_square("F1"))
        stops = []
        for _ in range(3):
            await player.press("tab")
            stops.append(player.board.cursor)
        assert stops == [parse_square(name) for name in ("H6", "G7", "H6")]
        await player.press("enter")
        await player.press("tab")
        assert player.board.cursor in player.board.view.stops
        await player.press("shift+tab")
        assert player.drawn("H6") == "‹T›"
        assert len(player.board.view.stops) == 7


async def test_x_goes_through_the_capturing_destinations_and_says_where_there_are_none() -> None:
    start = placed("dE5", "dJ6", "TG7", "TA9", to_move="T")
    async with playing("classic", start) as player:
        await player.press("x")
        assert "Pick up a piece first" in player.message
        await player.choose("A9")
        await player.press("x")
        assert "This piece cannot capture anything now." in player.message
        assert player.board.cursor == parse_square("A9")
        await player.choose("G7")
        captures = set()
        for _ in range(6):
            await player.press("x")
            captures.add(player.board.cursor)
            assert player.drawn("F6") in (" × ", "[×]")
        assert captures == {parse_square(name) for name in ("F6", "H6", "H7")}


async def test_a_second_tap_plays_where_that_is_wanted() -> None:
    async with playing() as player:
        for second_tap, touched, wanted in (
            ("always", False, True),
            ("touch", True, True),
            ("never", True, False),
            ("touch", False, False),
        ):
            player.app.change_setting("second_tap", second_tap)
            player.app.touched = touched
            await player.click("F1")
            if wanted:
                for square in "F4", "F5":
                    await player.click(square)
                    assert not player.match.battle.played
                    assert "again to play" in player.message
            await player.click("F5")
            assert player.match.battle.played == 1
            await player.press("u")


async def test_a_finger_takes_the_nearest_square_and_plays_a_troll_once_it_has_stopped() -> None:
    async with playing("koom", placed("TG8", "dF7", "dJ1", to_move="T")) as player:
        player.app.touched = True
        await player.click("G5")
        assert player.screen.picker.selection.picked is None, "no piece stands beside it"
        await player.click("H9")
        piece = player.screen.picker.selection.picked
        assert piece
        assert square_name(piece.origin) == "G8"
        await player.click("E6")
        assert not player.match.battle.played
        await player.click("E6")
        assert player.match.battle.played == 1


async def test_a_click_elsewhere_lets_go() -> None:
    async with playing() as player:
        await player.click("F1")
        await player.click("G8")
        assert player.screen.picker.selection.picked is None
        assert "F1 cannot reach G8" in player.message
        await player.click("F1")
        await player.pilot.click(Board, offset=(0, 0))
        assert player.screen.picker.selection.picked is None
        await player.click("F1")
        await player.pilot.click("#panel", offset=(5, 12))
        assert player.screen.picker.selection.picked is None


def terminal_for(cell: Cell) -> tuple[int, int]:
    """Return the smallest terminal in which squares have a size."""
    width, height = size_needed(cell)
    if width + PANEL + BAR_WIDTH < WIDE:
        return width + PANEL + BAR_WIDTH, max(SMALLEST.height, height + 5)
    return width + 38 + BAR_WIDTH, height + 3


async def test_squares_are_where_they_are_drawn() -> None:
    async with playing() as player:
        board = player.board
        for cell in CELLS:
            await player.pilot.resize_terminal(*terminal_for(cell))
            await player.pilot.pause()
            assert board.cell == cell
            board.flip()
            for square in SQUARES:
                region = board.region_of(square)
                for offset in (region.offset, region.bottom_right - Offset(1, 1)):
                    assert board.square_under(offset) == square
            drawn = "\n".join(board.render_line(y).text for y in range(board.size.height))
            assert drawn.count("d") == 32
            assert drawn.count("T") == 8
        board.largest = Cell(5, 2)
        await player.pilot.resize_terminal(200, 60)
        await player.pilot.pause()
        assert board.cell == Cell(5, 2), "they are no larger than is wanted"
        board.largest = None
        assert board.cell == Cell(7, 3)


async def test_every_size_of_terminal(full: bool) -> None:
    chooser = random.Random(3)
    sizes = [(20, 10), (500, 150), (79, 20), (78, 24), (80, 22), (1, 1)]
    sizes += [(chooser.randint(1, 220), chooser.randint(1, 80)) for _ in range(20)]
    async with playing() as player:
        for size in sizes if full else sizes[:2]:
            await player.choose("F1")
            await player.pilot.resize_terminal(*size)
            await player.pilot.pause()
            fits = cell_at(*size) is not None
            assert player.screen.has_class("-too-small") is not fits
            if not fits:
                assert "79×23" in player.text("#too-small")
                await player.press("enter", "u", "e", "tab", "left")
            await player.pilot.resize_terminal(80, 24)
            await player.pilot.pause()
            assert player.screen.focused is player.board
            assert not player.question
            await player.choose("F5")
            assert "dF1-F5" in player.moves
            await player.press("u")


@pytest.mark.parametrize("flipped", [False, True])
async def test_clicks_choose_captures_whichever_way_the_board_lies(flipped: bool) -> None:
    start = placed("dE5", "dG5", "dA9", "TG7", to_move="T")
    async with playing("classic", start) as player:
        await player.go_to(parse_square("H8"))
        if flipped:
            await player.press("f")
        assert (player.board.region_of(parse_square("H1")).y > 15) is flipped
        await player.press("right")
        assert player.board.cursor == parse_square("G8" if flipped else "J8")
        await player.click("G7")
        await player.click("F6")
        assert player.drawn("E5") == ("×d3" if flipped else "×d7")
        await player.click("E5")
        assert "1 of 2" in player.question
        await player.click("F6")
        assert "TG7-F6xG5" in player.moves


async def test_ctrl_and_shift_arrows_jump_to_the_next_piece() -> None:
    start = placed("dE8", "dH3", "dM9", "TG7", "TH6")
    async with playing("classic", start) as player:
        stops = []
        for key in ("ctrl+left", "shift+up", "ctrl+right", "shift+right", "ctrl+down"):
            await player.press(key)
            stops.append(square_name(player.board.cursor))
        assert stops == ["E8", "H3", "M9", "M9", "M9"]
        await player.press("f", "ctrl+right")
        assert square_name(player.board.cursor) == "E8"
