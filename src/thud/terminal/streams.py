"""The standard streams made safe: always there, and able to write any text."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

_Replacement: TypeAlias = tuple[str | bytes, int]

_PLAIN: Final = {
    "–": "-",
    "·": "-",
    "×": "x",
    "±": "+-",
    "½": " 1/2",
    "…": "...",
    "“": '"',
    "”": '"',
}
"""Plain substitutes for our signs that an encoding lacks."""

_UNABLE: Final = ("strict", "surrogateescape")
"""How Python treats what an encoding lacks where nobody has said otherwise: it raises."""


def prepare() -> None:
    """Make the three standard streams exist and encode any text."""
    _stand_in()
    for name, otherwise in (
        ("thud.replaced", codecs.replace_errors),
        ("thud.escaped", codecs.backslashreplace_errors),
    ):
        codecs.register_error(name, partial(_written_plainly, otherwise))
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in _UNABLE:
        sys.stdout.reconfigure(errors="thud.replaced")
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr.errors == "backslashreplace":
        sys.stderr.reconfigure(errors="thud.escaped")


def _written_plainly(
    otherwise: Callable[[UnicodeError], _Replacement], error: UnicodeError
) -> _Replacement:
    """Return what stands for the first letter that the encoding lacks, as codecs ask for it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    if plain := _PLAIN.get(error.object[error.start]):
        return plain, error.end
    return otherwise(error)


def _stand_in() -> None:
    """Put something in the place of streams that were closed before the program began.

    Their numbers are taken, so that no file that is opened later gets them and is written to as
    if it were the screen.  Input that is only written to, and output that is only read from, fail
    when they are used, and only then; of complaints that nobody can read none is made.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)


def let_go() -> None:
    """Have nothing left to be written at exit, where Python would complain that it cannot be."""
    for stream in sys.stdout, sys.stderr:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
