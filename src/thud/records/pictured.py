"""Pictures of records: a position as SVG or PNG, a battle as GIF."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from thud.pictures import palette
from thud.pictures.drawings import Design, carved
from thud.pictures.layout import Arrow
from thud.pictures.pixels import Frame, write_gif, write_png
from thud.pictures.svg import board_svg
from thud.records.record import Record
from thud.records.tree import Excerpt
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.words.match import with_side


def svg_text(record: Record, excerpt: Excerpt) -> str:
    """Return a picture of a position in a match as an SVG document.

    Raises:
        InvalidRecord: the match has no such position.
    """
    *_, frame = _frames(record, excerpt)
    return board_svg(
        frame.position,
        last=frame.last,
        caption=frame.caption,
        flipped=excerpt.flipped,
        goals=record.variant.goals,
        arrows=frame.arrows,
        design=_design(record, excerpt),
    )


def write_picture(file: BinaryIO, record: Record, excerpt: Excerpt) -> None:
    """Write a picture of a position in a match as PNG.

    Raises:
        InvalidRecord: the match has no such position.
        PicturesUnavailable: Pillow is not installed.
    """
    *_, frame = _frames(record, excerpt)
    goals, design = record.variant.goals, _design(record, excerpt)
    write_png(file, frame, flipped=excerpt.flipped, goals=goals, design=design)


def write_battle(file: BinaryIO, record: Record, excerpt: Excerpt) -> None:
    """Write a battle, up to a position in it, as an animated GIF.

    Raises:
        InvalidRecord: the match has no such position.
        PicturesUnavailable: Pillow is not installed.
    """
    frames = list(_frames(record, excerpt))
    goals, design = record.variant.goals, _design(record, excerpt)
    write_gif(file, frames, flipped=excerpt.flipped, goals=goals, design=design)


def _design(record: Record, excerpt: Excerpt) -> Design:
    return excerpt.design or carved(record.variant.stone)


def _frames(record: Record, excerpt: Excerpt) -> Iterator[Frame]:
    """Yield a frame for every position up to the excerpt's."""
    cursor = excerpt.of(record)
    players = " – ".join(map(with_side, cursor.commanders, Side))
    for place in map(cursor.to, range(cursor.ply + 1)):
        caption = players
        arrows = [Arrow(*shape, palette.NOTED) for shape in place.annotation.shapes]
        if place.before and place.move:
            turn, text = place.battle.turn(place.ply - 1), move_text(place.before, place.move)
            caption += f" · {turn}. {text}"
            arrows += [Arrow.of(place.move)] if excerpt.arrow else []
        if excerpt.advised and place.ply == cursor.ply:
            arrows.append(Arrow.of(excerpt.advised, advises=True))
        yield Frame(place.position, place.move, caption, tuple(arrows))
