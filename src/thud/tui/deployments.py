"""Where the app runs but for home: in a club, for terminals and browsers, and in a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from thud.terminal.cells import LARGEST
from thud.tui.actions import BY_ID, Door
from thud.tui.deployment import Delivery, Deployment

_OF_TEXTUAL: Final = {"screenshot", "suspend_process"}
"""Textual's own actions that are disabled away from home."""


def _off(door: Door) -> frozenset[str]:
    """Return the actions disabled behind a door."""
    ours = [each for each in BY_ID.values() if each.elsewhere.get(door, "") is None]
    return frozenset({each.runs if "(" in each.runs else each.name for each in ours} | _OF_TEXTUAL)


def _labels(door: Door) -> Mapping[str, str]:
    """Return the labels that are others behind a door, by the actions' ids."""
    found = ((each.id, each.elsewhere.get(door)) for each in BY_ID.values())
    return {name: label for name, label in found if label}


SSH: Final = Deployment(
    club=True,
    off=_off("ssh"),
    labels=_labels("ssh"),
    saving="read it as text",
    delivery=Delivery.TEXT,
    files=False,
    taps=True,
    tells_faults=False,
    largest=LARGEST,
)
"""A club, for visitors at terminals."""

WEB: Final = replace(
    SSH,
    off=_off("web"),
    labels=_labels("web"),
    saving="download it",
    delivery=Delivery.DOWNLOAD,
    draws_pieces=True,
    # The web page itself reports whether it could be copied.
    clipboard="your browser",
    # Behind a browser only the host of the club reads the output.
    tells_faults=True,
)
"""A club, for visitors in browsers."""

_NOT_SHOWN: Final = frozenset(
    {"review", "explore", "edit", "play_from", "evaluate", "hint", "learn", "picture"}
    | {"talk", "said", "who", "open", "new_match"}
)
"""Actions that need a computer, other files, or the people at the table."""

SHOWN_SSH: Final = replace(SSH, club=False, off=SSH.off | _NOT_SHOWN)
"""A club's table, for those at terminals to whom a link shows it."""

SHOWN_WEB: Final = replace(
    WEB,
    club=False,
    off=WEB.off | _NOT_SHOWN,
    labels=SSH.labels,
    saving=SSH.saving,
    delivery=SSH.delivery,
)
"""The same for those in browsers: without downloads, which need a visitor's cookie."""

PAGE: Final = replace(
    WEB,
    club=False,
    off=_off("page"),
    labels=_labels("page"),
)
"""A browser that runs the program itself."""
