"""Pictures of records: a position as SVG, a battle as a moving picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from thud.pictures.gif import Frame, write_gif
from thud.pictures.png import write_png
from thud.pictures.svg import board_svg
from thud.records.cursor import Cursor
from thud.records.excerpt import Excerpt
from thud.records.record import Record
from thud.rules.notation import move_text


def svg_text(record: Record, excerpt: Excerpt) -> str:
    """Return a picture of a place in a match as an SVG document.

    Raises:
        InvalidRecord: the match has no such place.
    """
    *_, frame = _frames(excerpt.of(record))
    return board_svg(
        frame.position,
        last=frame.last,
        caption=frame.caption,
        flipped=excerpt.flipped,
        goals=record.variant.goals,
    )


def write_picture(file: BinaryIO, record: Record, excerpt: Excerpt) -> None:
    """Write a picture of a place in a match, in pixels.

    Raises:
        InvalidRecord: the match has no such place.
        PicturesUnavailable: Pillow is not installed.
    """
    *_, frame = _frames(excerpt.of(record))
    write_png(file, frame, flipped=excerpt.flipped, goals=record.variant.goals)


def write_battle(file: BinaryIO, record: Record, excerpt: Excerpt) -> None:
    """Write a battle, as far as a place in it, as a moving picture.

    Raises:
        InvalidRecord: the match has no such place.
        PicturesUnavailable: Pillow is not installed.
    """
    frames = list(_frames(excerpt.of(record)))
    write_gif(file, frames, flipped=excerpt.flipped, goals=record.variant.goals)


def _frames(cursor: Cursor) -> Iterator[Frame]:
    """Yield every position as far as a place, with the players and the move that led there."""
    dwarfs, trolls = cursor.commanders
    who = f"{dwarfs} (dwarfs) – {trolls} (trolls)"
    yield Frame(cursor.positions[0], None, who)
    for place in map(cursor.to, range(1, cursor.ply + 1)):
        assert place.before
        assert place.move
        turn, text = cursor.battle.turn(place.ply - 1), move_text(place.before, place.move)
        yield Frame(place.position, place.move, f"{who} · {turn}. {text}")
