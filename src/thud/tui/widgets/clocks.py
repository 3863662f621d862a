"""Both players' clocks."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.timer import Timer
from textual.widgets import Static

from thud.rules.clock import Clock
from thud.rules.position import Side
from thud.wording.clocks import FEW, in_digits

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
