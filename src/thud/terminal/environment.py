"""Terminal capabilities from environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_UNDRAWABLE: Final = ("dumb", "unknown")
_POOR: Final = (*_UNDRAWABLE, "linux", "ansi", "cons25")
_OLD: Final = ("vt", "sun", "wyse")
_WIDE_LOCALES: Final = ("zh", "ja", "ko")


def glyphs_in_doubt(environ: Mapping[str, str], encoding: str) -> bool:
    """Say whether a terminal may lack the glyphs of the pieces, or draw them two columns wide.

    That is so without UTF-8, on consoles with few characters, and in East Asian locales, whose
    fonts give two columns to characters of ambiguous width (Unicode Standard Annex 11).

    Args:
        environ: the environment variables.
        encoding: that of the output.
    """
    term = environ.get("TERM", "")
    poor = term in _POOR or term.startswith(_OLD)
    return poor or not speaks_utf8(encoding) or locale_of(environ).startswith(_WIDE_LOCALES)


def can_be_drawn_on(environ: Mapping[str, str]) -> bool:
    """Say whether a terminal knows how to place characters, as far as its name tells.

    What draws takes one that does not for 80 columns by 25 rows, whatever it has: the board would
    be laid out again and again, each time for the other size.
    """
    return environ.get("TERM", "").lower() not in _UNDRAWABLE


def speaks_utf8(encoding: str) -> bool:
    """Say whether an encoding is UTF-8, however it is written."""
    return encoding.lower().replace("-", "").replace("_", "").startswith("utf8")


def locale_of(environ: Mapping[str, str]) -> str:
    """Return the locale of the characters, in the order in which the variables count."""
    names = "LC_ALL", "LC_CTYPE", "LANG"
    return next((environ[name] for name in names if environ.get(name)), "")


def intermediaries(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return what stands between the game and the terminal, as far as the environment tells."""
    signs = {"tmux": "TMUX", "screen": "STY", "ssh": "SSH_CONNECTION"}
    return tuple(name for name, variable in signs.items() if environ.get(variable))
