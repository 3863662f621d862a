"""The mouse on the board: what it reports, dragging and hovering."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from thud.rules.geometry import parse_square, square_name
from thud.rules.variants import VARIANTS
from thud.tui.board.widget import Board
from thud.tui.looks.themes import board_colours


class Listener(App[None]):
    """Notes what a board reports."""

    def __init__(self) -> None:
        super().__init__()
        self.board = Board(VARIANTS["classic"].start)
        self.heard: list[tuple[str, str | None, str | None]] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return board_colours(self.current_theme)

    def compose(self) -> ComposeResult:
        yield self.board

    def on_board_clicked(self, event: Board.Clicked) -> None:
        self.heard.append(("clicked", square_name(event.square), None))

    def on_board_grabbed(self, event: Board.Grabbed) -> None:
        self.heard.append(("grabbed", square_name(event.square), None))

    def on_board_dropped(self, event: Board.Dropped) -> None:
        where = event.destination
        names = square_name(event.origin), None if where is None else square_name(where)
        self.heard.append(("dropped", *names))

    def on_board_hovered(self, event: Board.Hovered) -> None:
        where = event.square
        self.heard.append(("hovered", None if where is None else square_name(where), None))


class Mouse:
    """A mouse that reports like a terminal: a move with the button down says so."""

    def __init__(self, app: Listener, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def _report(self, kind: type[events.MouseEvent], square: str | None, button: int) -> None:
        board = self.app.board
        where = board.region_of(parse_square(square)).center if square else (0, 0)
        x, y = int(where[0]), int(where[1])
        event = kind(None, x, y, 0, 0, button, False, False, False, x, y)
        self.app.post_message(event)
        await self.pilot.pause()

    async def press(self, square: str | None, button: int = 1) -> None:
        await self._report(events.MouseDown, square, button)

    async def move(self, square: str | None, button: int = 0) -> None:
        await self._report(events.MouseMove, square, button)

    async def release(self, square: str | None, button: int = 1) -> None:
        await self._report(events.MouseUp, square, button)


@asynccontextmanager
async def mouse() -> AsyncIterator[tuple[Listener, Mouse]]:
    app = Listener()
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        yield app, Mouse(app, pilot)


async def test_dragging_is_reported_from_begin_to_end_and_is_no_click() -> None:
    async with mouse() as (app, hand):
        await hand.press("F1")
        assert app.heard == []
        await hand.move("F2", button=1)
        await hand.move("F4", button=1)
        assert app.board.cursor == parse_square("F4")
        await hand.release("F5")
        heard = [each for each in app.heard if each[0] != "hovered"]
        assert heard == [("grabbed", "F1", None), ("dropped", "F1", "F5")]
        await hand.press("G5")
        await hand.release("G5")
        assert app.heard[-1] == ("clicked", "G5", None)


async def test_dragging_without_reports_of_the_way() -> None:
    async with mouse() as (app, hand):
        await hand.press("F1")
        await hand.release("F5")
        assert app.heard == [("grabbed", "F1", None), ("dropped", "F1", "F5")]


async def test_what_is_dropped_beside_the_board_is_dropped_nowhere() -> None:
    async with mouse() as (app, hand):
        await hand.press("F1")
        await hand.move("F2", button=1)
        await hand.release(None)
        assert app.heard[-1] == ("dropped", "F1", None)
        await hand.press("F1")
        await hand.move("F2", button=1)
        await hand.move("F3")
        assert ("dropped", "F1", None) in app.heard[-2:]
        await hand.release("F3")
        assert app.heard.count(("dropped", "F1", None)) == 2


async def test_a_wobbling_click_and_other_buttons_drag_nothing() -> None:
    async with mouse() as (app, hand):
        await hand.press("F1")
        await hand.move("F1", button=1)
        await hand.release("F1")
        assert app.heard == [("hovered", "F1", None), ("clicked", "F1", None)]
        await hand.press("F1", button=3)
        await hand.move("F5", button=3)
        await hand.release("F5", button=3)
        assert "grabbed" not in {each[0] for each in app.heard}


async def test_the_square_under_the_mouse_is_reported_once() -> None:
    async with mouse() as (app, hand):
        for square in ("F1", "F1", "F2", None, None, "F1"):
            await hand.move(square)
        assert [each[1] for each in app.heard] == ["F1", "F2", None, "F1"]
