"""Times of a clock as they are shown and said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thud.session.situation import Situation


def away_rule(situation: Situation) -> list[str]:
    """Say what becomes of the clock while a player is away, where somebody can be."""
    if situation.match.control is None or not situation.seats.apart:
        return []
    return [f"The clock {_then(situation)} while somebody is away."]


def when_away(situation: Situation) -> str:
    """Say what becomes of a clock that runs when a player goes away, nothing if none does."""
    running = situation.clock is not None and situation.clock.running
    return f"The clock {_then(situation)}." if running else ""


def _then(situation: Situation) -> str:
    return "waits" if situation.waits else "runs on"
