"""What the terminal is told besides the picture: the bell, its title, and notifications."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from textual.app import App

_NO_TITLE: Final = ("linux", "dumb", "cons25")
_NOTIFIERS: Final = ("iTerm.app", "WezTerm", "ghostty", "Hyper", "rio")
_NOTIFIER_TERMS: Final = ("xterm-kitty", "xterm-ghostty", "foot", "wezterm", "rxvt")
_SAVE_TITLE: Final = "\x1b[22;0t"
_RESTORE_TITLE: Final = "\x1b[23;0t"


def ring(app: App[object]) -> None:
    """Ring the terminal's bell."""
    app.bell()


def save_title(app: App[object]) -> None:
    """Have the terminal remember the title that its window has."""
    if _has_title(os.environ):
        _write(app, _SAVE_TITLE)


def restore_title(app: App[object]) -> None:
    """Give the window the title again that it had."""
    if _has_title(os.environ):
        _write(app, _RESTORE_TITLE)


def set_title(app: App[object], text: str) -> None:
    """Put a text into the title of the terminal's window."""
    if _has_title(os.environ):
        _write(app, f"\x1b]2;{_plain(text)}\x07")


def notify(app: App[object], text: str) -> None:
    """Let the terminal notify its user, if it is one of those that can."""
    if has_notifications(os.environ):
        _write(app, f"\x1b]9;{_plain(text)}\x07")


def has_notifications(environ: Mapping[str, str]) -> bool:
    """Say whether the terminal is known to show notifications (OSC 9)."""
    program, term = environ.get("TERM_PROGRAM", ""), environ.get("TERM", "")
    return program in _NOTIFIERS or term.startswith(_NOTIFIER_TERMS)


def _has_title(environ: Mapping[str, str]) -> bool:
    return not environ.get("TERM", "dumb").startswith(_NO_TITLE)


def _plain(text: str) -> str:
    return "".join(each for each in text if each.isprintable())


def _write(app: App[object], codes: str) -> None:
    # Textual has no public way to send a terminal what it does not know itself.
    if app._driver is not None and not app.is_headless:
        app._driver.write(codes)
