"""Which screen comes back when one is left, whatever lies above another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen

from thud.session.view import SessionView
from thud.tui.navigator import Navigator
from thud.tui.screens import MatchScreen, ThudScreen
from thud.tui.textual_fixes import FixedScreen


class Plain(Screen[None]):
    """Help, say: passing."""


class Question(ModalScreen[None]):
    """Asks for something."""


class Stopover(FixedScreen[None], ThudScreen):
    """Comes back, as the front page does."""

    stopover = True


class Left:
    """A session that can be left."""

    def __init__(self, log: list[object]) -> None:
        self._log = log

    async def leave(self) -> None:
        self._log.append("left")


class Played(FixedScreen[None], MatchScreen):
    """Has a match, about which it asks before it is left."""

    def __init__(self, log: list[object]) -> None:
        super().__init__()
        self._log = log
        self.session = cast("SessionView", Left(log))

    async def ask_to_leave(self) -> None:
        self._log.append("asked")


class PlayedAtAStopover(Played):
    """A replay, say."""

    stopover = True


class Layers:
    """An app with some screens above one another.

    Args:
        app: shows them.
        pilot: waits.
    """

    def __init__(self, app: App[None], pilot: Pilot[None]) -> None:
        self.app = app
        self.navigator = Navigator(app)
        self.log: list[object] = []
        self._pilot = pilot

    async def show(self, *screens: Screen[Any]) -> None:
        for screen in screens:
            await self.app.push_screen(screen)

    def make(self, kind: str) -> Screen[Any]:
        """Return a screen of some kind."""
        made = {"plain": Plain, "question": Question, "stopover": Stopover}
        return made[kind]() if kind in made else Played(self.log)

    async def leave(self) -> list[Screen[Any]]:
        """Close what is shown, and return what there is then above the app's own screen."""
        await self.navigator.leave()
        await self._pilot.pause()
        await self.app.workers.wait_for_complete()
        await self._pilot.pause()
        return self.app.screen_stack[1:]


@pytest.fixture
async def layers() -> AsyncIterator[Layers]:
    app: App[None] = App()
    async with app.run_test() as pilot:
        yield Layers(app, pilot)


@pytest.mark.parametrize(
    ("shown", "left", "asked"),
    [
        ("stopover match question", "stopover match", False),
        ("stopover match", "stopover match", True),
        ("stopover match plain plain", "stopover match plain plain", True),
        ("stopover plain plain", "", False),
        ("plain stopover", "plain", False),
    ],
)
async def test_what_is_left(layers: Layers, shown: str, left: str, asked: bool) -> None:
    """A match is asked about before it is left, with what is passing above it."""
    screens = [layers.make(each) for each in shown.split()]
    await layers.show(*screens)
    remain = await layers.leave()
    assert remain == screens[: len(left.split())]
    assert layers.log == ["asked"] * asked


async def test_where_nothing_lies_below_the_app_is_left(layers: Layers) -> None:
    assert layers.navigator.stopover is None
    await layers.leave()
    assert layers.app._exit


async def test_a_match_returns_to_the_stopover_below_it(layers: Layers) -> None:
    nearest = PlayedAtAStopover(layers.log)
    await layers.show(Stopover(), nearest, Plain(), Played(layers.log), Plain())
    assert layers.navigator.stopover is nearest


async def test_matches_are_left_before_the_screen_below_is_shown_again(layers: Layers) -> None:
    page = Stopover()
    await layers.show(page, Played(layers.log), Plain(), Played(layers.log))
    await layers.navigator.return_to(page)
    assert layers.app.screen_stack[1:] == [page]
    assert layers.log == ["left", "left"]


async def test_a_screen_that_has_gone_meanwhile_is_not_returned_to(layers: Layers) -> None:
    page, match = Stopover(), Played(layers.log)
    await layers.show(page, match)
    layers.navigator.close_above(page)
    await layers.show(other := Plain())
    assert layers.navigator.played is None
    assert layers.app.screen_stack[1:] == [page, other]


async def test_the_nearest_is_looked_for_from_the_top(layers: Layers) -> None:
    below, above = Played(layers.log), Played(layers.log)
    await layers.show(below, above, Plain())
    assert layers.navigator.match is above
