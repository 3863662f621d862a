"""PNG pictures."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from thud.pictures.pixels import Frame, write_png
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS


def drawn(frame: Frame, **how: Any) -> Image.Image:
    file = BytesIO()
    write_png(file, frame, **how)
    file.seek(0)
    return Image.open(file).convert("RGB")


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_a_picture_is_as_large_as_the_vector_drawing_and_shows_every_piece(name: str) -> None:
    variant = VARIANTS[name]
    image = drawn(Frame(variant.start, None, "The start"))
    assert image.width == 960
    empty = drawn(Frame(variant.start._replace(dwarfs=0), None, "The start"))
    assert image.size == empty.size
    assert image.tobytes() != empty.tobytes()


@pytest.mark.usefixtures("rough")
def test_a_move_and_a_turned_board_are_seen() -> None:
    classic = VARIANTS["classic"]
    move = parse_move(classic, classic.start, "dF1-F5")
    after = classic.start.after(move)
    pictures = [
        drawn(Frame(after)),
        drawn(Frame(after, move)),
        drawn(Frame(after, move), flipped=True),
    ]
    assert {each.width for each in pictures} == {960}
    assert len({each.tobytes() for each in pictures}) == len(pictures)
