"""What the front page does with other places: opens matches to them, and joins theirs."""

from __future__ import annotations

import asyncio
import getpass
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.text import Text
from textual import work
from textual.widgets.option_list import Option

from thud.rules.match import DEFAULT_PLAYERS
from thud.session.patience import for_ever
from thud.session.session import Session
from thud.settings.last_choices import LastChoices
from thud.tui.app import ThudApp
from thud.tui.front.page import FrontPage
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.net.seat_registry import Terms
    from thud.net.transports.invitation import Goal
    from thud.net.transports.local import Open


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

    @property
    def command(self) -> str:
        """What to type to come there."""
        return f"thud {'join' if self.want == _JOIN else 'watch'} {self.goal}"


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


class PlacesApp(ThudApp):
    """Plays matches with people at other places."""

    _choices: LastChoices

    @property
    def _front(self) -> FrontPage:
        raise NotImplementedError

    # Hosting

    def _ask_who_can_come(self, session: Session) -> None:
        options = [Option(text, id=name) for name, text in _DOORS.items()]

        def answered(chosen: str | None) -> None:
            if chosen and session.match.control:
                self._ask_about_clock(session, chosen)
            elif chosen:
                self._host(session, chosen)

        self.push_screen(ListScreen("Who can come?", options), answered)

    def _ask_about_clock(self, session: Session, door: str) -> None:
        options = [Option(text, id=name) for name, text in _AWAY.items()]

        def answered(chosen: str | None) -> None:
            if chosen:
                self._host(session, door, waits=chosen == "waits")

        self.push_screen(ListScreen("While one of you is away", options), answered)

    @work(group="kept")
    async def _host(self, session: Session, door: str, *, waits: bool = False) -> None:
        from thud.net.seat_registry import Terms
        from thud.net.transports.invitation import parse_listen

        listen = parse_listen("") if door == "listen" else None
        await self._open_to_others(session, Terms(door == "neighbours", listen, waits=waits))

    async def _open_to_others(self, session: Session, terms: Terms, notice: str = "") -> None:
        """Let others come to a session, and play it; or say why they cannot."""
        from thud.net.hosting import opened

        try:
            await opened(session, terms, invites=self.premises.invites)
        except (OSError, ValueError) as fault:
            await session.leave()
            self._front.say(f"{capitalised(str(fault))}.")
            return
        await self._is_open(session)
        self._play(session, notice)

    async def _is_open(self, session: Session) -> None:
        """Do what is to be done before a match is played that others can come to."""

    # Joining

    @work(group="kept")
    async def _join(self) -> None:
        from thud.net.transports.local import open_matches

        matches = await asyncio.to_thread(open_matches)
        if self.screen is self._front:
            self.push_screen(_match_choice(matches), self._join_chosen)

    def _join_chosen(self, chosen: str | None) -> None:
        from thud.net.transports.invitation import OnThisMachine

        if chosen == _ELSEWHERE:

            async def attempt(text: str) -> Destination:
                return parse_destination(text)

            self.push_screen(AskScreen(_INVITED, "", attempt), self._visit)
        elif chosen:
            want, _, name = chosen.partition(" ")
            self._visit(Destination(OnThisMachine(name), want))

    def _visit(self, destination: Destination | None) -> None:
        if destination:
            self._front.say("One moment …")
            self._go_to(destination)

    @work(group="kept")
    async def _go_to(self, destination: Destination) -> None:
        await self._arrive_at(destination)

    async def _arrive_at(self, destination: Destination, notice: str = "") -> None:
        """Join a match, and play it; or say why that is not possible."""
        from thud.net.handshake import Caller
        from thud.net.remote import Remote
        from thud.net.transports.finding import way_to
        from thud.net.transports.ssh import SshTransport

        caller = Caller(self._own_name, destination.want, named=False)
        store, command = self._kept_matches, destination.command
        after = ExitStack()
        try:
            way = await asyncio.to_thread(way_to, destination.goal)
            if isinstance(way, SshTransport):
                after.callback(way.close)
                with self.suspend():
                    # It may ask for a password.
                    way.connect()
            session = await Remote.joined(way, caller, store=store, command=command)
        except (OSError, ValueError) as fault:
            after.close()
            self._front.say(f"{capitalised(str(fault))}.")
            return

        async def close_after() -> None:
            with after:
                await for_ever()

        session.attend(close_after)
        self._front.say("")
        self._play(session, notice)

    @property
    def _own_name(self) -> str:
        """What whoever sits here is called: as in the last match, if that was said."""
        names = (name for name in self._choices.names if name not in DEFAULT_PLAYERS)
        return next(names, getpass.getuser())


def _match_choice(matches: tuple[Open, ...]) -> ListScreen:
    """Return the choice among the matches that are open here, and those elsewhere."""
    options: list[Option | None] = [
        Option(Text(match.told()), id=f"{_JOIN if match.about.wanted else _WATCH} {match.id}")
        for match in matches
    ]
    between = [None] if matches else []
    elsewhere = Option(f"{_INVITED} …", id=_ELSEWHERE)
    return ListScreen("Join a match", [*options, *between, elsewhere])
