"""Links by which a visitor invites others to a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from typing import Final

from thud.net.seat_registry import ANY
from thud.rules.match import DEFAULT_PLAYERS
from thud.session.participants import SHOW, WATCH
from thud.session.state import TableState
from thud.text import counted
from thud.visitor.tables import KeeperRefused, TableLine, TableLink, club_links


def what_for(link: TableLink, seats: Sequence[str]) -> str:
    """Say what a link is for, and how long.

    Args:
        link: the link.
        seats: a verb phrase for each player's seat, such as "play the trolls".
    """
    known = {WATCH: "watch", SHOW: "watch without coming in", ANY: "play in any free seat"}
    what = known.get(link.purpose) or seats[int(link.purpose)]
    until = date.fromtimestamp(link.until)
    late = f", {late_in_words(link.late)}" if link.late else ""
    return f"To {what}{late}, until {until.day} {until:%B}:"


LATE: Final = (0, 2, 6, 12, 24)
"""How many moves late a link can show a table, as they are offered."""


def late_in_words(moves: int) -> str:
    """Say how late a link shows a table."""
    return f"{counted(moves, 'move')} late" if moves else "at once"


class TableLinks:
    """The links of one visitor to the table where they sit.

    The session's `participants.invitation` shows them.

    Args:
        line: the connection to the keeper of the tables.
        table: the table's id.
        state: the match at the table.
    """

    def __init__(self, line: TableLine, table: str, state: TableState) -> None:
        self._line = line
        self._table = table
        self._state = state
        self._links: dict[str, TableLink] = {}

    @property
    def seat(self) -> str:
        """The purpose of a link to one seat: the free one, or else the opponent's."""
        others = [each for each in range(2) if not self._state.seats[each].is_local]
        free = (each for each in self._state.participants.free if each in others)
        return str(next(free, others[0]))

    async def load(self) -> None:
        """Fetch the links; who only watches has none."""
        await self._line.enter()  # the visitor may have just sat down
        with suppress(KeeperRefused):
            self._show(await self._line.links(self._table))

    async def make(self, purpose: str, late: int = 0) -> str:
        """Make a link, or extend the one that there is; return its address or command.

        Args:
            purpose: one of `PURPOSES`.
            late: how many moves late it shows the table, if that is its purpose.

        Raises:
            KeeperRefused: the visitor does not sit there, or the keeper does not answer.
        """
        self._show(await self._line.links(self._table, make=purpose, late=late))
        made = (
            text
            for text, link in self._links.items()
            if (link.purpose, link.late) == (purpose, late)
        )
        return next(made, "")

    async def revoke(self, text: str) -> None:
        """Revoke the link with an address or command.

        Raises:
            KeeperRefused: the keeper does not answer.
        """
        self._show(await self._line.links(self._table, revoke=self._links[text].word))

    def _show(self, links: Iterable[TableLink]) -> None:
        match = self._state.match
        seats = [
            f"play the {match.side_of(player).plural}" if name in DEFAULT_PLAYERS else f"be {name}"
            for player, name in enumerate(match.players)
        ]
        self._links = {}
        invitation: dict[str, tuple[str, ...]] = {}
        for each in links:
            texts = club_links(self._table, each)
            self._links |= dict.fromkeys(texts, each)
            if texts:
                invitation[what_for(each, seats)] = texts
        self._state.participants.invitation = invitation
