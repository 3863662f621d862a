"""Takes pictures of a match as the settings say it looks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.settings.values import Value
from thud.tui.app import ThudApp
from tui.driver import Player


@asynccontextmanager
async def watching(
    variant: str = "classic",
    position: str | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    names: tuple[str, str] = ("Anna", "Bert"),
    **settings: Value,
) -> AsyncIterator[Player]:
    """Run the app on a match, with some settings and without animation."""
    rules = VARIANTS[variant]
    match = Match(rules, names, rules.position(position) if position else None)
    chosen: dict[str, Value] = {"pieces": "unicode", "animation": False, **settings}
    app = ThudApp(Session(match), preferences=Preferences(overrides=chosen))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Player(app, pilot)


async def picture(player: Player) -> str:
    """Return what the screen shows as SVG, when everything has been drawn."""
    for _ in range(3):
        await player.pilot.pause(0.05)
    return player.app.export_screenshot(title="Thud")
