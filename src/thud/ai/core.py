"""Finds and loads the compiled core, if `thud-core` of this version is installed.

Its library is loaded to see whether it fits, which takes a few milliseconds; `thud.ai.compiled`,
with the tables of all games, only by whoever searches or counts.  `THUD_CORE=off` plays without it,
`THUD_CORE=required` does not play without it; otherwise it is used if it can be.
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
"""The version of the C interface that is spoken here (core/src/ffi.rs)."""

_ELF: Final = b"\x7fELF\x02"
_LOADED: Final = 1


class _Choice(NamedTuple):
    """Which search is in use, and why."""

    library: CDLL | None
    """The core's library, None where the Python searches."""
    told: str
    """Which search is in use, in half a sentence."""
    unfit: bool = False
    """Whether there is a core that cannot be used."""


def compiled() -> Core | None:
    """Return the compiled core, None where the Python searches.

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
    """Say on standard error that an installed core cannot be used, if that is so.

    Raises:
        ValueError: a core is required and there is none that can be used.
    """
    chosen = _choice()
    if chosen.unfit:
        print(f"thud: using the {chosen.told}", file=sys.stderr, flush=True)


def complaint() -> str:
    """Return why a core that is installed or required is not used, "" where all is as it should be.

    This takes a few milliseconds at most.
    """
    try:
        chosen = _choice()
    except ValueError as error:
        return str(error)
    return f"using the {chosen.told}" if chosen.unfit else ""


def told() -> str:
    """Say what searches here: `"compiled core 0.1.0"`."""
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
    """Look for the core, and load it if it fits."""
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
    """Load a library, and see whether it is of this version.

    Raises:
        OSError: it is no library of this platform, or not a whole one.
        AttributeError: it is a library of something else.
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
    """Refuse an ELF file whose end is missing: loading it would end the process.

    Raises:
        OSError: some of what would be loaded is not there.
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
