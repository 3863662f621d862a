"""Escape codes for the terminal's title and notifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NO_TITLE: Final = ("linux", "dumb", "cons25")
OUR_PAGE: Final = "thud-club"
"""TERM_PROGRAM of a club's web page."""

_NOTIFIERS: Final = ("iTerm.app", "WezTerm", "ghostty", "Hyper", "rio", OUR_PAGE)
_NOTIFIER_TERMS: Final = ("xterm-kitty", "xterm-ghostty", "foot", "wezterm", "rxvt")
_SAVE_TITLE: Final = "\x1b[22;0t"
_RESTORE_TITLE: Final = "\x1b[23;0t"


def saved_title(environ: Mapping[str, str]) -> str:
    """Return the code to save the window title, empty if the terminal has none."""
    return _SAVE_TITLE if _has_title(environ) else ""


def restored_title(environ: Mapping[str, str]) -> str:
    """Return the code to restore the saved window title."""
    return _RESTORE_TITLE if _has_title(environ) else ""


def title(environ: Mapping[str, str], text: str) -> str:
    """Return the code to set the window title (OSC 2)."""
    return f"\x1b]2;{_plain(text)}\x07" if _has_title(environ) else ""


def notification(environ: Mapping[str, str], text: str) -> str:
    """Return the code to notify the user (OSC 9), empty if not known to be supported."""
    return f"\x1b]9;{_plain(text)}\x07" if _notifies(environ) else ""


def _notifies(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to show notifications."""
    program, term = environ.get("TERM_PROGRAM", ""), environ.get("TERM", "")
    return program in _NOTIFIERS or term.startswith(_NOTIFIER_TERMS)


def _has_title(environ: Mapping[str, str]) -> bool:
    return not environ.get("TERM", "dumb").startswith(_NO_TITLE)


def _plain(text: str) -> str:
    """Return a text without control characters, which could end the code or begin another."""
    return "".join(filter(str.isprintable, text))
