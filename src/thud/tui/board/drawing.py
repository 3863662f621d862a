"""Drawing squares: their characters, their colours, and the base of the widgets that paint them.

Every mark has a shape of its own, so that the board can be read without colour.  The first and
last columns mark the piece; the middle of an empty square shows what can be done there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import Struct
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Tint
from textual.reactive import reactive
from textual.widget import Widget

from thud.rules.position import Side
from thud.terminal.cells import Cell
from thud.tui.board.look import THUDSTONE, Look, SquareMark, Stroke
from thud.tui.board.pieces import PICTURED, drawable, named, picture
from thud.tui.board.sprites import CLEAR, SHEETS, Paint, Sprite, colours, sprites
from thud.tui.deployment import deployment_of
from thud.tui.looks.themes import GROUNDS, paints, tones_merge

# The characters


class Pen(Struct, frozen=True):
    """Options of drawing."""

    piece_set: str = "letters"
    ascii_only: bool = False
    textured: bool = False
    """Whether dark squares have a texture: light ones may have the same colour."""
    flipped: bool = False
    """Whether the far side is at the bottom."""
    stone: str = THUDSTONE
    """The stone's name."""
    pictured: bool = False
    """Whether a browser draws sprites itself, on squares too small for them."""

    @property
    def paints(self) -> bool:
        """Whether pieces are sprites, on squares large enough."""
        return self.piece_set in SHEETS and not self.ascii_only


class Part(Enum):
    """The part of a square that a character belongs to; the value is its tone, if any."""

    GROUND = ""
    TEXTURE = "texture"
    FIRST = "first colour"
    SECOND = "second colour"
    AIM = "aim"
    THREAT = "threat"


Stretch: TypeAlias = tuple[str, Part | Paint]
"""A run of characters of the same part or the same colours."""


_Sides: TypeAlias = tuple[str, str, str]
"""Characters left and right of a piece: in the first row, the middle and the last."""

_SIDES: Final[dict[SquareMark | None, _Sides]] = {
    SquareMark.HELD: ("╱╲", "‹›", "╲╱"),
    SquareMark.CAPTURE: ("╲╱", "›‹", "╱╲"),
    SquareMark.VICTIM: ("××", "××", "××"),
    SquareMark.SPARED: ("╭╮", "()", "╰╯"),
    SquareMark.LAST: ("--", "--", "--"),
    SquareMark.ADVISED: ("**", "**", "**"),
    SquareMark.NOTED: ("╭╮", "()", "╰╯"),
}
_THREATENED: Final = ("!!", "!!", "!!")
_AIMING: Final = ("::", "::", "::")
_UNMARKED: Final = ("  ", "  ", "  ")
_CURSOR: Final = ("┌┐", "[]", "└┘")
_CURSOR_ON: Final[dict[SquareMark | None, str]] = {
    SquareMark.HELD: "«»",
    SquareMark.VICTIM: "»«",
    SquareMark.LAST: "││",
}

_Shapes: TypeAlias = dict[int, tuple[str, ...]]
"""The mark in the middle of an empty square, by the smallest square height it is for."""

_RIGHTWARD: Final = tuple("→↗↘")
_DOT: Final = ("▗▄▖", "▝▀▘")
_CROSS: Final = ("▝▄▘", "▗▀▖")
_EMPTY: Final[dict[SquareMark | None, _Shapes]] = {
    SquareMark.DESTINATION: {1: ("·",), 2: _DOT, 3: ("▐█▌",), 4: _DOT, 5: ("▐█▌",), 6: _DOT},
    SquareMark.CAPTURE: {
        1: ("×",),
        2: _CROSS,
        3: ("›×‹",),
        4: _CROSS,
        5: ("╲ ╱", " ╳ ", "╱ ╲"),
        6: _CROSS,
    },
    SquareMark.ADVISED: {1: ("*",)},
    SquareMark.NOTED: {1: ("o",), 2: ("╭─╮", "╰─╯"), 3: ("╭───╮", "│   │", "╰───╯")},
    SquareMark.LAST: {1: ("-",), 2: ("╭─╮", "╰─╯"), 3: ("╭───╮", "│   │", "╰───╯")},
}
_LANDINGS: Final[dict[Stroke | None, _Shapes]] = {
    Stroke.LANDING: {1: ("o",), 3: (" o ", "o o", " o ")},
    Stroke.COVERED: {1: ("#",), 3: (" # ", "###", " # ")},
}
_GOAL: Final[_Shapes] = {1: ("^",), 2: ("▗▀▖", "▘ ▝")}
_GOAL_BELOW: Final[_Shapes] = {1: ("v",), 2: ("▖ ▗", "▝▄▘")}
_UNSEEN: Final = Paint(CLEAR, CLEAR)
"""The square's own colour on itself."""

