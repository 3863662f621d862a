"""Widgets that only a running match has: the evaluation bar, the clocks and the chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events, on
from textual.geometry import Size
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from thud.rules.clock import Clock
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.settings.values import Settings
from thud.tui.looks.fitted import rows_of
from thud.words.clocks import FEW, in_digits

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.review.judgement import Band

_FULL: Final = 20
"""Points ahead that fill the bar."""
_GLYPHS: Final = {False: "█░▒", True: "#.:"}
"""Glyphs of the dwarfs' and trolls' parts and of what is open, by whether only ASCII is drawn."""
_LEVEL: Final = {False: "─", True: "-"}
"""Mark at the middle, by whether only ASCII is drawn."""
_REVERSE: Final = Style(reverse=True)


class EvaluationBar(Widget):
    """A bar filled from below with the dwarfs' share; empty without an evaluation.

    Another glyph shows the band that is open.  Letters say whose end is whose, and strokes mark the
    middle, where the battle is level, and half of what fills the bar: ten points.
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
        self.share: Band | None = None
        """The dwarfs' share with its band, from 0 to 1; None draws an empty bar."""
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

    def show(self, share: Band | None) -> None:
        """Show the dwarfs' share with its band; None empties the bar."""
        self.share = share
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self.share is None:
            self._blank = self._blank or Strip.blank(self.size.width, self.rich_style)
            return self._blank
        height = self.size.height
        over, dwarfs, sure = (y >= height - round(each * height) for each in reversed(self.share))
        name = "bar--dwarfs" if dwarfs else "bar--trolls"
        style = self.rich_style + self.get_component_rich_style(name, partial=True)
        glyph = _GLYPHS[self._ascii_only][2 if over and not sure else not dwarfs]
        last = height - 1
        if y in (0, last):
            glyph, style = (Side.DWARFS if y else Side.TROLLS).value, style + _REVERSE
        elif y in (round(last / 4), height // 2, round(last * 3 / 4)):
            glyph, style = _LEVEL[self._ascii_only], style + _REVERSE
        return Strip([Segment(glyph * self.size.width, style)])


def share(variant: Variant, position: Position, thought: Thought, quiet: int = 0) -> Band:
    """Return the dwarfs' share of the bar with its band, from 0 to 1; a half if it is level.

    Where no points count the band begins at the battles that they win, and ends at those that they
    do not lose.

    Args:
        variant: the game.
        position: the position.
        thought: its evaluation.
        quiet: moves since the last capture.
    """
    from thud.ai.scores import seen_by
    from thud.engines.outlook import corrected
    from thud.review.judgement import Band, band

    expected = seen_by(position.to_move, corrected(variant, position, thought).score)
    full = _FULL if variant.counts_points else 1
    return Band(
        *(
            0.5 + max(-full, min(full, each)) / (2 * full)
            for each in band(variant, position, expected, quiet)
        )
    )


# The clocks

_TENTHS: Final = 10_000
"""Milliseconds left below which tenths of a second are shown."""


class Clocks(Static):
    """Both sides' remaining time in one row, the only one redrawn as time passes.

    Hidden without a clock.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"clocks--running", "clocks--low"}

    DEFAULT_CSS = """
    Clocks {
        height: 1;
        display: none;
        &.-set { display: block; }
        & > .clocks--running { text-style: bold; color: $board-turn; }
        & > .clocks--low { text-style: bold; color: $text-error; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._clock: Clock | None = None
        self._timer: Timer | None = None
        self._shown = Text()

    def show(self, clock: Clock | None) -> None:
        """Show a clock, or none."""
        self._clock = clock
        self.set_class(clock is not None, "-set")
        self.tick()

    def notify_style_update(self) -> None:
        """Redraw the times in the new colours."""
        super().notify_style_update()
        self.call_later(self.tick)

    @on(events.Resize)
    def tick(self) -> None:
        """Show the current times, and set a timer for the next change."""
        if self._timer:
            self._timer.stop()
            self._timer = None
        clock, width = self._clock, max(20, self.content_size.width)
        if clock is None or not self.is_attached:
            return
        first, second = (self._side(clock, side, side.plural) for side in Side)
        if first.cell_len + second.cell_len >= width:
            first, second = (self._side(clock, side, side.plural[0]) for side in Side)
        gap = max(1, width - first.cell_len - second.cell_len)
        text = Text.assemble(first, " " * gap, second, end="")
        if text != self._shown or text.spans != self._shown.spans:
            self._shown = text
            self.update(text, layout=False)
        if clock.running and not clock.up:
            ms = clock.left(clock.turn).ms
            until_change = (ms % (100 if ms <= _TENTHS else 1000) + 1) / 1000
            self._timer = self.set_timer(until_change, self.tick)

    def _side(self, clock: Clock, side: Side, label: str) -> Text:
        """Return one side's time, marked if it runs, with a sign and a colour if it is low."""
        runs, left = clock.running and clock.turn is side, clock.left(side)
        low = clock.control.total_ms(left) <= FEW
        words = f"{label} {'»' if runs else ' '}{in_digits(left, clock.control)}"
        style = "clocks--low" if low else "clocks--running" if runs else ""
        shown = self.get_component_rich_style(style, partial=True) if style else ""
        return Text(f"{words}{'!' if low else ''}", shown, end="")


# The chat

_LOW: Final = 6
"""Most rows in a low panel."""

_UPRIGHT: Final = 3
"""Most rows if the panel is below the board."""

_SHARE: Final = 3
"""Rows of the panel for each row of chat."""

_KEPT: Final = 30
"""Most chat messages shown."""


class ChatLog(Static):
    """The last chat messages, the newest at the bottom."""

    DEFAULT_CSS = """
    ChatLog { display: none; height: auto; margin-bottom: 1; color: $foreground-muted; }
    """

    DEFAULT_CLASSES = "section"

    def __init__(self) -> None:
        super().__init__(id="chat", markup=False)
        self._said: Sequence[str] = ()

    def show(self, said: Sequence[str]) -> None:
        """Show the last of some messages."""
        self._said = said[-_KEPT:]
        self.display = bool(said)
        self.fill()

    @on(events.Resize)
    def fill(self) -> None:
        """Show as many rows as fit."""
        room = self.parent.content_size if isinstance(self.parent, Widget) else Size(0, 0)
        upright = self.app.has_class("-upright")
        most = _UPRIGHT if upright else max(_LOW, room.height // _SHARE)
        width = self.content_size.width or room.width
        rows = [row for text in self._said for row in rows_of(text, self.app.console, width)]
        if len(rows) > most:
            rows = ["…", *rows[1 - most :]]
        self.update("\n".join(rows))
