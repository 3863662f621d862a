"""Pictures of records: a position as SVG, a battle as a moving picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from thud.pictures.gif import Frame, write_gif
from thud.pictures.svg import board_svg
from thud.records.excerpt import Excerpt, Place
from thud.records.record import Record
from thud.rules.notation import move_text


def svg_text(record: Record, excerpt: Excerpt) -> str:
    """Return a picture of a place in a match as an SVG document.

    Raises:
        InvalidRecord: the match has no such place.
    """
    *_, frame = _frames(record, excerpt.place(record))
    return board_svg(
        frame.position,
        last=frame.last,
        caption=frame.caption,
        flipped=excerpt.flipped,
        goals=record.variant.goals,
    )


def write_battle(file: BinaryIO, record: Record, excerpt: Excerpt) -> None:
    """Write a battle, as far as a place in it, as a moving picture.

    Raises:
        InvalidRecord: the match has no such place.
        PicturesUnavailable: Pillow is not installed.
    """
    frames = list(_frames(record, excerpt.place(record)))
    write_gif(file, frames, flipped=excerpt.flipped, goals=record.variant.goals)


def _frames(record: Record, place: Place) -> Iterator[Frame]:
    """Yield every position as far as a place, with the players and the move that led there."""
    battle, number, ply = place
    dwarfs, trolls = record.commanders(number)
    who = f"{dwarfs} (dwarfs) – {trolls} (trolls)"
    before = battle.start
    yield Frame(before, None, who)
    for turn, move in enumerate(islice(battle.moves, ply)):
        caption = f"{who} · {battle.turn(turn)}. {move_text(before, move)}"
        before = before.after(move)
        yield Frame(before, move, caption)
