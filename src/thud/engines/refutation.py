"""The reply to a move that shows what was wrong with it."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from thud.ai.player import Decision, Limits
from thud.engines.client import Engine
from thud.engines.faults import EngineFault
from thud.engines.spec import OWN_ENGINE
from thud.rules.battle import Battle
from thud.rules.position import Position
from thud.rules.variant import Variant

_LIMITS: Final = Limits(nodes=2_000)


async def refutation(variant: Variant, position: Position) -> Decision | None:
    """Return the best reply in a position; None if the battle is over, or no computer answers."""
    if variant.outcome(position):
        return None
    async with Engine(OWN_ENGINE, "the computer", {"Seed": 1}) as engine:
        with suppress(EngineFault):
            return await engine.decide(Battle(variant, position), _LIMITS)
    return None
