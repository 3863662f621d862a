"""Terminal capabilities from environment variables."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Final

_UNDRAWABLE: Final = ("dumb", "unknown")
_POOR: Final = (*_UNDRAWABLE, "linux", "ansi", "cons25")
_OLD: Final = ("vt", "sun", "wyse")
_COLOURFUL: Final = (
    *("alacritty", "contour", "foot", "ghostty", "iterm2", "kitty", "mintty", "ms-terminal", "rio"),
    *("wezterm", "xterm-ghostty", "xterm-kitty"),
)
"""What the names of terminals begin with that have all colours."""

_WIDE_LOCALES: Final = ("zh", "ja", "ko")


def glyphs_in_doubt(environ: Mapping[str, str], encoding: str) -> bool:
    """Whether a terminal may lack the glyphs of the pieces, or draw them two columns wide.

    That is so without UTF-8, on consoles with few characters, and in East Asian locales, whose
    fonts draw characters of ambiguous width in two columns (Unicode Standard Annex 11).

    Args:
        environ: the environment variables.
        encoding: the output's encoding.
    """
    term = environ.get("TERM", "")
    poor = term in _POOR or term.startswith(_OLD)
    return poor or not speaks_utf8(encoding) or locale_of(environ).startswith(_WIDE_LOCALES)


def can_be_drawn_on(environ: Mapping[str, str]) -> bool:
    """Whether a terminal can position characters, judging by its name.

    Rich takes a terminal that cannot as 80 columns by 25 rows, whatever its size: the board would
    be laid out again and again, for either size in turn.
    """
    return environ.get("TERM", "").lower() not in _UNDRAWABLE


def prepare_colours(environ: MutableMapping[str, str]) -> None:
    """Correct what Textual would take for a terminal's colours; call it before that is imported.

    Textual takes an empty `NO_COLOR` as set (https://no-color.org says otherwise), and terminals
    of names that it does not know for 16 colours, as over ssh, which leaves out `COLORTERM`.
    """
    if not environ.get("NO_COLOR"):
        environ.pop("NO_COLOR", None)
    term = environ.get("TERM", "").lower()
    if not environ.get("COLORTERM") and (term.startswith(_COLOURFUL) or term.endswith("-direct")):
        environ["COLORTERM"] = "truecolor"


def speaks_utf8(encoding: str) -> bool:
    """Whether an encoding is UTF-8, in any spelling."""
    return encoding.lower().replace("-", "").replace("_", "").startswith("utf8")


def locale_of(environ: Mapping[str, str]) -> str:
    """Return the character locale, from the first variable set in order of precedence."""
    names = "LC_ALL", "LC_CTYPE", "LANG"
    return next((environ[name] for name in names if environ.get(name)), "")


def intermediaries(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the known programs between the game and the terminal (tmux, screen, ssh)."""
    signs = {"tmux": "TMUX", "screen": "STY", "ssh": "SSH_CONNECTION"}
    return tuple(name for name, variable in signs.items() if environ.get(variable))
