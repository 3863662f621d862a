"""Which screens have a position at hand."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from thud.rules.setup import Setup


@runtime_checkable
class ShowsPosition(Protocol):
    """A screen that shows a position of a game."""

    @property
    def at_hand(self) -> Setup:
        """The position, to be changed elsewhere."""
