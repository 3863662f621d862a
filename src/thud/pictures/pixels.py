"""PNG and GIF pictures; Pillow is imported when one is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from thud.extras import how_to_get
from thud.pictures.captions import caption_lines
from thud.pictures.drawings import USUAL, Design
from thud.pictures.layout import Arrow, layers
from thud.rules.geometry import Mask
from thud.rules.position import Move, Position

if TYPE_CHECKING:
    from PIL import Image


_FRAME: Final = 900
_LAST_FRAME: Final = 3000
"""Duration of a GIF's frames, and of the last one, in milliseconds."""

_LONGEST: Final = 655_350
"""Longest duration of a GIF's frame, in milliseconds: it has 16 bits of hundredths."""


class PicturesUnavailable(ValueError):
    """Pillow is not installed."""


class Frame(NamedTuple):
    """A frame: position, last move, caption, arrows."""

    position: Position
    last: Move | None = None
    caption: str = ""
    arrows: tuple[Arrow, ...] = ()


def write_gif(
    file: BinaryIO,
    frames: Sequence[Frame],
    *,
    flipped: bool = False,
    goals: Mask = 0,
    design: Design = USUAL,
) -> None:
    """Write frames as an endless animated GIF, 480 pixels wide.

    Args:
        file: the output.
        frames: the frames; equal ones in a row are merged.
        flipped: turn the board round, rank 15 at the top.
        goals: squares to tint.
        design: the design.

    Raises:
        PicturesUnavailable: Pillow is not installed.
        ValueError: there are no frames.
        OSError: the file cannot be written.
    """
    if not frames:
        raise ValueError("an animated GIF needs a position")
    durations = [_FRAME] * (len(frames) - 1) + [_LAST_FRAME]
    captions = [caption_lines(frame.caption) for frame in frames]
    try:
        from thud.pictures.gif import write_frames
        from thud.pictures.raster import Raster
    except ImportError as error:
        raise PicturesUnavailable(
            f"an animated GIF needs an extra: {how_to_get('pictures')}"
        ) from error
    raster = Raster(captions, flipped, design=design)

    def merged() -> Iterator[tuple[Image.Image, int]]:
        held, longer = None, 0
        for frame, lines, time in zip(frames, captions, durations, strict=True):
            image = raster.frame(layers(frame.position, frame.last, goals), lines, frame.arrows)
            if held and held.tobytes() == image.tobytes() and longer + time <= _LONGEST:
                longer += time
                continue
            if held:
                yield held, longer
            held, longer = image, time
        if held:
            yield held, longer

    write_frames(file, merged())


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
        file: the output.
        frame: the frame.
        flipped: turn the board round, rank 15 at the top.
        goals: squares to tint.
        design: the design.

    Raises:
        PicturesUnavailable: Pillow is not installed.
        OSError: the file cannot be written.
    """
    try:
        from thud.pictures.raster import WHOLE, Raster
    except ImportError as error:
        needs = f"a PNG image needs an extra: {how_to_get('pictures')}"
        raise PicturesUnavailable(needs) from error
    lines = caption_lines(frame.caption)
    raster = Raster([lines], flipped, WHOLE, design)
    image = raster.drawn(layers(frame.position, frame.last, goals), lines, frame.arrows)
    image.save(file, "PNG", optimize=True)
