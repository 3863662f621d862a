"""What the terminal is sent: what is drawn anew, and nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyte
import pytest
from rich.console import RenderableType
from textual._compositor import CompositorUpdate
from textual.screen import Screen

from pauses import draw_at_rest, draw_every_frame
from sampling import sampled
from thud.tui.app import ThudApp
from thud.tui.textual_fixes import cut
from tui.driver import Player, beginning


@pytest.fixture(autouse=True)
def _every_frame() -> Iterator[None]:
    """Have the frames drawn that a terminal is sent."""
    draw_every_frame()
    yield
    draw_at_rest()


CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]")
WALK = ("right", "right", "down", "left", "up", "tab", "left", "home", "pagedown", "right")
PLAY = ("tab", "enter", "tab", "tab", "enter", "u", "f", "f1", "escape", "escape")


class Sending(ThudApp):
    """Shows what it sends on a screen of its own."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(beginning())
        self.shown = pyte.Screen(*size)
        self.sent = ""

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        drawn = cut(renderable)
        if isinstance(drawn, CompositorUpdate) and not self._batch_count:
            codes = drawn.render_segments(self.console)
            self.sent += codes
            pyte.Stream(self.shown).feed(codes.replace("\n", "\r\n"))

    def drawn_at_once(self) -> pyte.Screen:
        """Return the screen as it looks if all of it is drawn anew."""
        anew = pyte.Screen(self.shown.columns, self.shown.lines)
        update = self.screen._compositor.render_update(
            full=True, screen_stack=self._background_screens
        )
        assert isinstance(update, CompositorUpdate)
        pyte.Stream(anew).feed(update.render_segments(self.console).replace("\n", "\r\n"))
        return anew


def looks(screen: pyte.Screen) -> list[list[pyte.screens.Char]]:
    return [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]


@pytest.mark.slow
@pytest.mark.parametrize("size", sampled([(80, 24), (120, 40)]))
async def test_what_is_sent_adds_up_to_what_is_to_be_seen(
    size: tuple[int, int], full: bool
) -> None:
    app = Sending(size)
    async with app.run_test(size=size) as pilot:
        player = Player(app, pilot)
        player.board.animated = False
        for key in (*WALK, *PLAY, *WALK) if full else (*WALK[-2:], *PLAY):
            await player.press(key)
            assert looks(app.shown) == looks(app.drawn_at_once()), key


@pytest.mark.parametrize("size", sampled([(80, 24), (120, 40), (160, 50)]))
async def test_a_step_of_the_cursor_draws_two_squares(size: tuple[int, int]) -> None:
    app = Sending(size)
    async with app.run_test(size=size) as pilot:
        player = Player(app, pilot)
        await player.press("right")
        for key in ("right", "down", "left", "up"):
            app.sent = ""
            await player.press(key)
            width, height = player.board.cell
            assert len(CODE.sub("", app.sent)) == 2 * width * height, key
