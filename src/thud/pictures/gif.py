"""A streaming GIF encoder, with Pillow; import it lazily.

Pillow itself would hold all frames in memory, 1.3 GB for a battle of 5,000 moves; here there are
two at a time.  The format: https://www.w3.org/Graphics/GIF/spec-gif89a.txt
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import BinaryIO, Final

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata

_TABLE: Final = 768
"""Bytes of a colour table of 256 colours."""

_SIZES: Final = 0b1_111_0_111
"""Header flags: one global table of 256 colours, eight bits each."""

_FOR_EVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_END: Final = b";"
_STAYS: Final = 1
"""GIF disposal method: the next frame is drawn over this one."""

_UNCHANGED: Final = 255
"""The transparent colour, which shows the frame before; frames use only those below it."""

_WHERE_EQUAL: Final = [255] + [0] * 255


def write_frames(file: BinaryIO, frames: Iterable[tuple[Image.Image, int]]) -> None:
    """Write frames with their durations in milliseconds, as an endless loop.

    All frames have the same size and palette, of at most 255 colours.
    """
    before: Image.Image | None = None
    for frame, time in frames:
        colours = Image.frombytes("L", frame.size, frame.tobytes())  # as indices
        if before is None:
            size = struct.pack("<HHBBB", *frame.size, _SIZES, 0, 0)
            palette = bytes(frame.getpalette() or ()).ljust(_TABLE, b"\0")
            file.write(b"GIF89a" + size + palette + _FOR_EVER)
            file.writelines(getdata(colours, duration=time, disposal=_STAYS))
        else:
            # Only the part that differs from the frame before.
            difference = ImageChops.difference(colours, before)
            box = difference.getbbox() or (0, 0, 1, 1)
            part = colours.crop(box)
            part.paste(_UNCHANGED, mask=difference.crop(box).point(_WHERE_EQUAL))
            file.writelines(
                getdata(part, box[:2], duration=time, disposal=_STAYS, transparency=_UNCHANGED)
            )
        before = colours
    file.write(_END)
