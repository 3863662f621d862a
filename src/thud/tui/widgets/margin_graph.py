"""A graph of the lead over a battle, at least a column a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import ceil
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from thud.review.judgement import Mark
from thud.rules.position import Side

_BARS: Final = " ▁▂▃▄▅▆▇█"
_WIDEST: Final = 3
"""Most columns of a move, so that a battle that has just begun does not look decided."""
LEAST: Final = 8.0
"""Smallest full scale, in points or squares of the stone's way: one dwarf is no rout."""
_GUTTER: Final = 7
"""Columns of the sides' labels before the first place."""
_DOT: Final = "•"
_LEVEL: Final = "▁"
_NOW: Final = "│"
_REVERSED: Final = Style(reverse=True)


class MarginGraph(Widget):
    """Graph of the lead after each move: dwarfs up, trolls down, mistakes as dots.

    Where a move has been judged, it is the expected final lead.
    """

    DEFAULT_CSS = """
    MarginGraph {
        height: 4;
        & > .graph--dwarfs { color: $board-dwarf; }
        & > .graph--trolls { color: $board-troll; }
        & > .graph--level { color: $board-outline; }
        & > .graph--mistake { color: $mark-mistake; text-style: bold; }
        & > .graph--blunder { color: $mark-blunder; text-style: bold; }
        & > .graph--now { color: $accent; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("graph--dwarfs", "graph--trolls", "graph--level", "graph--now"),
        *("graph--mistake", "graph--blunder"),
    }

    ALLOW_SELECT = False

    BORDER_TITLE = "Lead"

    class Picked(Message):
        """A place in the battle was clicked."""

        def __init__(self, played: int) -> None:
            super().__init__()
            self.played = played

    def __init__(self) -> None:
        super().__init__()
        self._leads: Sequence[float] = (0,)
        self._largest = LEAST
        self._tells = False
        self._expected: Sequence[float | None] = ()
        self._values: Sequence[float] = self._leads
        """The values drawn: evaluations where known, else leads."""
        self._marks: Mapping[int, Mark] = {}
        self._dots: dict[int, Mark] = {}
        """The worst mark of each column that has one."""
        self._now = 0

    def show(self, leads: Sequence[float], now: int) -> None:
        """Draw the lead after each number of moves, from none on.

        A sequence is not measured again if it is the one drawn before.
        """
        if leads is not self._leads:
            self._leads = leads
            self._measure()
        self._now = now
        self.refresh()

    def expect(self, expected: Sequence[float | None], marks: Mapping[int, Mark]) -> None:
        """Draw expected results in place of leads, where not None, and mistakes as dots.

        Args:
            expected: the expected result after each number of moves.
            marks: the marks of mistakes, by the number of moves played.
        """
        if expected != self._expected or marks != self._marks:
            self._expected, self._marks = expected, marks
            self._measure()
            self.refresh()

    def _measure(self) -> None:
        pairs = zip_longest(self._leads, self._expected[: len(self._leads)])
        self._values = [lead if known is None else known for lead, known in pairs]
        self._largest = scale(self._values)
        # Whether there is anything to see but a level battle.
        self._tells = any(self._values)
        self.set_class(self._tells, "-tells")
        self._place_dots()

    def on_resize(self) -> None:
        """Place the dots for the new width."""
        self._place_dots()

    def _place_dots(self) -> None:
        self._dots = {}
        for played, mark in self._marks.items():
            column = self._column_of(played)
            self._dots[column] = max(mark, self._dots.get(column, mark), key=list(Mark).index)

    def render_line(self, y: int) -> Strip:
        """Draw one line, the dwarfs' in the upper half, the trolls' in the lower."""
        half = self.size.height // 2
        base = self.rich_style
        now = self._column_of(self._now) if self._tells else None
        name = "graph--dwarfs" if y < half else "graph--trolls"
        bars = base + self._style_of(name)
        here = self._style_of("graph--now")
        whose = {0: Side.DWARFS.plural, 2 * half - 1: Side.TROLLS.plural}.get(y, "")
        places = [
            self._place(column, y, half, bars, here if column == now else None)
            for column in range(self._columns)
        ]
        label = Segment((whose if self._tells else "").ljust(_GUTTER), bars)
        return Strip([label, *places]).adjust_cell_length(self.size.width, base)

    def _place(self, column: int, y: int, half: int, bars: Style, here: Style | None) -> Segment:
        """Return one place of a line.

        Args:
            column: its column.
            y: the line.
            half: the number of lines of each side.
            bars: the style of the side's bars.
            here: the style of the current place, if this is it.
        """
        value = self._values[self._played_at(column)]
        mark = self._dots.get(column)
        if mark and y == self._tip(value, half):
            # The dot's colour shows only on the plain background.
            return Segment(_DOT, bars + self._style_of(f"graph--{mark.name.lower()}"))
        level = not value and y == half - 1 and self._tells
        character, hanging = self.bar(value, self._largest, y, half)
        if here and (level or character == " "):
            return Segment(_NOW, bars + here)
        if level:
            return Segment(_LEVEL, bars + self._style_of("graph--level"))
        return Segment(character, bars + _REVERSED if hanging else bars)

    def _tip(self, value: float, half: int) -> int:
        """Return the line in which a value's bar ends."""
        height = value / self._largest * half
        if value >= 0:
            return max(0, half - max(1, ceil(height)))
        return min(2 * half - 1, half - 1 + ceil(-height))

    def _style_of(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)

    @staticmethod
    def bar(lead: float, largest: float, y: int, half: int) -> tuple[str, bool]:
        """Return the character of a lead's bar in a line, and whether to reverse it.

        There are no characters for bars hanging from the top: the rest below is drawn, reversed.
        """
        height = lead / largest * half
        if y < half:
            return _BARS[_eighths(height - (half - 1 - y))], False
        hanging = _eighths(-height - (y - half))
        return (_BARS[8 - hanging], True) if hanging else (" ", False)

    @property
    def _columns(self) -> int:
        return max(1, min(self._room, self._width_of_move * len(self._leads)))

    @property
    def _room(self) -> int:
        """The columns beside the labels."""
        return max(1, self.size.width - _GUTTER)

    @property
    def _width_of_move(self) -> int:
        return min(_WIDEST, max(1, self._room // len(self._leads)))

    def _played_at(self, column: int) -> int:
        if len(self._leads) <= self._room:
            return min(column // self._width_of_move, len(self._leads) - 1)
        return column * (len(self._leads) - 1) // max(1, self._room - 1)

    def _column_of(self, played: int) -> int:
        if len(self._leads) <= self._room:
            return played * self._width_of_move
        return played * (self._room - 1) // max(1, len(self._leads) - 1)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked place."""
        event.stop()
        offset = event.get_content_offset(self)
        column = offset.x - _GUTTER if offset else -1
        if 0 <= column < self._columns:
            self.post_message(self.Picked(self._played_at(column)))


def scale(leads: Sequence[float]) -> float:
    """Return the lead drawn at full height."""
    return max(LEAST, *map(abs, leads))


def bars(leads: Sequence[float], width: int) -> list[tuple[Side, str, list[tuple[str, bool]]]]:
    """Return a graph of two lines, dwarfs and trolls: side, label and bars of each."""
    shown, largest = sampled(leads, width - _GUTTER), scale(leads)
    return [
        (
            side,
            side.plural.ljust(_GUTTER),
            [MarginGraph.bar(lead, largest, y, 1) for lead in shown],
        )
        for y, side in enumerate(Side)
    ]


def sampled(leads: Sequence[float], width: int) -> list[float]:
    """Sample the leads down to a number of columns, keeping the first and the last.

    >>> sampled([0, 1, 2, 3, 4], 3)
    [0, 2, 4]
    >>> sampled([0, 1], 3)
    [0, 1]
    """
    if len(leads) <= width:
        return list(leads)
    return [leads[column * (len(leads) - 1) // (width - 1)] for column in range(width)]


def _eighths(height: float) -> int:
    return max(0, min(8, round(height * 8)))
