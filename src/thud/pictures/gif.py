"""A battle as a moving picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from thud.pictures.captions import caption_lines
from thud.pictures.layout import layers
from thud.rules.geometry import Mask
from thud.rules.position import Move, Position

if TYPE_CHECKING:
    from PIL import Image

    from thud.pictures.raster import Raster

_LONGEST: Final = 655_350
"""The longest a GIF shows one frame, in milliseconds: it counts hundredths in sixteen bits."""


class PicturesUnavailable(ValueError):
    """The library that draws moving pictures is not installed."""


class Frame(NamedTuple):
    """One picture of a moving one: a position, the move that led to it, a caption."""

    position: Position
    last: Move | None = None
    caption: str = ""


def write_gif(
    file: BinaryIO,
    frames: Sequence[Frame],
    *,
    milliseconds: int = 900,
    last_milliseconds: int = 3000,
    flipped: bool = False,
    goals: Mask = 0,
) -> None:
    """Write frames as an animated GIF that repeats for ever, 480 pixels wide.

    Args:
        file: where to.
        frames: what to show; equal frames in a row become a longer one.
        milliseconds: how long each frame is shown, in steps of ten.
        last_milliseconds: how long the last one is shown.
        flipped: turn the board round, rank 15 at the top.
        goals: squares to tint.

    Raises:
        PicturesUnavailable: Pillow is not installed.
        ValueError: there are no frames, or a time no GIF can have.
        OSError: the file cannot be written.
    """
    if not frames:
        raise ValueError("a moving picture needs at least one position")
    for time in (milliseconds, last_milliseconds):
        if not 10 <= time <= _LONGEST:
            raise ValueError(f"a frame is shown for 10 to {_LONGEST} milliseconds, not {time}")
    durations = [milliseconds] * (len(frames) - 1) + [last_milliseconds]
    captions = [caption_lines(frame.caption) for frame in frames]
    raster = _raster(captions, flipped)
    images = (
        raster.frame(layers(position, last, goals), lines)
        for (position, last, _), lines in zip(frames, captions, strict=True)
    )
    _write(file, images, durations)


def _raster(captions: list[list[str]], flipped: bool) -> Raster:
    try:
        from thud.pictures.raster import Raster
    except ImportError as error:
        raise PicturesUnavailable("a moving picture needs Pillow: pip install pillow") from error
    return Raster(captions, flipped)


def _write(file: BinaryIO, images: Iterator[Image.Image], durations: list[int]) -> None:
    next(images).save(
        file,
        "GIF",
        save_all=True,
        append_images=images,
        duration=durations,
        loop=0,
        optimize=True,
    )
