"""What a guest keeps of a match that is kept at the host's: the whole of it, once it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thud.records.store import is_id
from thud.rules.match import Match
from thud.session.autosave import Autosave

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.store import Saved, Store


_OTHER_TAGS: Final = 32
"""So many tags of a host's stay beside the one that is added: there is room for them."""


class GuestKeeper(Autosave):
    """Keeps a match that was played elsewhere when it is over, by the name that it has there.

    A match of that name that is here already is this one: its host is on this machine, or we have
    been there before.

    Args:
        store: where to; None keeps nothing.
        record: the match as it is at first.
        command: what leads back to it.
        looks_on: whether its guest does not play.

    Attributes:
        name: what the match is called at the host's.
    """

    def __init__(
        self, store: Store | None, record: Record, command: str = "", *, looks_on: bool = False
    ) -> None:
        super().__init__(store, record=record)
        self._looks_on = looks_on
        self._command = command
        self.name = ""

    @property
    def aside(self) -> str:
        """What becomes of moves taken back now: nothing unusual."""
        return ""

    def farewell(self, how: str = "") -> str:
        """Return how to come back to a match that goes on, or how to see again what is over."""
        if self._over:
            return super().farewell(how)
        back = f": '{self._command}' comes back to it." if self._command else "."
        return f"The host keeps the match{back}"

    def outlook(self) -> str:
        """Return what becomes of the match if we leave now: in few words, beside the board."""
        return "The host keeps the match, and your seat in it."

    def record(self, match: Match, programs: tuple[str, str] = ("", "")) -> Record:
        """Return the record of the match as it is now, marked if its guest only looks on."""
        from thud.records.record import LOOKED_ON

        record = super().record(match, programs)
        if not self._looks_on:
            return record
        others = [tag for tag in record.tags if tag[0] != LOOKED_ON[0]]
        return record._replace(tags=(LOOKED_ON, *others[:_OTHER_TAGS]))

    async def keep(self, match: Match, programs: tuple[str, str] = ("", "")) -> str:
        """Return when the match is on the disk, or why it is not, if it is over."""
        if match.over and is_id(self.name):
            return await super().keep(match, programs)
        self._record = self.record(match, programs)
        self._over = False
        return ""

    async def turn_to(self, record: Record | None = None) -> str:
        """Let the match go and keep what comes; it is not kept before it is over."""
        await super().turn_to(None)
        self._record = record
        return ""

    def waiting(self) -> str:
        """Return nothing: matches of our own can wait."""
        return ""

    def _write(self, record: Record) -> None:
        from thud.records.store import AlreadyKept

        try:
            super()._write(record)
        except AlreadyKept:
            self._id = self.name

    def _adopted(self, store: Store, record: Record) -> Saved:
        return store.adopt(record, self.name)
