"""The evaluation bar between board and panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from thud.ai.scores import seen_by
from thud.engines.outlook import corrected
from thud.review.judgement import chance, is_open
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.settings.values import Settings

if TYPE_CHECKING:
    from thud.ai.player import Thought

_FULL: Final = 2000
"""Hundredths of a point ahead that fill the bar."""
_GLYPHS: Final = {False: "█░", True: "#."}
"""Glyphs of the dwarfs' and trolls' parts, by whether only ASCII is drawn."""
_LEVEL: Final = {False: "─", True: "-"}
"""Mark at the middle, by whether only ASCII is drawn."""
_REVERSE: Final = Style(reverse=True)


class EvaluationBar(Widget):
    """A bar filled from below with the dwarfs' share; empty without an evaluation.

    A stroke marks the middle, where the battle is level.
    """

    DEFAULT_CSS = """
    EvaluationBar {
        width: 1;
        height: 1fr;
        & > .bar--dwarfs { color: $board-dwarf; }
        & > .bar--trolls { color: $board-troll; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"bar--dwarfs", "bar--trolls"}

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self.share: float | None = None
        """The dwarfs' share, from 0 to 1; None draws an empty bar."""
        self._ascii_only = False
        self._blank: Strip | None = None

    def notify_style_update(self) -> None:
        """Drop the blank line cached in the old colours."""
        super().notify_style_update()
        self._blank = None

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self._ascii_only = settings.ascii
        self.refresh()

    def show(self, share: float | None) -> None:
        """Show the dwarfs' share; None empties the bar."""
        self.share = share
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self.share is None:
            self._blank = self._blank or Strip.blank(self.size.width, self.rich_style)
            return self._blank
        dwarfs = y >= self.size.height - round(self.share * self.size.height)
        name = "bar--dwarfs" if dwarfs else "bar--trolls"
        style = self.rich_style + self.get_component_rich_style(name, partial=True)
        glyph = _GLYPHS[self._ascii_only][not dwarfs]
        if y == self.size.height // 2:
            glyph, style = _LEVEL[self._ascii_only], style + _REVERSE
        return Strip([Segment(glyph * self.size.width, style)])


def share(variant: Variant, position: Position, thought: Thought) -> float:
    """Return the dwarfs' share of the bar, from 0 to 1; a half if the battle is level.

    Where no points count it is their chance of winning.

    Args:
        variant: the game.
        position: the position.
        thought: its evaluation.
    """
    expected = seen_by(position.to_move, corrected(variant, position, thought).score)
    if not variant.counts_points:
        return 0.5 if is_open(variant, expected) else chance(variant, expected)
    return 0.5 + max(-_FULL, min(_FULL, expected)) / (2 * _FULL)
