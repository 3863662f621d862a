"""Takes screenshots of a match with given settings."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.settings.values import Value
from thud.tui.app import ThudApp
from thud.tui.start import PlayMatch
from tui.driver import Player

NAME = re.compile(r"terminal-\d+")
"""Rich's prefix of ids, a checksum that also depends on how the picture was composed."""


@asynccontextmanager
async def watching(
    variant: str = "classic",
    position: str | None = None,
    *,
    moves: str = "",
    size: tuple[int, int] = (80, 24),
    names: tuple[str, str] = ("Anna", "Bert"),
    **settings: Value,
) -> AsyncIterator[Player]:
    """Run the app on a match with some settings, without animation.

    The last of the moves is played at the board with the keys.
    """
    rules = VARIANTS[variant]
    match = Match(rules, names, rules.position(position) if position else None)
    *earlier, last = moves.split() or [""]
    for move in earlier:
        match.battle.play(parse_move(rules, match.battle.position, move))
    chosen: dict[str, Value] = {"pieces": "sprites", "animation": False, **settings}
    app = ThudApp(PlayMatch(Session(match)), preferences=Preferences(overrides=chosen))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        player = Player(app, pilot)
        if last:
            await player.play(last)
        yield player


async def picture(player: Player) -> str:
    """Return a screenshot as SVG, once everything has been drawn."""
    for _ in range(3):
        await player.pilot.pause(0.05)
    return NAME.sub("terminal", player.app.export_screenshot(title="Thud"))
