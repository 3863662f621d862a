"""The analyst's best lines for the current position."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from thud.ai.player import Thought
from thud.engines.analyst import LINES, Analyst, Lines
from thud.engines.faults import EngineFault
from thud.records.tree import Cursor
from thud.rules.notation import texts_of
from thud.rules.position import Position
from thud.tui.looks.fitted import fitted
from thud.wording.hints import expectation
from thud.wording.text import capitalised

KEYS: Final = "XYZ"
"""The keys that play the lines, the best one first."""


class Thoughts(Static):
    """The best moves with expected margins and lines."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key"}

    DEFAULT_CSS = "Thoughts { display: none; height: auto; margin: 0 0 1 0; }"

    class Picked(Message):
        """A line was clicked."""

        def __init__(self, rank: int) -> None:
            super().__init__()
            self.rank = rank

    def __init__(self) -> None:
        super().__init__()
        self._lines: Lines = {}

    def line(self, rank: int) -> Thought | None:
        """Return what was thought of the best move, of the second best, or so."""
        return self._lines.get(rank)

    def show(self, position: Position, lines: Lines) -> None:
        """Show what has been found so far."""
        best_first = sorted(lines.values(), key=lambda each: (-each.score, each.rank))
        self._lines = dict(enumerate(best_first, 1))
        width = max(20, self.content_size.width)
        depth = max((each.depth for each in lines.values()), default=0)
        text = Text(f"The computer, depth {depth}" if depth else "The computer thinks …", "bold")
        style = self.get_component_rich_style("prompt--key", partial=True)
        for rank, thought in self._lines.items():
            click = Style(meta={"@click": f"pick({rank})"})
            moves = " ".join(texts_of(position, thought.line))
            told = f" {expectation(position.to_move, thought)} {moves}"
            text.append("\n").append(KEYS[rank - 1], style + click)
            text.append(fitted(told, width - 1), Style(bold=False) + click)
        text.append("\n" * (LINES - len(self._lines)))
        self.update(text)

    def say(self, words: str) -> None:
        """Say something in place of the lines."""
        self._lines = {}
        self.update(Text(words))

    def action_pick(self, rank: int) -> None:
        """Report a line that was clicked."""
        self.post_message(self.Picked(rank))


_GROUP: Final = "thoughts"
"""The worker that thinks."""


class Watching:
    """Has the analyst think about a place while that is wanted.

    Args:
        screen: where it is shown, and whose worker it is.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._analyst = Analyst()
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
            await self._analyst.watch(variant, _way_to(place), place.moves[: place.ply], show)
        except EngineFault as fault:
            shown.say(f"{capitalised(str(fault))}.")

    async def close(self) -> None:
        """Leave no process behind."""
        await self._analyst.close()


def _way_to(place: Cursor) -> tuple[Position, ...]:
    """Return the positions that lead to a place, its own as the last."""
    return place.positions[: place.ply + 1]
