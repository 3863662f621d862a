"""Remote matches: the dialogs to host and to join one."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Final, NamedTuple

from rich.text import Text
from textual.app import App
from textual.screen import Screen
from textual.widgets.option_list import Option

from thud.net.host_connection import Caller
from thud.net.hosting import opened
from thud.net.remote import Remote
from thud.net.seat_registry import Terms
from thud.net.transports.invitation import Goal, OnThisMachine, parse_goal, parse_listen
from thud.net.transports.local import open_matches
from thud.net.transports.resolve import transport_to
from thud.net.transports.ssh import SshTransport
from thud.records.store import Store
from thud.session.cancellation import forever
from thud.session.participants import SEAT, WATCH
from thud.session.session import Session
from thud.session.view import SessionView
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.visitor.profile import LastPlace

_ELSEWHERE: Final = "elsewhere"
_MARKS: Final = "<>'\"`$"
"""Characters before a line that was quoted or copied from a terminal."""

_INVITED: Final = "An invitation, or ssh://USER@MACHINE"
_DOORS: Final = {
    "own": "Only your own account, here or over ssh",
    "neighbours": "Other users of this machine too, with an invitation",
    "listen": "Anybody on the network too, with an invitation (encrypted)",
}
_AWAY: Final = {"runs on": "The clock runs on", "waits": "The clock waits"}


class Destination(NamedTuple):
    """A match to join, and in which role."""

    goal: Goal
    want: str
    """`SEAT` or `WATCH`."""
    seat: int | None = None
    """The player to be, None for any."""

    @property
    def command(self) -> str:
        """The command to get there."""
        return f"thud {'join' if self.want == SEAT else 'watch'} {self.goal}"


def to_table(place: LastPlace, seat: int | None = None) -> Destination:
    """Return the destination of a club table."""
    return Destination(OnThisMachine(place.id, place.word), place.kind, seat)


def parse_destination(text: str) -> Destination:
    """Parse where to join a match, with or without a leading `thud join` or `thud watch`.

    >>> parse_destination("> thud watch 5f2a90c1").command
    'thud watch 5f2a90c1'
    >>> parse_destination("'thud join thud://b/#ABCD1234ABCD1234.AAAAAAAA > AAAAAAAAAAAAAA").command
    'thud join thud://b/#ABCD1234ABCD1234.AAAAAAAAAAAAAAAAAAAAAA'

    Raises:
        ValueError: it has no known form.
    """
    words, want = text.split(), SEAT
    while words and (word := words[0].strip(_MARKS)) in ("", "thud", "join", "watch"):
        want = WATCH if word == "watch" else want
        words.pop(0)
    return Destination(parse_goal(" ".join(words)), want)


async def host(app: App[None], session: Session, terms: Terms | None) -> bool:
    """Open a session to others; return False if it is cancelled.

    Args:
        app: the app; call this in a worker.
        session: the session; it is left if it cannot be opened.
        terms: who may join, and what the clock does while a player is away; None asks for them.

    Raises:
        OSError, ValueError: why it cannot be opened.
    """
    if not terms:
        options = [Option(text, id=name) for name, text in _DOORS.items()]
        door = await app.push_screen_wait(ListScreen("Who can join?", options))
        if not door:
            return False
        terms = Terms(door == "neighbours", parse_listen("") if door == "listen" else None)
        if session.state.match.control is not None:
            options = [Option(text, id=name) for name, text in _AWAY.items()]
            clock = await app.push_screen_wait(ListScreen("While a player is away", options))
            if not clock:
                return False
            terms = terms._replace(waits=clock == "waits")
    try:
        await opened(session, terms)
    except (OSError, ValueError):
        await session.leave()
        raise
    return True


async def ask_destination(screen: Screen[None]) -> Destination | None:
    """Ask which match to join, on this machine or elsewhere.

    Args:
        screen: the screen to ask on, if it is still active; call this in a worker.

    Returns:
        the destination, None if cancelled.
    """

    async def attempt(text: str) -> Destination:
        return parse_destination(text)

    matches = await asyncio.to_thread(open_matches)
    if not screen.is_active:
        return None
    options: list[Option | None] = [
        Option(Text(match.description()), id=f"{SEAT if match.about.wanted else WATCH} {match.id}")
        for match in matches
    ]
    between = [None] if matches else []
    elsewhere = Option(f"{_INVITED} …", id=_ELSEWHERE)
    listed = ListScreen("Join a match", [*options, *between, elsewhere])
    answer = await screen.app.push_screen_wait(listed)
    if answer == _ELSEWHERE:
        return await screen.app.push_screen_wait(AskScreen(_INVITED, "", attempt))
    want, _, name = (answer or "").partition(" ")
    return Destination(OnThisMachine(name), want) if name else None


async def join(app: App[None], destination: Destination, name: str, store: Store) -> SessionView:
    """Join a match; its connection is closed with the session.

    Args:
        app: the app, suspended while ssh may ask for a password.
        destination: the match and the role to join in.
        name: the name of the person joining.
        store: where the match is saved.

    Raises:
        OSError, ValueError: why it cannot be joined.
    """
    caller = Caller(name, destination.want, destination.seat, named=False)
    with ExitStack() as stack:
        transport = await asyncio.to_thread(transport_to, destination.goal)
        if isinstance(transport, SshTransport):
            stack.callback(transport.close)
            with app.suspend():
                transport.connect()
        session = await Remote.joined(transport, caller, store=store, command=destination.command)
        after = stack.pop_all()

    async def close_after() -> None:
        with after:
            await forever()

    session.add_task(close_after)
    return session
