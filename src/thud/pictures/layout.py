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
    found: dict[Square, tuple[Layer, ...]] = {}
    for square in SQUARES:
        on = [Layer.DARK if (file_of(square) + rank_of(square)) % 2 else Layer.LIGHT]
        if goals >> square & 1:
            on.append(Layer.GOAL)
        if last and square == last.origin:
            on.append(Layer.ORIGIN)
        if last and square == last.destination:
            on.append(Layer.DESTINATION)
        letter, captured = position.letter_at(square), last and last.captures >> square & 1
        if captured and not letter:
            on.append(Layer.CROSS)
        if letter:
            on.append(_ON_PIECE[letter])
        if captured and letter:
            on.append(Layer.SMALL_CROSS)
        found[square] = tuple(on)
    return found


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
    (x0, y0), (x1, y1) = (
        (left + CELL / 2, top + CELL / 2)
        for left, top in (corner(arrow.origin, flipped), corner(arrow.destination, flipped))
    )
    if arrow.origin == arrow.destination:
        turns = (2 * pi * each / _CORNERS for each in range(_CORNERS))
        ring = [f"{x0 + _RADIUS * cos(turn):.2f} {y0 + _RADIUS * sin(turn):.2f}" for turn in turns]
        return (Shape(f"M{' '.join(ring)}Z", opacity=_OPACITY, line=fill, width=_RING),)
    length = hypot(x1 - x0, y1 - y0)
    across, down = (x1 - x0) / length, (y1 - y0) / length
    length -= _SHORT
    neck, thick, head = length - _HEAD, _THICK / 2, _HEAD / 2
    outline = (
        *((_APART, -thick), (neck, -thick), (neck, -head), (length, 0)),
        *((neck, head), (neck, thick), (_APART, thick)),
    )
    points = (
        f"{x0 + along * across - aside * down:.2f} {y0 + along * down + aside * across:.2f}"
        for along, aside in outline
    )
    return (Shape(f"M{' '.join(points)}Z", fill, _OPACITY, edge, 2),)
