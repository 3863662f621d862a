"""A graph of the lead over a battle, at least a column a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import ceil
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from thud.rules.position import Side
from thud.tui.looks.themes import tones_merge

if TYPE_CHECKING:
    from thud.review.judgement import Band, Mark

_BARS: Final = " ▁▂▃▄▅▆▇█"
_EIGHTHS: Final = len(_BARS) - 1
_WIDEST: Final = 3
"""Most columns of a move, so that a battle that has just begun does not look decided."""
LEAST: Final = 8.0
"""Smallest full scale, in points or squares of the stone's way: one dwarf is no rout."""
_GUTTER: Final = 7
"""Columns of the sides' labels before the first place."""
_SCALE: Final = 4
"""Columns more for the leads at both ends."""
_ROOMY: Final = 40
"""Fewest columns for these; in fewer a side is a letter."""
_DOT: Final = "•"
_LEVEL: Final = "▁"
_STRIDES: Final = (1, 2, 5, 10, 20, 50, 100)
"""Steps between the turns below a graph."""
_TALL: Final = 4
"""Fewest lines of a side for the lead half-way up its scale."""
_APART: Final = 5
"""Fewest columns from one of them to the next."""
_NOW: Final = "│"
_OPEN: Final = "░"
_REVERSED: Final = Style(reverse=True)


