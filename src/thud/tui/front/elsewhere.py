"""Remote matches: the dialogs to host and to join one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.text import Text
from textual.app import App
from textual.widgets.option_list import Option

from thud.net.transports.invitation import Goal, OnThisMachine, parse_goal, parse_listen
from thud.session.cancellation import forever
from thud.session.participants import SEAT, WATCH
from thud.session.view import SessionView
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.visitor.profile import LastPlace

if TYPE_CHECKING:
    from thud.net.seat_registry import Terms
    from thud.net.transports.local import OpenMatch
    from thud.records.store import Store

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
    table: LastPlace | None = None
    """The club table, if it is one."""
    seat: int | None = None
    """The player to be, None for any."""

    @property
    def command(self) -> str:
        """The command to get there."""
        return f"thud {'join' if self.want == SEAT else 'watch'} {self.goal}"


def to_table(place: LastPlace, seat: int | None = None) -> Destination:
    """Return the destination of a club table."""
    return Destination(OnThisMachine(place.id, place.word), place.kind, place, seat)


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


async def ask_terms(app: App[None], *, timed: bool) -> Terms | None:
    """Ask who may join a match, and what its clock does while a player is away.

    Args:
        app: the app; call this in a worker.
        timed: whether the match has a clock.

    Returns:
        the terms, None if cancelled.
    """
    from thud.net.seat_registry import Terms

    if not (door := await app.push_screen_wait(_choice("Who can join?", _DOORS))):
        return None
    terms = Terms(door == "neighbours", parse_listen("") if door == "listen" else None)
    if not timed:
        return terms
    clock = await app.push_screen_wait(_choice("While a player is away", _AWAY))
    return terms._replace(waits=clock == "waits") if clock else None


def _choice(title: str, options: dict[str, str]) -> ListScreen:
    return ListScreen(title, [Option(text, id=name) for name, text in options.items()])


async def ask_destination(app: App[None], matches: Sequence[OpenMatch]) -> Destination | None:
    """Ask which match to join, on this machine or elsewhere.

    Args:
        app: the app; call this in a worker.
        matches: the matches open on this machine.

    Returns:
        the destination, None if cancelled.
    """

    async def attempt(text: str) -> Destination:
        return parse_destination(text)

    options: list[Option | None] = [
        Option(Text(match.description()), id=f"{SEAT if match.about.wanted else WATCH} {match.id}")
        for match in matches
    ]
    between = [None] if matches else []
    elsewhere = Option(f"{_INVITED} …", id=_ELSEWHERE)
    listed = ListScreen("Join a match", [*options, *between, elsewhere])
    answer = await app.push_screen_wait(listed)
    if answer == _ELSEWHERE:
        return await app.push_screen_wait(AskScreen(_INVITED, "", attempt))
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
    from thud.net.host_connection import Caller
    from thud.net.remote import Remote
    from thud.net.transports.resolve import transport_to
    from thud.net.transports.ssh import SshTransport

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
