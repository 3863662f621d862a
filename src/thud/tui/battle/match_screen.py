"""A screen with a match that can be saved, and that may ask before it is left."""

from __future__ import annotations

from thud.records.excerpt import Excerpt
from thud.records.record import Record
from thud.tui.battle.picking_screen import PickingScreen
from thud.tui.roles import MatchLeft


class MatchScreen(PickingScreen):
    """A match is played or replayed here."""

    @property
    def record(self) -> Record:
        """The record of the match as it is now."""
        raise NotImplementedError

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        raise NotImplementedError

    async def pictured(self) -> tuple[Record, Excerpt]:
        """Return a record, and the place in it that is shown, for a picture of that."""
        raise NotImplementedError

    def say(self, notice: str) -> None:
        """Show a notice."""
        raise NotImplementedError

    def noted(self) -> None:
        """Know that the record has been written to a file."""

    def leave(self) -> None:
        """Leave without a question."""
        self.post_message(MatchLeft())

    def ask_to_leave(self) -> None:
        """Leave, perhaps after a question."""
        raise NotImplementedError
