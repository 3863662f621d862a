"""Escape codes for the terminal's title and notifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NO_TITLE: Final = ("linux", "dumb", "cons25")
OUR_PAGE: Final = "thud-club"
"""TERM_PROGRAM of a club's web page."""

_NOTIFIERS: Final = ("iTerm.app", "WezTerm", "ghostty", "Hyper", "rio", OUR_PAGE)
_NOTIFIER_TERMS: Final = ("xterm-kitty", "xterm-ghostty", "foot", "wezterm", "rxvt")


def saved_title(environ: Mapping[str, str]) -> str:
    """Return the code to save the window title, empty if the terminal has none."""
    return "\x1b[22;0t" if _has_title(environ) else ""


def restored_title(environ: Mapping[str, str]) -> str:
    """Return the code to restore the saved window title."""
    return "\x1b[23;0t" if _has_title(environ) else ""


def title(environ: Mapping[str, str], text: str) -> str:
    """Return the code to set the window title (OSC 2)."""
    return f"\x1b]2;{_plain(text)}\x07" if _has_title(environ) else ""


def notification(environ: Mapping[str, str], text: str) -> str:
    """Return the code to notify the user (OSC 9), empty if not known to be supported."""
    program, term = environ.get("TERM_PROGRAM", ""), environ.get("TERM", "")
    supported = program in _NOTIFIERS or term.startswith(_NOTIFIER_TERMS)
    return f"\x1b]9;{_plain(text)}\x07" if supported else ""


def _has_title(environ: Mapping[str, str]) -> bool:
    return not environ.get("TERM", "dumb").startswith(_NO_TITLE)


def _plain(text: str) -> str:
    """Return a text without control characters, which could end the code or begin another."""
    return "".join(filter(str.isprintable, text))
