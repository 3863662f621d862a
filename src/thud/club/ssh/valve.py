"""What flows while nothing speaks against it."""

from __future__ import annotations

from collections.abc import Callable


class Valve:
    """Shut as long as there is a reason, or several.

    Args:
        shut: called when the first reason comes up.
        opened: called when the last has gone.
    """

    def __init__(self, shut: Callable[[], object], opened: Callable[[], object]) -> None:
        self._shut = shut
        self._opened = opened
        self._reasons: set[str] = set()

    def hold(self, reason: str) -> None:
        """Shut it, if it is open."""
        before = bool(self._reasons)
        self._reasons.add(reason)
        if not before:
            self._shut()

    def free(self, reason: str) -> None:
        """Take a reason back."""
        if reason in self._reasons:
            self._reasons.discard(reason)
            if not self._reasons:
                self._opened()
