"""Tables by the stone's square, filled in as it moves about the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from thud.rules.geometry import Square

_Value = TypeVar("_Value")


class ByStone(dict[Square, _Value]):
    """What depends on the stone's square alone, worked out when the stone first stands there.

    Args:
        work_out: returns it for a square.
    """

    def __init__(self, work_out: Callable[[Square], _Value]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, stone: Square) -> _Value:
        self[stone] = value = self._work_out(stone)
        return value
