"""A position as a standalone SVG picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from thud.pictures import palette
from thud.pictures.captions import caption_lines
from thud.pictures.drawings import USUAL, Design, Layer
from thud.pictures.layout import (
    CAPTION_SIZE,
    CELL,
    LABEL_SIZE,
    WIDTH,
    Arrow,
    Label,
    arrow_drawing,
    caption_labels,
    corner,
    height,
    labels,
    layers,
    table,
)
from thud.pictures.shapes import Shape
from thud.rules.geometry import Mask
from thud.rules.position import Move, Position

_SCALE: Final = CELL / 100


def board_svg(
    position: Position,
    *,
    last: Move | None = None,
    caption: str = "",
    flipped: bool = False,
    goals: Mask = 0,
    arrows: Sequence[Arrow] = (),
    design: Design = USUAL,
) -> str:
    """Draw a position as an SVG document, deterministically.

    Args:
        position: the position.
        last: the last move: its squares are marked, its captures crossed out.
        caption: up to two lines below the board; untrusted text is cleaned, cut and escaped.
        flipped: turn the board round, rank 15 at the top.
        goals: squares to tint.
        arrows: drawn on top.
        design: the design.
    """
    lines = caption_lines(caption)
    on_squares = layers(position, last, goals)
    used = [layer for layer in Layer if any(layer in on for on in on_squares.values())]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height(len(lines))}"'
        f' width="{WIDTH}" height="{height(len(lines))}" role="img" font-family="sans-serif"'
        ' text-anchor="middle" stroke-linejoin="round" stroke-linecap="round">',
        f"<title>{escape(' '.join(lines) or 'A position of Thud')}</title>",
        "<defs>",
        *(
            f'<g id="thud-{layer.value}" transform="scale({_SCALE:g})">'
            f"{''.join(map(_element, design.of(layer)))}</g>"
            for layer in used
        ),
        "</defs>",
        *map(_element, design.painted(table(len(lines)))),
    ]
    for layer in used:
        parts.append(f'<g class="{layer.value}">')
        for square, on in on_squares.items():
            if layer in on:
                x, y = corner(square, flipped)
                parts.append(f'<use href="#thud-{layer.value}" x="{x}" y="{y}"/>')
        parts.append("</g>")
    parts += [_element(shape) for arrow in arrows for shape in arrow_drawing(arrow, flipped)]
    parts += _texts(labels(flipped), "labels", LABEL_SIZE, design.colour(palette.LABEL))
    below, colour = caption_labels(lines), design.colour(palette.CAPTION)
    parts += _texts(below, "caption", CAPTION_SIZE, colour)
    return "\n".join([*parts, "</svg>", ""])


def _element(shape: Shape) -> str:
    fill = shape.fill or "none"
    opacity = f' fill-opacity="{shape.opacity:g}"' if shape.opacity < 1 else ""
    line = f' stroke="{shape.line}" stroke-width="{shape.width:g}"' if shape.line else ""
    return f'<path d="{shape.path}" fill="{fill}"{opacity}{line}/>'


def _texts(texts: Iterable[Label], name: str, size: int, colour: str) -> Iterator[str]:
    yield f'<g class="{name}" font-size="{size}" fill="{colour}">'
    for text, x, y in texts:
        yield f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>'
    yield "</g>"
