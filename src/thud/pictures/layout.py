"""The layout of a picture, in units: it is `WIDTH` units wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin
from typing import Final, NamedTuple

from thud.pictures import palette
from thud.pictures.drawings import Layer
from thud.pictures.shapes import Drawing, Point, Shape
from thud.rules.geometry import FILES, SIZE, SQUARES, Mask, Square, file_of, rank_of
from thud.rules.position import Move, Position

CELL: Final = 56
MARGIN: Final = 60
WIDTH: Final = SIZE * CELL + 2 * MARGIN
LABEL_SIZE: Final = 22
CAPTION_SIZE: Final = 28
_LABEL_DROP: Final = 8
_LABEL_AWAY: Final = 26
_LINE_HEIGHT: Final = 36
_CAPTION_DROP: Final = 24
_FOOT: Final = 16
_RIM: Final = 14

_ON_PIECE: Final = {"d": Layer.DWARF, "T": Layer.TROLL, "R": Layer.STONE}


class Label(NamedTuple):
    """A centred text, with the middle of its baseline."""

    text: str
    x: float
    y: float


def corner(square: Square, flipped: bool = False) -> tuple[int, int]:
    """Return a square's upper left corner."""
    across, down = file_of(square) - 1, rank_of(square) - 1
    if flipped:
        across, down = SIZE - 1 - across, SIZE - 1 - down
    return MARGIN + CELL * across, MARGIN + CELL * down


def height(lines: int) -> int:
    """Return the height of a picture with `lines` lines of caption."""
    return WIDTH + (lines * _LINE_HEIGHT + _FOOT if lines else 0)


def labels(flipped: bool = False) -> Iterator[Label]:
    """Yield the file letters and rank numbers around the board."""
    turn = -1 if flipped else 1
    texts = zip(FILES[::turn], range(1, SIZE + 1)[::turn], strict=True)
    for place, (letter, number) in enumerate(texts):
        middle = MARGIN + CELL * place + CELL / 2
        for edge in (_LABEL_AWAY, WIDTH - _LABEL_AWAY):
            yield Label(letter, middle, edge + _LABEL_DROP)
            yield Label(str(number), edge, middle + _LABEL_DROP)


def caption_labels(lines: Sequence[str]) -> Iterator[Label]:
    """Yield the lines of a caption below the board."""
    for place, line in enumerate(lines):
        yield Label(line, WIDTH / 2, WIDTH + _LINE_HEIGHT * place + _CAPTION_DROP)


def octagon(grown: float) -> str:
    """Return the path of the board's outline, grown by some units."""
    low, high = MARGIN, WIDTH - MARGIN
    near, far = MARGIN + CELL * 5, WIDTH - MARGIN - CELL * 5
    slope = grown * (2**0.5 - 1)
    points: list[Point] = [
        (near - slope, low - grown),
        (far + slope, low - grown),
        (high + grown, near - slope),
        (high + grown, far + slope),
        (far + slope, high + grown),
        (near - slope, high + grown),
        (low - grown, far + slope),
        (low - grown, near - slope),
    ]
    return "M" + " ".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"


def table(lines: int) -> Drawing:
    """Draw the background: the page and the board's rim."""
    right, bottom = WIDTH - 3, height(lines) - 3
    return (
        Shape(f"M0 0 {WIDTH} 0 {WIDTH} {height(lines)} 0 {height(lines)}Z", palette.PAGE),
        Shape(f"M3 3 {right} 3 {right} {bottom} 3 {bottom}Z", line=palette.PAGE_EDGE, width=2),
        Shape(octagon(_RIM), palette.RIM, line=palette.RIM_DARK, width=4),
        Shape(octagon(_RIM - 4), line=palette.RIM_LIGHT, width=2),
        Shape(octagon(0), palette.GROUT, line=palette.RIM_DARK, width=3),
    )


def layers(
    position: Position, last: Move | None = None, goals: Mask = 0
) -> dict[Square, tuple[Layer, ...]]:
    """Return each square's layers, lowest first."""
    return {square: tuple(_layers(square, position, last, goals)) for square in SQUARES}


def _layers(square: Square, position: Position, last: Move | None, goals: Mask) -> Iterator[Layer]:
    yield Layer.DARK if (file_of(square) + rank_of(square)) % 2 else Layer.LIGHT
    if goals >> square & 1:
        yield Layer.GOAL
    if last and square == last.origin:
        yield Layer.ORIGIN
    if last and square == last.destination:
        yield Layer.DESTINATION
    letter, captured = position.letter_at(square), last and last.captures >> square & 1
    if captured and not letter:
        yield Layer.CROSS
    if letter:
        yield _ON_PIECE[letter]
    if captured and letter:
        yield Layer.SMALL_CROSS


_THICK: Final = 9
_HEAD: Final = 26
"""Width, and roughly length, of the head."""
_APART: Final = 16
"""Distance of an arrow's start from the middle of its first square."""
_SHORT: Final = 6
"""Distance of its tip from the middle of its last square."""
_OPACITY: Final = 0.85
_RADIUS: Final = CELL / 2 - 4
_RING: Final = 5
"""The radius and the width of a circle."""
_CORNERS: Final = 48


class Arrow(NamedTuple):
    """An arrow between two squares, or a circle around one; its colour, and that of its edge."""

    origin: Square
    destination: Square
    colours: tuple[str, str] = palette.MOVED

    @classmethod
    def of(cls, move: Move, *, advises: bool = False) -> Arrow:
        """Return the arrow of a move, made or advised."""
        return cls(*move[:2], palette.ADVICE if advises else palette.MOVED)


def arrow_drawing(arrow: Arrow, flipped: bool = False) -> Drawing:
    """Draw an arrow or a circle, in units of the picture."""
    fill, edge = arrow.colours
    if arrow.origin == arrow.destination:
        return _ring(_middle(arrow.origin, flipped), fill)
    path = _path(_middle(arrow.origin, flipped), _middle(arrow.destination, flipped))
    return (Shape(path, fill, _OPACITY, edge, 2),)


def _middle(square: Square, flipped: bool) -> Point:
    x, y = corner(square, flipped)
    return x + CELL / 2, y + CELL / 2


def _ring(middle: Point, colour: str) -> Drawing:
    """Return a circle around a point, as a polygon."""
    turns = (2 * pi * corner / _CORNERS for corner in range(_CORNERS))
    points = (
        f"{middle[0] + _RADIUS * cos(turn):.2f} {middle[1] + _RADIUS * sin(turn):.2f}"
        for turn in turns
    )
    return (Shape(f"M{' '.join(points)}Z", opacity=_OPACITY, line=colour, width=_RING),)


def _path(start: Point, end: Point) -> str:
    """Return the outline of an arrow between two different points."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    length -= _SHORT
    neck, thick, head = length - _HEAD, _THICK / 2, _HEAD / 2
    outline = (
        *((_APART, -thick), (neck, -thick), (neck, -head), (length, 0)),
        *((neck, head), (neck, thick), (_APART, thick)),
    )
    points = (
        f"{start[0] + along * across - aside * down:.2f} "
        f"{start[1] + along * down + aside * across:.2f}"
        for along, aside in outline
    )
    return f"M{' '.join(points)}Z"
