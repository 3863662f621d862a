"""Every setting does something: what is seen, sent or heard differs between two of its values."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

import pytest

from session.looking import MISSED, looking
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.review.judgement import Judgement
from thud.review.notes import with_judgements
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.participants import Contenders
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.settings.values import SETTINGS_INFO, Settings
from thud.tui.app import ThudApp
from thud.tui.board import animation
from thud.tui.front.page import FrontPage
from thud.tui.start import Front, PlayMatch
from tui.driver import Player, running

PEOPLE: Final = None
AGAINST_LEVEL: Final = parse_contender("human"), parse_contender("cpu:3")


@pytest.fixture(autouse=True)
def engines() -> Iterator[None]:
    with looking():
        yield


@asynccontextmanager
async def set_to(
    settings: Settings, seats: Contenders = PEOPLE, position: str = ""
) -> AsyncIterator[Player]:
    """Run the app on a match with some settings."""
    rules = VARIANTS["classic"]
    match = Match(rules, ("Anna", "Bert"), rules.position(position) if position else None)
    start = PlayMatch(Session(match, contenders=seats))
    app = ThudApp(start, preferences=Preferences(settings=settings))
    async with running(app, (120, 40)) as player:
        yield player


async def look(settings: Settings) -> object:
    """The screen after a move, with its colours."""
    async with set_to(settings) as player:
        player.board.animated = False
        await player.type("f1f5")
        strips = player.app.screen._compositor.render_strips()
        return [[(each.text, each.style) for each in strip] for strip in strips]


async def steps(settings: Settings) -> object:
    """Whether a move is shown step by step."""
    shown: list[object] = []

    def frames(*move: object) -> list[animation.AnimationFrame]:
        shown.append(move)
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(animation, "frames", frames)
        async with set_to(settings) as player:
            await player.type("f1f5")
    return bool(shown)


async def warnings(settings: Settings) -> object:
    """The question before a blunder is played."""
    async with set_to(settings, AGAINST_LEVEL, MISSED) as player:
        await player.press("colon", *"g1g5", "enter")
        return player.question


async def remarks(settings: Settings) -> object:
    """How often the computer says something as the battle begins."""
    async with set_to(settings, AGAINST_LEVEL) as player:
        return len(player.session.state.participants.said)


async def shoved(settings: Settings) -> object:
    """What is played when a troll is put down beside a dwarf."""
    async with set_to(settings) as player:
        await player.type("f1f5")
        await player.choose("G7", "F6")
        return player.message, player.match.battle.played


async def tapped(settings: Settings) -> object:
    """Moves played after a click on a dwarf and one on its goal."""
    async with set_to(settings) as player:
        await player.click("F1")
        await player.click("F5")
        return player.match.battle.played


async def left(settings: Settings) -> object:
    """Whether the match is left at once."""
    async with set_to(settings) as player:
        await player.type("f1f5")
        await player.press("ctrl+q")
        return player.app._exit


async def rung_and_played(settings: Settings) -> object:
    """The bell and the sound of a capture."""
    heard: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thud.terminal.sound.play", lambda _: heard.append("sound"))
        async with set_to(settings) as player:
            patch.setattr(player.app, "bell", lambda: heard.append("bell"))
            await player.type("f1f5")
            await player.type("g7f6xf5")
            for _ in range(200 * settings.sound):
                await asyncio.sleep(0.01 * ("sound" not in heard))
    return heard


async def notified(settings: Settings) -> object:
    """What the terminal is sent when a computer has thought for long."""
    sent: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM_PROGRAM", "WezTerm")
        patch.setattr("thud.tui.battle.pane.send_codes", lambda _, codes: sent.append(codes))
        patch.setattr("thud.tui.battle.pane._LONG_THINK", -monotonic())
        async with set_to(settings, AGAINST_LEVEL) as player:
            await player.type("f1f5")
            await player.until(lambda: player.match.battle.played == 2)
    return [each for each in sent if "your turn" in each]


async def pressed(settings: Settings) -> object:
    """Moves left after a key that takes them back if it is set so."""
    async with set_to(settings) as player:
        await player.type("f1f5")
        await player.press("z")
        return player.match.battle.played


async def practised(settings: Settings) -> object:
    """How much there is to practise of a match with one dubious move."""
    match = Match(VARIANTS["classic"])
    best, *_, move = match.variant.legal_moves(match.battle.position)
    match.battle.play(move)
    record = with_judgements(Record.of(match), 1, {0: Judgement(-200, 0, best)})
    with TemporaryDirectory() as directory:
        store = Store(Path(directory))
        store.adopt(record).close()
        app = ThudApp(Front(), store=store, preferences=Preferences(settings=settings))
        async with running(app) as player:
            await player.see(FrontPage)
            await player.until(lambda: "due" in player.text("#practise"))
            return player.text("#practise")


Seen = Callable[[Settings], Awaitable[object]]

WHERE_SEEN: Final[Mapping[str, Seen]] = {
    **dict.fromkeys(("theme", "pieces", "ascii", "cell", "evaluation_bar", "turn_board"), look),
    **dict.fromkeys(("bell", "sound"), rung_and_played),
    "animation": steps,
    "turn_board": look,
    "coach": warnings,
    "voices": remarks,
    "captures": shoved,
    "second_tap": tapped,
    "confirm": left,
    "notify": notified,
    "practise_dubious": practised,
    "keys": pressed,
}

OF_ONES_OWN: Final[Mapping[str, tuple[Any, Any]]] = {
    "theme": ("koom-valley", "ankh-morpork"),
    "pieces": ("letters", "blocks"),
    "cell": ("3x1", "5x2"),
    "second_tap": ("always", "never"),
    "keys": ({}, {"battle.undo": ("z",)}),
}
"""Two values of settings whose first two might look alike here."""


@pytest.mark.parametrize("name", Settings._fields)
async def test_every_setting_does_something(name: str) -> None:
    one, other = OF_ONES_OWN.get(name) or SETTINGS_INFO[name].choices[:2]
    here: dict[str, Any] = {name: one}
    there: dict[str, Any] = {name: other}
    seen = WHERE_SEEN[name]
    assert await seen(Settings(**here)) != await seen(Settings(**there))