class MarginGraph(Widget):
    """Graph of the lead after each move: dwarfs up, trolls down, mistakes as dots.

    Where a move has been judged, it is the expected final lead; what that leaves open is pale.

    Args:
        fills: whether a short battle takes the whole width.
        scaled: whether it has a scale of leads.
        fits: whether each side has as many of the lines as its leads need, with a scale.
    """

    DEFAULT_CSS = """
    MarginGraph {
        height: 4;
        & > .graph--dwarfs { color: $board-dwarf; }
        & > .graph--trolls { color: $board-troll; }
        & > .graph--level { color: $board-outline; }
        & > .graph--open-dwarfs { color: $board-dwarf 35%; }
        & > .graph--open-trolls { color: $board-troll 35%; }
        & > .graph--mistake { color: $mark-mistake; text-style: bold; }
        & > .graph--blunder { color: $mark-blunder; text-style: bold; }
        & > .graph--now { color: $accent; }
    }
    """

    DEFAULT_CLASSES = "section"

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("graph--dwarfs", "graph--trolls", "graph--level", "graph--now"),
        *("graph--mistake", "graph--blunder", "graph--open-dwarfs", "graph--open-trolls"),
    }

    ALLOW_SELECT = False

    BORDER_TITLE = "Lead"

    class Picked(Message):
        """A place in the battle was clicked."""

        def __init__(self, played: int) -> None:
            super().__init__()
            self.played = played

    def __init__(self, *, fills: bool = False, scaled: bool = False, fits: bool = False) -> None:
        super().__init__()
        self._fills, self._scaled, self._fits = fills, scaled or fits, fits
        self._gutter = _GUTTER
        self._leads: Sequence[float] = (0,)
        self._turns: Sequence[int] = ()
        self._expected: Sequence[Band | None] = ()
        self._bands: Sequence[Band] = ()
        """What is open after each number of moves: nothing where a lead is drawn."""
        self._values: Sequence[float] = self._leads
        """The values drawn: evaluations where known, else leads."""
        self._above = self._below = 0
        """The lines of the dwarfs and of the trolls."""
        self._line = LEAST
        """The lead that a line stands for."""
        self._tells = False
        """Whether there is anything to see but a level battle."""
        self._played: Sequence[int] = ()
        """The number of moves that each column stands for."""
        self._measured = Size()
        """The size that the columns and lines are for."""
        self._marks: Mapping[int, Mark] = {}
        self._dots: dict[int, Mark] = {}
        """The worst mark of each column that has one."""
        self._now = 0

    def show(self, leads: Sequence[float], now: int, turns: Sequence[int] = ()) -> None:
        """Draw the lead after each number of moves, from none on.

        A sequence is not measured again if it is the one drawn before.

        Args:
            leads: the leads.
            now: the number of moves to mark.
            turns: the turn of each, to write below; none leaves out that line.
        """
        if leads is not self._leads:
            self._leads, self._turns = leads, turns
            self._measure()
        self._now = now
        self.refresh()

    def expect(self, expected: Sequence[Band | None], marks: Mapping[int, Mark]) -> None:
        """Draw expected results in place of leads, where not None, and mistakes as dots.

        Args:
            expected: the expected result after each number of moves.
            marks: the marks of mistakes, by the number of moves played.
        """
        if expected != self._expected or marks != self._marks:
            self._expected, self._marks = expected, marks
            self._measure()

    def _measure(self) -> None:
        """Measure what is drawn, and place it in the columns that there are."""
        from thud.review.judgement import Band

        leads = self._leads
        pairs = zip_longest(leads, self._expected[: len(leads)])
        self._bands = [Band(lead, lead, lead) if band is None else band for lead, band in pairs]
        self._values = [band.expected for band in self._bands]
        self._tells = any(self._values)
        self.set_class(self._tells, "-tells")
        self._place()
        self.refresh()

    def _place(self) -> None:
        """Share the columns out to the moves."""
        from thud.review.judgement import Mark

        self._measured, places = self.size, len(self._leads)
        self._share_lines()
        self._gutter = _GUTTER + _SCALE * (self._scaled and self.size.width >= _ROOMY)
        room = max(1, self.size.width - self._gutter)
        wide = max(1, min(_WIDEST, room // places))
        if self._fills and room > places:
            self._played = [column * places // room for column in range(room)]
        else:
            self._played = [played for played in _sample(places, room) for _ in range(wide)]
        self._dots = {}
        for played, mark in self._marks.items():
            column = self._column_of(played)
            self._dots[column] = max(mark, self._dots.get(column, mark), key=list(Mark).index)

    def _share_lines(self) -> None:
        """Share the lines out to both sides."""
        height = max(2, self.size.height - bool(self._turns))
        self._above = self._below = height // 2
        self._line = scale(self._values) / self._above
        if self._fits:
            dwarfs, trolls = max(0, *self._values), max(0, *(-each for each in self._values))
            share = dwarfs / (dwarfs + trolls) if dwarfs + trolls else 1 / 2
            self._above = min(height - (trolls > 0), max(dwarfs > 0, round(height * share)))
            self._below = height - self._above
            self._line = max(
                LEAST / max(self._above, self._below),
                dwarfs / max(1, self._above),
                trolls / max(1, self._below),
            )

    def _column_of(self, played: int) -> int:
        """Return the first column of a number of moves."""
        places, columns = len(self._leads), len(self._played)
        if self._fills and columns > places:
            return -(-played * columns // places)
        if columns >= places:
            return played * (columns // places)
        return played * (columns - 1) // max(1, places - 1)

    def render_line(self, y: int) -> Strip:
        """Draw one line, the dwarfs' in the upper half, the trolls' in the lower."""
        if self._measured != self.size:
            self._place()
        above, base, style = self._above, self.rich_style, self._style
        last = above + self._below - 1
        if self._turns and y > last:
            told = self._numbers() if y == last + 1 else ""
            numbers = Segment(told, base + style("graph--level"))
            return Strip([numbers]).adjust_cell_length(self.size.width, base)
        now = self._column_of(self._now) if self._tells else None
        side = Side.DWARFS if y < above else Side.TROLLS
        bars = base + style(f"graph--{side.plural}")
        pale = self.get_component_rich_style(f"graph--open-{side.plural}")
        few = tones_merge(self.app)
        whose = side.plural if self._tells and y in (0, last) else ""
        label = self._tick(y) if self._scaled and self._tells else whose
        segments = [Segment(label.ljust(self._gutter), bars)]
        for column, played in enumerate(self._played):
            value = self._values[played]
            low, _, high = self._bands[played] if self._bands else (value, value, value)
            height = value / self._line
            # The line in which its bar ends.
            if value >= 0:
                tip = max(0, above - max(1, ceil(height)))
            else:
                tip = min(last, above - 1 + ceil(-height))
            level = not value and y == above - 1 and self._tells
            full = self._eighths(height, y, above)
            reach = high if side is Side.DWARFS else low
            wide = self._eighths(reach / self._line, y, above)
            # A cell has two colours of three: the bar's, what is open, nothing.
            lost = {"open": full, "all": _EIGHTHS - wide, "bar": max(0, wide - full)}
            drawn = "bar" if few or full == _EIGHTHS else min(lost, key=lost.__getitem__)
            if (mark := self._dots.get(column)) and y == tip:
                # The dot's colour shows only on the plain background.
                dot = Segment(_DOT, bars + style(f"graph--{mark.name.lower()}"))
                segments.append(dot)
            elif column == now and not full:
                segments.append(Segment(_NOW, bars + style("graph--now")))
            elif few and not full and 2 * wide >= _EIGHTHS:
                segments.append(Segment(_OPEN, base + style("graph--level")))
            elif level and not wide:
                segments.append(Segment(_LEVEL, bars + style("graph--level")))
            else:
                is_open = drawn == "open" and wide > 0
                reach = reach if is_open else value
                character, hanging = self.bar(reach / self._line, y, above)
                look = base + pale if is_open else bars
                if drawn == "all":
                    look += Style(bgcolor=pale.color)
                segments.append(Segment(character, look + _REVERSED if hanging else look))
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _tick(self, y: int) -> str:
        """Return the scale at a line: the leads at its outer edge, and where nobody leads."""
        above, below = self._above, self._below
        lines = {above - (not below): "even"}
        for side, most, sign in ((Side.DWARFS, above, -1), (Side.TROLLS, below, 1)):
            first = above if side is Side.TROLLS else above - 1
            name = side.plural if self._gutter > _GUTTER else side.value
            if most >= _TALL:
                half = f"+{most // 2 * self._line:.0f}"
                lines[first + sign * (most // 2 - 1)] = f"{'':{len(name)}} {half}"
            if most:
                lines[first + sign * (most - 1)] = f"{name} +{most * self._line:.0f}"
        return lines.get(y, "")

    def _numbers(self) -> str:
        """Return the line of turns, each below the first column of its first move, or the next."""
        line, stride, number = "turn".ljust(self._gutter), self._stride, 0
        for here, played in enumerate(self._played, self._gutter):
            before, number = number, max(1, self._turns[played] // stride * stride)
            fits = not before or len(line) < here <= self.size.width - len(f"{number}")
            if number > before and fits:
                line = f"{line.ljust(here)}{number}"
        return line

    @property
    def _stride(self) -> int:
        """After how many turns one is written below the graph."""
        room = max(1, len(self._played)) // _APART or 1
        return next((each for each in _STRIDES if max(self._turns) <= each * room), _STRIDES[-1])

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)

    @staticmethod
    def bar(height: float, y: int, above: int) -> tuple[str, bool]:
        """Return the character of a bar in a line, and whether to reverse it.

        There are no characters for bars hanging from the top: the rest below is drawn, reversed.
        """
        eighths = MarginGraph._eighths(height, y, above)
        if y < above or not eighths:
            return _BARS[eighths], False
        return _BARS[_EIGHTHS - eighths], True

    @staticmethod
    def _eighths(height: float, y: int, above: int) -> int:
        """Return how many eighths of a line a bar fills.

        Args:
            height: the bar's height in lines, negative for the trolls.
            y: the line.
            above: number of the dwarfs' lines.
        """
        filled = height - (above - 1 - y) if y < above else -height - (y - above)
        return max(0, min(_EIGHTHS, round(filled * _EIGHTHS)))

    def on_click(self, event: events.Click) -> None:
        """Report the clicked place."""
        event.stop()
        offset = event.get_content_offset(self)
        column = offset.x - self._gutter if offset else -1
        if 0 <= column < len(self._played):
            self.post_message(self.Picked(self._played[column]))


def scale(leads: Sequence[float]) -> float:
    """Return the lead drawn at full height."""
    return max(LEAST, *map(abs, leads))


def _sample(places: int, room: int) -> Sequence[int]:
    """Return all places, or as many as there is room for, with the first and the last."""
    if places <= room:
        return range(places)
    return [column * (places - 1) // max(1, room - 1) for column in range(room)]
