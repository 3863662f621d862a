"""Safe standard streams: always open, and able to encode any text."""

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
"""ASCII substitutes for our characters that an encoding lacks."""

_UNABLE: Final = ("strict", "surrogateescape")
"""Python's default error handlers, which raise for characters an encoding lacks."""


def prepare() -> None:
    """Make sure that the three standard streams exist and encode any text."""
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
    """Codec error handler: replace the first character that the encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    if plain := _PLAIN.get(error.object[error.start]):
        return plain, error.end
    return otherwise(error)


def _stand_in() -> None:
    """Replace streams that were closed before the program began.

    Their file descriptors must be taken, or a file opened later would get one and be written to
    like the screen.  The replacements of input and output have the wrong mode, so that they fail
    only when used; errors are discarded.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)


def flush_or_discard() -> None:
    """Flush the output, or discard it, so that Python cannot fail to do so at exit."""
    for stream in sys.stdout, sys.stderr:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
