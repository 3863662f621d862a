"""Finds and loads the compiled core, if `thud-core` of this version is installed.

The library is loaded to check its version, which takes a few milliseconds; `thud.ai.compiled`, with
the tables of all games, is imported only to search or count.  `THUD_CORE=off` never uses the core,
`THUD_CORE=required` insists on it; otherwise it is used if possible.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from thud import __version__

if TYPE_CHECKING:
    from ctypes import CDLL
    from pathlib import Path

    from thud.ai.compiled import Core

VARIABLE: Final = "THUD_CORE"
OFF: Final = "off"
REQUIRED: Final = "required"

INTERFACE: Final = 2
"""The C interface's version used here (core/src/ffi.rs)."""

_ELF: Final = b"\x7fELF\x02"
_LOADED: Final = 1


class _Choice(NamedTuple):
    """The search in use, and why."""

    library: CDLL | None
    """The core's library, None for the Python search."""
    told: str
    """The search in use, in half a sentence."""
    unfit: bool = False
    """Whether a core is installed that cannot be used."""


def compiled() -> Core | None:
    """Return the compiled core, None for the Python search.

    Raises:
        ValueError: a core is required and there is none that can be used.
    """
    library = _choice().library
    return None if library is None else _core(library)


@cache
def _core(library: CDLL) -> Core:
    from thud.ai.compiled import Core

    return Core(library)


def warn() -> None:
    """Warn on standard error if an installed core cannot be used.

    Raises:
        ValueError: a core is required and there is none that can be used.
    """
    chosen = _choice()
    if chosen.unfit:
        print(f"thud: using the {chosen.told}", file=sys.stderr, flush=True)


def complaint() -> str:
    """Return why an installed or required core is not used, empty if nothing is wrong.

    It takes a few milliseconds at most.
    """
    try:
        chosen = _choice()
    except ValueError as error:
        return str(error)
    return f"using the {chosen.told}" if chosen.unfit else ""


def told() -> str:
    """Return the search in use, such as `"compiled core 0.1.0"`."""
    try:
        return _choice().told
    except ValueError as error:
        return str(error)


def _choice() -> _Choice:
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", OFF, REQUIRED):
        raise ValueError(f"{VARIABLE} is {OFF!r}, {REQUIRED!r} or not set, not {wanted!r}")
    if wanted == OFF:
        return _Choice(None, f"Python search, because of {VARIABLE}={OFF}")
    found = _found()
    if wanted == REQUIRED and found.library is None:
        raise ValueError(f"{VARIABLE} is {REQUIRED!r}, and there is only the {found.told}")
    return found


@cache
def _found() -> _Choice:
    """Find the core, and load it if its version fits."""
    try:
        from thud_core import LIBRARY
    except ImportError as error:
        if getattr(error, "name", None) == "thud_core":
            return _Choice(None, f"Python search; {_how_to_get()}")
        return _unfit(f"cannot be imported: {error}")
    try:
        return _loaded(LIBRARY)
    except (OSError, AttributeError) as error:
        return _unfit(f"cannot be loaded: {' '.join(str(error).split())}")


def _how_to_get() -> str:
    if hasattr(sys, "frozen"):
        return "this single file has no compiled core"
    return "'pip install ./core' in a copy of the source adds the compiled core"


def _unfit(why: str) -> _Choice:
    return _Choice(None, f"Python search; the compiled core {why}", unfit=True)


def _loaded(path: Path) -> _Choice:
    """Load a library, and check its version.

    Raises:
        OSError: it is not for this platform, or truncated.
        AttributeError: it is another library.
    """
    from ctypes import CDLL, c_char_p

    _refuse_parts(path)
    library = CDLL(str(path))
    library.thud_interface.argtypes = library.thud_version.argtypes = ()
    library.thud_version.restype = c_char_p
    if (spoken := library.thud_interface()) != INTERFACE:
        return _unfit(f"has version {spoken} of the interface instead of {INTERFACE}")
    if (version := library.thud_version().decode("ascii", "replace")) != __version__:
        return _unfit(f"is version {version}, not {__version__}")
    return _Choice(library, f"compiled core {version}")


def _refuse_parts(path: Path) -> None:
    """Refuse a truncated ELF file: loading it would crash the process.

    Raises:
        OSError: a segment to be loaded is incomplete.
    """
    from struct import error, unpack_from

    data = path.read_bytes()
    if data[:5] != _ELF:
        return
    try:
        (start,), (size, number) = unpack_from("<Q", data, 32), unpack_from("<HH", data, 54)
        segments = [unpack_from("<II4Q", data, start + size * place) for place in range(number)]
    except error:
        raise OSError("the file is not whole") from None
    if any(kind == _LOADED and at + length > len(data) for kind, _, at, _, _, length in segments):
        raise OSError("the file is not whole")
