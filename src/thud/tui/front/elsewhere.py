"""Matches with people at other places, from the front page: opened to them, and theirs joined."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.text import Text
from textual.app import App
from textual.widgets.option_list import Option

from thud.session.cancellation import forever
from thud.session.session import Session
from thud.tui.club.profile import LastPlace
from thud.tui.front.page import FrontPage
from thud.tui.matches import Matches
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.net.seat_registry import Terms
    from thud.net.transports.invitation import Goal
    from thud.net.transports.local import Open
    from thud.tui.club.club import Club

_ELSEWHERE: Final = "elsewhere"
_INVITED: Final = "An invitation, or ssh://USER@MACHINE"
_DOORS: Final = {
    "own": "whoever has your account: another terminal here, or over ssh",
    "neighbours": "other users of this machine, too, by an invitation",
    "listen": "anybody on the network, too, by an invitation (encrypted)",
}
_AWAY: Final = {"runs on": "the clock runs on", "waits": "the clock waits"}
_JOIN, _WATCH = "seat", "watch"


class Destination(NamedTuple):
    """Where to join a match, and what as."""

    goal: Goal
    want: str
    table: LastPlace | None = None
    """The table of a club, if it is one."""

    @property
    def command(self) -> str:
        """What to type to come there."""
        return f"thud {'join' if self.want == _JOIN else 'watch'} {self.goal}"


def to_table(place: LastPlace) -> Destination:
    """Return the way to a table of the club."""
    from thud.net.transports.invitation import OnThisMachine

    return Destination(OnThisMachine(place.id), place.kind, place)


def parse_destination(text: str) -> Destination:
    """Read where to join a match, with or without the command that it is an argument of.

    Raises:
        ValueError: it is not said in any of the ways that there are.
    """
    from thud.net.transports.invitation import parse_goal

    words = text.split()
    want = _WATCH if "watch" in words[:2] else _JOIN
    while words[:1] and words[0] in ("thud", "join", "watch"):
        words.pop(0)
    return Destination(parse_goal(" ".join(words)), want)


class Elsewhere:
    """Hosts and joins matches, and says on the front page why that cannot be.

    Args:
        app: where it is asked what has to be known.
        matches: plays them.
        page: the front page.
        name: returns what whoever sits here is called.
        club: the club that is visited, if one is.
    """

    def __init__(
        self,
        app: App[None],
        matches: Matches,
        page: FrontPage,
        name: Callable[[], str],
        club: Club | None,
    ) -> None:
        self._app = app
        self._matches = matches
        self._page = page
        self._name = name
        self._club = club

    # Hosting

    def host(self, session: Session) -> None:
        """Ask who can come, and on which terms, and play with whoever comes."""
        if self._club:
            self._ask_about_clock(session, "own")
            return
        options = [Option(text, id=name) for name, text in _DOORS.items()]

        def answered(chosen: str | None) -> None:
            if chosen:
                self._ask_about_clock(session, chosen)

        self._app.push_screen(ListScreen("Who can come?", options), answered)

    def _ask_about_clock(self, session: Session, door: str) -> None:
        if not session.match.control:
            self._open(session, door)
            return
        options = [Option(text, id=name) for name, text in _AWAY.items()]

        def answered(chosen: str | None) -> None:
            if chosen:
                self._open(session, door, waits=chosen == "waits")

        self._app.push_screen(ListScreen("While one of you is away", options), answered)

    def _open(self, session: Session, door: str, *, waits: bool = False) -> None:
        from thud.net.seat_registry import Terms
        from thud.net.transports.invitation import parse_listen

        listen = parse_listen("") if door == "listen" else None
        terms = Terms(door == "neighbours", listen, waits=waits)
        self._app.run_worker(self.open_to_others(session, terms), group="kept")

    async def open_to_others(self, session: Session, terms: Terms, notice: str = "") -> None:
        """Let others come to a session, and play it; or say why they cannot."""
        from thud.net.hosting import opened

        if self._club:
            from thud.tui.club.club import OPEN

            terms, notice = self._club.terms(terms), notice or OPEN
        try:
            await opened(session, terms, invites=self._club is None)
        except (OSError, ValueError) as fault:
            await session.leave()
            self._page.say(f"{capitalised(str(fault))}.")
            return
        if self._club:
            await self._club.open_table(session)
        self._page.say(self._matches.play(session, notice))

    # Joining

    def ask_where(self) -> None:
        """Ask which match to join, of those that are open here and those elsewhere."""
        self._app.run_worker(self._list_open(), group="kept")

    async def _list_open(self) -> None:
        from thud.net.transports.local import open_matches

        matches = await asyncio.to_thread(open_matches)
        if self._app.screen is self._page:
            self._app.push_screen(_match_choice(matches), self._join_chosen)

    def _join_chosen(self, chosen: str | None) -> None:
        from thud.net.transports.invitation import OnThisMachine

        if chosen == _ELSEWHERE:

            async def attempt(text: str) -> Destination:
                return parse_destination(text)

            def answered(destination: Destination | None) -> None:
                if destination:
                    self.join(destination)

            self._app.push_screen(AskScreen(_INVITED, "", attempt), answered)
        elif chosen:
            want, _, name = chosen.partition(" ")
            self.join(Destination(OnThisMachine(name), want))

    def join(self, destination: Destination) -> None:
        """Join a match, saying so meanwhile."""
        self._page.say("One moment …")
        self._app.run_worker(self.arrive_at(destination), group="kept")

    async def arrive_at(self, destination: Destination, notice: str = "") -> None:
        """Join a match, and play it; or say why that is not possible."""
        from thud.net.host_connection import Caller
        from thud.net.remote import Remote
        from thud.net.transports.resolve import transport_to
        from thud.net.transports.ssh import SshTransport

        caller = Caller(self._name(), destination.want, named=False)
        store, command = self._matches.store, destination.command
        after = ExitStack()
        try:
            way = await asyncio.to_thread(transport_to, destination.goal)
            if isinstance(way, SshTransport):
                after.callback(way.close)
                with self._app.suspend():
                    # It may ask for a password.
                    way.connect()
            session = await Remote.joined(way, caller, store=store, command=command)
        except (OSError, ValueError) as fault:
            after.close()
            self._page.say(f"{capitalised(str(fault))}.")
            return

        async def close_after() -> None:
            with after:
                await forever()

        session.attend(close_after)
        self._page.say(self._matches.play(session, notice, at=destination.table))


def _match_choice(matches: tuple[Open, ...]) -> ListScreen:
    """Return the choice among the matches that are open here, and those elsewhere."""
    options: list[Option | None] = [
        Option(Text(match.told()), id=f"{_JOIN if match.about.wanted else _WATCH} {match.id}")
        for match in matches
    ]
    between = [None] if matches else []
    elsewhere = Option(f"{_INVITED} …", id=_ELSEWHERE)
    return ListScreen("Join a match", [*options, *between, elsewhere])
