"""A position as a picture in pixels."""

from __future__ import annotations

from typing import BinaryIO

from thud.extras import how_to_get
from thud.pictures.captions import caption_lines
from thud.pictures.design import USUAL, Design
from thud.pictures.gif import Frame, PicturesUnavailable
from thud.pictures.layout import layers
from thud.rules.geometry import Mask


def write_png(
    file: BinaryIO,
    frame: Frame,
    *,
    flipped: bool = False,
    goals: Mask = 0,
    design: Design = USUAL,
) -> None:
    """Write one frame as a PNG, 960 pixels wide.

    Args:
        file: where to.
        frame: what to show.
        flipped: turn the board round, rank 15 at the top.
        goals: squares to tint.
        design: how it looks.

    Raises:
        PicturesUnavailable: Pillow is not installed.
        OSError: the file cannot be written.
    """
    try:
        from thud.pictures.raster import WHOLE, Raster
    except ImportError as error:
        raise PicturesUnavailable(
            f"a picture as .png needs Pillow: {how_to_get('pictures')}"
        ) from error
    lines = caption_lines(frame.caption)
    raster = Raster([lines], flipped, WHOLE, design)
    image = raster.drawn(layers(frame.position, frame.last, goals), lines, frame.arrows)
    image.save(file, "PNG", optimize=True)
