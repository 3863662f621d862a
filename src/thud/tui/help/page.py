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

from thud.rulebook.chapters import Block, Bullets, Chapter, Drawing, Paragraph, Table
from thud.rulebook.tables import table_lines
from thud.rulebook.wording import Tone, Wording, said
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
        self._rows = [[said(cell) for cell in row] for row in table.rows]

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
        yield Static(_worded(block.wording))
    elif isinstance(block, Bullets):
        yield Vertical(*map(_point, block.points), classes="points")
    elif isinstance(block, Drawing):
        view = DiagramView(block.diagram)
        dress_surface(view, settings)
        yield view
    else:
        yield Static(TableLines(block))


def _point(wording: Wording) -> Widget:
    return Horizontal(Static("•", classes="bullet"), Static(_worded(wording)))


def _worded(wording: Wording) -> Content:
    return Content.assemble(*((span.text, _STYLES[span.tone]) for span in wording))
