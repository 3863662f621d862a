"""A screen with a match that is played, and that can be looked back at."""

from __future__ import annotations

from typing import Final

from textual import on

from thud.records.cursor import Cursor
from thud.records.excerpt import Excerpt
from thud.records.record import Record
from thud.rules.setup import Setup
from thud.session.session import Session
from thud.tui.battle.match_screen import MatchScreen
from thud.tui.battle.table import Table
from thud.tui.keys.bar import Entry
from thud.tui.keys.bindings import LOOK_KEYS, PICTURE_KEY
from thud.tui.keys.keymap import keymap_of, keys_of
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.move_list import MoveList

_RETURN: Final = Entry("escape", "Any other key", "Back to now")


class LookingScreen(MatchScreen):
    """Shows the battle as it was, until a key leads back to now.

    Args:
        session: what is played.
    """

    table: Table

    def __init__(self, session: Session) -> None:
        super().__init__(session.match, Table(session.match.battle.position))
        self.session = session
        # A match that is played elsewhere may have gone on before it was seen here.
        self.picker.number = session.number

    @property
    def at_hand(self) -> Setup:
        """What is on the board, to be changed elsewhere."""
        return Setup(self.session.match.variant, self.session.battle.position)

    @property
    def record(self) -> Record:
        """The record of the match as it is now."""
        return self.session.record

    async def pictured(self) -> tuple[Record, Excerpt]:
        """Return a record, and the place in it that is shown, for a picture of that."""
        number, flipped = self.session.match.number, self.table.board.flipped
        advised = self.picker.advised if self.table.past is None else None
        return self.record, Excerpt(number, self.table.past, flipped, advised=advised)

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        question = self.table.prompt.question
        return question is not None and (question.holds or self.session.battle.outcome is None)

    def only_keys(self) -> tuple[Entry, ...]:
        """Return what the footer shows in place of all keys while people look back."""
        return (_RETURN,) if self.table.past is not None else ()

    @on(MoveList.Picked)
    def _look_back(self, event: MoveList.Picked) -> None:
        if 0 < event.played <= self.session.battle.played:
            self._show_past(event.played)

    @on(MarginGraph.Picked)
    def _look_at_place(self, event: MarginGraph.Picked) -> None:
        self.action_look(event.played - self._place)

    @property
    def _place(self) -> int:
        """After how many moves the battle is shown."""
        past = self.table.past
        return self.session.battle.played if past is None else past

    def _show_past(self, played: int) -> None:
        """Show the battle after so many of its moves, unless something has to be decided."""
        if self.asking or self.picker.hand.grip:
            return
        match = self.session.match
        self.table.show_past(match, Cursor.at(Record.of(match), match.number, played))
        self.refresh_bindings()

    def action_look(self, by: int) -> None:
        """Look back at the battle a move earlier, or a move later; after the last comes now."""
        now = self.session.battle.played
        shown = self.table.past
        wanted = max(0, self._place + by)
        if wanted < now:
            self._show_past(wanted)
        elif shown is not None:
            self.return_to_now()

    def goes_through_past(self, key: str) -> bool:
        """Say whether a key steps on while people look back, and does not return to now."""
        keymap = keymap_of(self.app)
        return any(key in keys_of(each, keymap) for each in (*LOOK_KEYS, PICTURE_KEY))