_TEXTURE: Final = "░"
_ASCII_TEXTURE: Final = " . "
TO_ASCII: Final = str.maketrans(
    "╱╲╳─│┼╭╮╰╯┌┐└┘‹›«»×·▄▀█▌▐▗▖▘▝→←↑↓↘↖↗↙", "/\\X-|+..''[][]<>{}x_.'#||/\\/\\><^v\\\\//"
)
"""ASCII substitutes for the characters of the marks."""


def cell_rows(look: Look, cell: Cell, pen: Pen) -> list[list[Stretch]]:
    """Return the rows of a square."""
    square = _Canvas(cell)
    if pen.textured and look.dark and not (look.letter or look.cursor):
        square.fill(_ASCII_TEXTURE if pen.ascii_only else _TEXTURE, Part.TEXTURE)
    if look.letter:
        _draw_piece(square, look.letter, cell, pen)
    else:
        _draw_empty(square, look, cell, pen)
    _draw_sides(square, look, cell)
    table = TO_ASCII if pen.ascii_only else {}
    # The fewest runs possible.
    return [
        [
            ("".join(character for character, _ in run).translate(table), part)
            for part, run in groupby(row, itemgetter(1))
        ]
        for row in square.rows
    ]


class _Canvas:
    """A square being drawn.

    Attributes:
        rows: its characters, each with its part or its colours.
    """

    def __init__(self, cell: Cell) -> None:
        self.rows: list[list[tuple[str, Part | Paint]]] = [
            [(" ", Part.GROUND)] * cell.width for _ in range(cell.height)
        ]

    def fill(self, characters: str, part: Part) -> None:
        """Fill each row with repeated characters."""
        for row in self.rows:
            row[:] = [(characters[x % len(characters)], part) for x in range(len(row))]

    def put(self, x: int, y: int, character: str, part: Part) -> None:
        """Draw one character; a space is transparent."""
        if character != " ":
            self.rows[y][x] = character, part

    def centre(self, rows: Sequence[str], parts: Sequence[Part]) -> None:
        """Draw rows centred in the square, each in its part."""
        top = (len(self.rows) - len(rows)) // 2
        for y, (row, part) in enumerate(zip(rows, parts, strict=False), top):
            left = (len(self.rows[y]) - len(row)) // 2
            for x, character in enumerate(row, left):
                self.put(x, y, character, part)

    def paint(self, sprite: Sprite) -> None:
        """Draw a sprite of the square's size."""
        for y, row in enumerate(sprite):
            for x, dab in enumerate(row):
                self.rows[y][x] = dab or self.rows[y][x]


def _draw_piece(square: _Canvas, letter: str, cell: Cell, pen: Pen) -> None:
    """Draw a piece, as a sprite if there is one of this size."""
    there = sprites(pen.piece_set, cell) if pen.paints else {}
    sprite = named(there, letter, pen.stone)
    if sprite:
        square.paint(sprite)
        return
    if pen.paints and pen.pictured:
        square.paint(((None, (named(PICTURED, letter, pen.stone) or " ", _UNSEEN), None),))
        return
    shown = picture(letter, cell, pen.piece_set, stone=pen.stone, ascii_only=pen.ascii_only)
    square.centre(shown.rows, [Part.FIRST] * shown.first + [Part.SECOND] * len(shown.rows))


def _draw_empty(square: _Canvas, look: Look, cell: Cell, pen: Pen) -> None:
    """Draw a threat line across the square, and the mark of what can be done there.

    In plain ASCII the mark is one character, so as not to look like a piece.
    """
    goal = _GOAL_BELOW if pen.flipped else _GOAL
    shapes, part = _EMPTY.get(look.mark, goal if look.goal else {}), Part.GROUND
    if look.stroke in _LANDINGS and not look.mark:
        shapes, part = _LANDINGS[look.stroke], Part.AIM
    elif look.stroke:
        for x, y in _points(look.stroke, cell):
            square.put(x, y, look.stroke.value, Part.GROUND if look.past else Part.AIM)
        shapes = shapes if look.mark else {}
    if shapes:
        room = 1 if pen.ascii_only else cell.height
        shape = shapes[max(height for height in shapes if height <= room)]
        square.centre(shape, [part] * len(shape))


