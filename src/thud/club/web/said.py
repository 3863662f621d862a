"""What a browser says: anybody may have written it, so that every value is looked at."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from thud.club.bounds import USUAL_SIZE
from thud.club.web.bounds import FEWEST_COLUMNS, FEWEST_LINES
from thud.club.web.packets import told, typed
from thud.tui.deployment import LARGEST

_WIDTHS: Final = (FEWEST_COLUMNS, LARGEST[0])
_HEIGHTS: Final = (FEWEST_LINES, LARGEST[1])
_NOT_UNDERSTOOD: Final = "What this browser says is not understood here."


class BadMessage(ValueError):
    """No page of ours says this."""


class Size(NamedTuple):
    """How large a board is, in cells, within bounds.

    Attributes:
        width: columns.
        height: lines.
    """

    width: int
    height: int


class Heard(NamedTuple):
    """What becomes of a message.

    Attributes:
        packet: for the process; empty if it is not told.
        acted: whether the visitor has done something.
        answer: for the browser; empty if there is none.
    """

    packet: bytes = b""
    acted: bool = False
    answer: str = ""


def hear(message: object) -> Heard:
    """Return what becomes of a message.

    Raises:
        BadMessage: it is not what our page says.
    """
    kind, value = _read(message)
    if kind == "stdin" and isinstance(value, str):
        return Heard(typed(value.encode("utf-8", "replace")), acted=True)
    if kind == "resize" and isinstance(value, dict):
        size = size_of(value.get("width"), value.get("height"))
        return Heard(told({"type": "resize", **size._asdict()}))
    if kind in {"focus", "blur"}:
        return Heard(told({"type": kind}))
    if kind == "ping" and isinstance(value, str) and len(value) < 32:
        return Heard(answer=json.dumps(["pong", value]))
    raise BadMessage(_NOT_UNDERSTOOD)


def size_of(width: object, height: object) -> Size:
    """Return a size within bounds; whatever is no whole number is what terminals usually have."""
    return Size(_within(width, _WIDTHS, USUAL_SIZE[0]), _within(height, _HEIGHTS, USUAL_SIZE[1]))


def _read(message: object) -> tuple[object, Any]:
    if not isinstance(message, str):
        raise BadMessage(_NOT_UNDERSTOOD)
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, list) and 1 <= len(found) <= 2 and isinstance(found[0], str)):
        raise BadMessage(_NOT_UNDERSTOOD)
    return found[0], found[1] if len(found) == 2 else None


def _within(value: object, bounds: tuple[int, int], usual: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 7:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return usual
    return min(max(value, bounds[0]), bounds[1])
