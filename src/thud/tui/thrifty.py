"""An application that sends the terminal what is drawn anew, and nothing beside it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.control import Control
from textual._compositor import ChopsUpdate
from textual.app import App
from textual.screen import Screen


class Thrifty(App[None]):
    """Sends of each line that is drawn anew the columns that were to be drawn.

    By itself Textual sends them and what stands left of them in their widget: for two squares at
    the right of the board, all those before them.
    """

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, cut(renderable))


def cut(renderable: RenderableType | None) -> RenderableType | None:
    """Return what draws the same, but of lines that are drawn in part only that part."""
    if not isinstance(renderable, ChopsUpdate):
        return renderable
    return _Cut(renderable.chops, renderable.spans, renderable.chop_ends)


class _Cut(ChopsUpdate):
    """Sends spans of lines only, each a line of the screen and the columns that it lies between."""

    def render_segments(self, console: Console) -> str:
        """Return the codes that draw the spans."""
        return "".join(code for span in self.spans for code in self._codes(console, *span))

    def _codes(self, console: Console, y: int, left: int, right: int) -> Iterator[str]:
        for (x, strip), end in zip(self.chops[y].items(), self.chop_ends[y], strict=False):
            first, last = max(x, left), min(end, right)
            if strip is not None and first < last:
                yield Control.move_to(first, y).segment.text
                yield strip.crop(first - x, last - x).render(console)
