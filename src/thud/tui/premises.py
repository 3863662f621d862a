"""What may be done where the application runs: everything at home, less in a club."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from textual.app import App


class Premises(NamedTuple):
    """Where the application runs."""

    off: frozenset[str] = frozenset()
    """The actions that are not to be had."""
    files: bool = True
    """Whether files of this machine can be named; else nobody is told where anything is kept."""
    invites: bool = True
    """Whether others are told by lines to type how they come to a match."""
    taps: bool = False
    """Whether there may be no keys: everything has something to tap on."""

    def allows(self, action: str) -> bool:
        """Say whether an action is to be had, with or without where it is defined: `app.open`."""
        return action.partition("(")[0].rpartition(".")[2] not in self.off


HOME: Final = Premises()
"""One's own machine."""

CLUB: Final = Premises(
    off=frozenset({"open", "puzzle", "save", "screenshot", "suspend_process"}),
    files=False,
    invites=False,
    taps=True,
)
"""A machine where others are guests."""


def premises_of(app: App[Any]) -> Premises:
    """Return where an application runs: at home, if it does not know."""
    return getattr(app, "premises", HOME)
