"""A list of options that marks the highlighted one by a glyph, besides its colour."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.strip import Strip

from thud.tui.actions import bindings
from thud.tui.dialog_fixes import FixedOptionList
from thud.tui.widgets.appearance import settings_of


class MarkedList(FixedOptionList):
    """An `OptionList` that shows its key for choosing, and a pointer before the highlighted row."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("choose")

    DEFAULT_CSS = """
    MarkedList > .option-list--option { padding: 0 1 0 2; }
    """

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        strip = super().render_line(y)
        row = self.scroll_offset.y + y
        if self.highlighted is None or self._lines[row : row + 1] != [(self.highlighted, 0)]:
            return strip
        pointer = "> " if settings_of(self.app).ascii else "» "
        style = next((each.style for each in strip), None)
        return Strip.join([Strip([Segment(pointer, style)], len(pointer)), strip.crop(2)])
