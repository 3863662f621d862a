"""Analysis of the current position: the best moves and their lines."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import work
from textual.widgets import Static

from thud.ai.player import quiet_moves
from thud.engines.analyst import LINES, Analyst, Lines
from thud.engines.faults import EngineFault
from thud.records.tree import Cursor
from thud.review.hints import expectation
from thud.rules.notation import texts_of
from thud.text import capitalised
from thud.tui.looks.fitted import fitted

KEYS: Final = "XYZ"
"""The keys that play the lines, the best one first."""

_GROUP: Final = "analysis"
"""The worker group of the analysis."""


class Analysis(Static):
    """Analyses a place, and shows its best moves and their lines."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key"}

    DEFAULT_CSS = "Analysis { display: none; height: auto; margin: 0 0 1 0; }"

    def __init__(self) -> None:
        super().__init__()
        self.lines: Lines = {}
        """The lines shown, by their rank, 1 being the best."""
        self._analyst = Analyst()
        self._place: Cursor | None = None
        self.on = False
        """Whether the analysis is on."""

    def switch(self, place: Cursor) -> None:
        """Toggle the analysis."""
        self.display = self.on = not self.on
        self.rest()
        self.follow(place)

    def follow(self, place: Cursor) -> None:
        """Analyse a place, if the analysis is on and the position has changed."""
        if self.on and not (self._place and self._place.position == place.position):
            self._place = place
            self._think(place)

    def rest(self) -> None:
        """Pause the analysis until the next `follow`."""
        self._place = None
        self.workers.cancel_group(self, _GROUP)

    async def on_unmount(self) -> None:
        """Stop the engine process."""
        await self._analyst.close()

    @work(group=_GROUP, exclusive=True)
    async def _think(self, place: Cursor) -> None:
        """Analyse a place until the search is complete or the place changes."""
        variant = place.record.variant
        quiet = quiet_moves(place.positions[: place.ply + 1])
        if outcome := variant.outcome(place.position):
            self._say(f"{capitalised(outcome.because)}.")
            return

        def show(lines: Lines) -> None:
            if self._place is not place or not self.is_attached:
                return
            key_style = self.get_component_rich_style("prompt--key", partial=True)
            best_first = sorted(lines.values(), key=lambda each: (-each.score, each.rank))
            self.lines = dict(enumerate(best_first, 1))
            width = max(20, self.content_size.width)
            depth = max((each.depth for each in best_first), default=0)
            title = f"The computer, depth {depth}" if depth else "The computer thinks …"
            text = Text(title, "bold")
            for rank, thought in self.lines.items():
                click = Style(meta={"@click": f"screen.play_line({rank})"})
                moves = " ".join(texts_of(place.position, thought.line))
                told = f" {expectation(variant, place.position, thought, quiet)} {moves}"
                text.append("\n").append(KEYS[rank - 1], key_style + click)
                text.append(fitted(told, width - 1), Style(bold=False) + click)
            text.append("\n" * (LINES - len(self.lines)))
            self.update(text)

        show({})
        try:
            await self._analyst.watch(variant, place.position, show)
        except EngineFault as fault:
            self._say(f"{capitalised(str(fault))}.")

    def _say(self, words: str) -> None:
        """Show a sentence in place of the lines."""
        self.lines = {}
        self.update(Text(words))
