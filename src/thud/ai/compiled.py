"""The C interface of the compiled core (core/src/ffi.rs), called with ctypes.

Only what has found a library loads this; see `thud.ai.core`.
"""

from __future__ import annotations

from ctypes import CDLL, POINTER, Array, Structure, byref, c_char_p, c_int32, c_uint32, c_uint64
from threading import Thread
from typing import Final

from thud.rules.geometry import Mask
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

INTERFACE: Final = 1
"""The version of the interface that is spoken here."""

_NUMBERS: Final = {"classic": 0, "single": 1, "koom": 2, "football": 3}
_OK: Final = 0
_WORD: Final = (1 << 64) - 1


class _Position(Structure):
    """A position: masks in four words, the lowest first, the stone's square, 1 for the trolls."""

    _fields_ = (
        ("dwarfs", c_uint64 * 4),
        ("trolls", c_uint64 * 4),
        ("stone", c_uint32),
        ("side", c_uint32),
    )


class Core:
    """The compiled core.

    Args:
        library: the shared library.

    Raises:
        AttributeError: it is a library of something else.
        OSError: it speaks another version of the interface.
    """

    def __init__(self, library: CDLL) -> None:
        library.thud_interface.argtypes = ()
        if library.thud_interface() != INTERFACE:
            raise OSError(f"its interface is {library.thud_interface()}, not {INTERFACE}")
        library.thud_version.argtypes = ()
        library.thud_version.restype = c_char_p
        self.version: str = library.thud_version().decode("ascii", "replace")
        library.thud_perft.argtypes = (
            c_int32,
            POINTER(_Position),
            c_uint32,
            c_uint32,
            POINTER(c_int32),
            POINTER(c_uint64),
        )
        self._library = library

    def perft(self, variant: Variant, position: Position, depth: int, threads: int) -> int | None:
        """Count the sequences of legal moves; None for what the core does not know.

        The count runs apart from the main thread, which alone hears of Ctrl+C and then ends it.
        """
        asked = _position(position)
        if VARIANTS.get(variant.name) is not variant or asked is None:
            return None
        stop, count, status = c_int32(), c_uint64(), -1

        def work() -> None:
            nonlocal status
            number = _NUMBERS[variant.name]
            status = self._library.thud_perft(
                number, byref(asked), depth, threads, byref(stop), byref(count)
            )

        worker = Thread(target=work, daemon=True)
        worker.start()
        try:
            worker.join()
        except BaseException:
            stop.value = 1
            raise
        return count.value if status == _OK else None


def _position(position: Position) -> _Position | None:
    """Return a position for the interface, None if it has no room there."""
    dwarfs, trolls, stone, to_move = position
    if not (0 <= dwarfs | trolls < 1 << 256 and 0 <= stone < 256):
        return None
    return _Position(_words(dwarfs), _words(trolls), stone, to_move is Side.TROLLS)


def _words(mask: Mask) -> Array[c_uint64]:
    return (c_uint64 * 4)(*(mask >> 64 * place & _WORD for place in range(4)))
