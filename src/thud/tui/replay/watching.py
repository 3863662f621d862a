"""Shows what a computer thinks of whatever place is looked at, following every step."""

from __future__ import annotations

from typing import Final

from textual.screen import Screen

from thud.engines.faults import EngineFault
from thud.records.cursor import Cursor
from thud.rules.position import Position
from thud.session.onlooker import Lines, Onlooker
from thud.tui.replay.thoughts import Thoughts
from thud.wording.text import capitalised

_GROUP: Final = "thoughts"
"""The worker that thinks."""


class Watching:
    """Lets a computer think of a place while that is wanted.

    Args:
        screen: where it is shown, and whose worker it is.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._onlooker = Onlooker()
        self._place: Cursor | None = None
        self.on = False

    @property
    def _shown(self) -> Thoughts:
        return self._screen.query_one(Thoughts)

    def switch(self, place: Cursor) -> None:
        """Begin to think, or think no longer."""
        self.on = not self.on
        self._shown.display = self.on
        self.rest()
        self.follow(place)

    def follow(self, place: Cursor) -> None:
        """Think of another place, if this is on and the place another one."""
        if not self.on or (self._place and _way_to(self._place) == _way_to(place)):
            return
        self._place = place
        self._screen.run_worker(self._look(place), group=_GROUP, exclusive=True)

    def rest(self) -> None:
        """Think of nothing until there is something to follow."""
        self._place = None
        self._screen.workers.cancel_group(self._screen, _GROUP)

    async def _look(self, place: Cursor) -> None:
        """Think until there is another place, or nothing more to find."""
        variant, shown = place.record.variant, self._shown
        if outcome := variant.outcome(place.position):
            shown.say(f"{capitalised(outcome.because)}.")
            return

        def show(lines: Lines) -> None:
            if self._place is place and shown.is_attached:
                shown.show(place.position, lines)

        show({})
        try:
            await self._onlooker.look(variant, _way_to(place), place.moves[: place.ply], show)
        except EngineFault as fault:
            shown.say(f"{capitalised(str(fault))}.")

    async def close(self) -> None:
        """Leave no process behind."""
        await self._onlooker.close()


def _way_to(place: Cursor) -> tuple[Position, ...]:
    """Return the positions that lead to a place, its own as the last."""
    return place.positions[: place.ply + 1]
