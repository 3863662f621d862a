"""A chapter of the rules as widgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from thud.rulebook.chapters import (
    Block,
    Bullets,
    Chapter,
    Drawing,
    Paragraph,
    Spans,
    Table,
    Tone,
    plain_text,
)
from thud.rulebook.printed import table_lines
from thud.settings.values import Settings
from thud.tui.help.diagram import DiagramView
from thud.tui.widgets.appearance import dress_surface

_STYLES: Final = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.STRESSED: "italic",
    Tone.LITERAL: "$text-accent",
}


class TableLines:
    """A table that takes the width it is given."""

    def __init__(self, table: Table) -> None:
        self._rows = [[plain_text(cell) for cell in row] for row in table.rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield its lines."""
        for line in table_lines(self._rows, options.max_width):
            yield Text(line, no_wrap=True)


def page_of(chapter: Chapter, settings: Settings) -> Iterator[Widget]:
    """Yield what shows a chapter, but for its title."""
    for block in chapter.blocks:
        yield from _shown(block, settings)


def _shown(block: Block, settings: Settings) -> Iterator[Widget]:
    if isinstance(block, Paragraph):
        yield Static(_worded(block.spans))
    elif isinstance(block, Bullets):
        yield Vertical(*map(_point, block.points), classes="points")
    elif isinstance(block, Drawing):
        view = DiagramView(block.diagram)
        dress_surface(view, settings)
        yield view
    else:
        yield Static(TableLines(block))


def _point(spans: Spans) -> Widget:
    return Horizontal(Static("•", classes="bullet"), Static(_worded(spans)))


def _worded(spans: Spans) -> Content:
    return Content.assemble(*((span.text, _STYLES[span.tone]) for span in spans))