def _points(stroke: Stroke, cell: Cell) -> list[tuple[int, int]]:
    """Return the cells, column and row, that a threat line crosses."""
    width, height = cell
    middle = (height - 1) // 2
    if stroke is Stroke.ACROSS:
        return [(x, middle) for x in range(width)]
    if stroke is Stroke.DOWN:
        return [(width // 2, y) for y in range(height)]
    if stroke is Stroke.CROSSING or stroke in _LANDINGS:
        return [(width // 2, middle)]
    falling = [((2 * y + 1) * width // (2 * height), y) for y in range(height)]
    return falling if stroke is Stroke.FALLING else [(width - 1 - x, y) for x, y in falling]


def _draw_sides(square: _Canvas, look: Look, cell: Cell) -> None:
    """Draw the first and last columns: the mark of a piece, the cursor, threats and the label."""
    sides, part = _UNMARKED, Part.GROUND
    if look.letter:
        if look.mark in _SIDES:
            sides = _SIDES[look.mark]
        elif look.threatened:
            sides, part = _THREATENED, Part.THREAT
        elif look.stroke:
            sides, part = _AIMING, Part.GROUND if look.past else Part.AIM
    if look.mark or look.cursor:
        part = Part.GROUND
    (first, middle, last), (width, height) = sides, cell
    rows = [middle]
    if height > 1:
        if look.cursor:
            first, last = _CURSOR[0], middle if middle.strip() and height == 2 else _CURSOR[2]
        rows = [first, *[middle] * (height - 2), last]
    elif look.cursor:
        # Another mark replaces the second bracket.
        rows = [_CURSOR[1][0] + (middle[1].strip() or _CURSOR[1][1])]
        if look.letter and look.mark in _CURSOR_ON:
            rows = [_CURSOR_ON[look.mark]]
    for y, row in enumerate(rows):
        square.put(0, y, row[0], part)
        square.put(width - 1, y, row[1], part)
    if look.letter and (look.mark or look.cursor) and (look.threatened or look.stroke):
        aim = Part.GROUND if look.past else Part.AIM
        more, part = ("!", Part.THREAT) if look.threatened else (":", aim)
        for y in range(1, height - 1) if height > 2 else (height - 1,):
            square.put(width - 1, y, more, part)
    # The head of an arrow stands before what it points at.
    side = 0 if look.label in _RIGHTWARD else width - 1
    square.put(side, height // 2, look.label or " ", Part.GROUND)


# The colours


class Tone(Struct, frozen=True):
    """A named colour of the board: CSS variables, without their `board-` prefix."""

    ink: str = ""
    ground: str = ""
    bold: bool = False


TONES: Final[Mapping[str, Tone]] = {
    "light": Tone(ground="light"),
    "dark": Tone(ground="dark"),
    "texture": Tone("texture"),
    "goal": Tone("goal-text", "goal"),
    "goal-dark": Tone("goal-text", "goal-dark"),
    "dwarf": Tone("dwarf", bold=True),
    "beard": Tone("beard", bold=True),
    "troll": Tone("troll", bold=True),
    "stone": Tone("stone", bold=True),
    "stone-shade": Tone("stone-shade", bold=True),
    "outline": Tone("outline"),
    "label": Tone("label"),
    "destination": Tone("destination", "destination-ground", bold=True),
    "destination-dark": Tone(ground="destination-dark"),
    "capture": Tone("capture", "capture-ground", bold=True),
    "capture-dark": Tone(ground="capture-dark"),
    "victim": Tone("victim-text", "victim", bold=True),
    "held": Tone("held-text", "held", bold=True),
    "spared": Tone(),
    "last": Tone(ground="last"),
    "advised": Tone(ground="advised"),
    "noted": Tone("noted", bold=True),
    "threat": Tone("threat", bold=True),
    "danger": Tone(ground="danger"),
    "aim": Tone("aim"),
    "cursor": Tone("cursor-text", "cursor", bold=True),
}
"""The tones of everything on the board, by name."""


_PIECES: Final = {
    "d": ("dwarf", "beard"),
    "T": ("troll", "troll"),
    "R": ("stone", "stone-shade"),
}
"""The tones of each piece's two colours."""

_TINTS: Final = (SquareMark.DESTINATION, SquareMark.CAPTURE)
"""Marks with another ground on dark squares."""


class Painter(dict[Look, list[list[Segment]]]):
    """Turns looks into segments: the rows of a square, by its look.

    Component classes would do for its styles as well, but each is matched against every CSS rule
    whenever the board is styled, which took a tenth of the time to the first frame.

    Args:
        variables: a theme's colours by name, `board-light` and so on.
        theme: the colours of sprites by name.
        base: the style below everything.
        cell: the size of the squares.
        pen: the options of drawing.
    """

    def __init__(
        self,
        variables: Mapping[str, str],
        theme: Mapping[str, str],
        base: Style,
        cell: Cell,
        pen: Pen,
    ) -> None:
        super().__init__()
        self._variables = variables
        self._theme = theme
        self._inks = {
            letter: Color.parse(theme[name])
            for letter, name in (colours(pen.piece_set) if pen.paints else {}).items()
        }
        self._cell = cell
        self._pen = pen
        self._styles: dict[str, Style] = {}
        self._edges: dict[tuple[str, Side | None], list[Segment]] = {}
        self.base = base
        self.outline = base + self.style_of("outline")
        self.label = base + self.style_of("label")
        self.thud = base + self.style_of("held")

    def style_of(self, name: str) -> Style:
        """Return the style of a square, a piece, a mark or the edge; none without a name."""
        if name not in self._styles:
            tone = TONES[name] if name else Tone()
            ink, ground = (
                Tint.parse(self._variables[f"board-{each}"]).rich_color if each else None
                for each in (tone.ink, tone.ground)
            )
            style = Style(color=ink, bgcolor=ground, bold=tone.bold or None)
            if self._theme and name in GROUNDS:
                style += Style(color=self._theme[f"{name}-text"], bgcolor=self._theme[name])
            self._styles[name] = style
        return self._styles[name]

    def __missing__(self, look: Look) -> list[list[Segment]]:
        """Draw a square for the first time."""
        style_of = self.style_of
        ground = self.base + style_of("dark" if look.dark else "light")
        if look.goal:
            ground += style_of("goal-dark" if look.dark else "goal")
        if look.threatened and look.letter:
            ground += style_of("danger")
        over = style_of(look.mark.value if look.mark else "")
        if look.mark in _TINTS and look.dark:
            over += style_of(f"{look.mark.value}-dark")
        if look.cursor:
            over += style_of("cursor")
        first, second = _PIECES.get(look.letter or "", ("", ""))
        styles = {
            Part.GROUND: ground + over,
            Part.FIRST: ground + style_of(first) + over,
            Part.SECOND: ground + style_of(second) + over,
            # The texture belongs to the square, whatever is marked on it.
            Part.TEXTURE: ground + over + style_of("texture"),
            Part.AIM: ground + style_of("aim") + over,
            Part.THREAT: ground + style_of("threat") + over,
        }

        def style(part: Part | Paint) -> Style:
            if isinstance(part, Part):
                return styles[part]
            clear = styles[Part.GROUND].bgcolor
            ink, paper = (clear if each == CLEAR else self._inks[each] for each in part)
            return Style(color=ink, bgcolor=paper)

        self[look] = [
            [Segment(text, style(part)) for text, part in row]
            for row in cell_rows(look, self._cell, self._pen)
        ]
        return self[look]

    def edge(self, text: str, turn: Side | None = None) -> list[Segment]:
        """Return a part of the outline, with its labels in their own colour.

        It has the colour of the side whose turn it shows, if any.
        """
        if (text, turn) not in self._edges:
            outline, label = self.outline, self.label
            if turn:
                tone = self.style_of(_PIECES[turn.value][0])
                outline = label = self.base + Style(color=tone.color, bold=True)
            self._edges[text, turn] = [
                Segment("".join(part), label if is_label else outline)
                for is_label, part in groupby(text, str.isalnum)
            ]
        return self._edges[text, turn]


class Surface(Widget):
    """Base of widgets that paint squares in the board's colours."""

    ALLOW_SELECT = False

    piece_set: reactive[str] = reactive("unicode")
    """One of `pieces.PIECE_SETS`."""

    ascii_only: reactive[bool] = reactive(False)
    """Whether everything is drawn in plain ASCII."""

    stone: reactive[str] = reactive(THUDSTONE)
    """The stone's name, which decides how it is drawn."""

    largest: reactive[Cell | None] = reactive(None)
    """The upper limit of the square size, if any."""

    def __init__(self) -> None:
        super().__init__()
        self.auto_links = False

    def _new_painter(self, cell: Cell, *, flipped: bool = False) -> Painter:
        app, merged = self.app, tones_merge(self.app)
        pieces = drawable(self.piece_set, few_colours=merged)
        pictured = deployment_of(app).draws_pieces
        pen = Pen(pieces, self.ascii_only, merged, flipped, self.stone, pictured)
        theme = paints(app.current_theme) if pen.paints else {}
        return Painter(app.theme_variables, theme, self.rich_style, cell, pen)

    def _draw_anew(self) -> None:
        """Redraw with a new layout."""
        self.refresh(layout=True)

    def watch_piece_set(self) -> None:
        """Redraw with the new pieces."""
        self._draw_anew()

    def watch_ascii_only(self) -> None:
        """Redraw with the other characters."""
        self._draw_anew()

    def watch_stone(self) -> None:
        """Redraw with the new stone."""
        self._draw_anew()

    def watch_largest(self) -> None:
        """Redraw with the new limit."""
        self._draw_anew()
