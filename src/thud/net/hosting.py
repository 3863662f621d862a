"""Opening a session to others: listeners, invitations, the list of matches."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

from thud.net.host import Host
from thud.net.seat_registry import Terms
from thud.net.transports import local, other_users, tls
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.invitation import EVERYWHERE, OfAnother, OverSsh
from thud.net.transports.local import MatchInfo, OpenMatch
from thud.net.transports.permissions import own_name
from thud.net.transports.tls import own_certificate
from thud.session.session import Session
from thud.text import quoted


class Hosting:
    """A session open to others; made by `opened`.

    Args:
        host: serves the clients.

    Attributes:
        host: serves the clients.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self._session = host.session
        self._since = time.time()
        self._listeners = AsyncExitStack()
        self._here: local.OpenListing | None = None
        self._changed = asyncio.Event()
        self._stop_listening = self._session.subscribe(lambda _: self._changed.set())
        self._closing, self._closed = asyncio.Lock(), False
        self._session.add_task(self._run)
        # The session may be left before `_run` starts.
        self._session.on_close(self.close)

    async def close(self) -> None:
        """Close all connections and listeners; closing twice does no harm."""
        async with self._closing:
            if not self._closed:
                self._closed = True
                self._stop_listening()
                await self.host.close()
            await self._listeners.aclose()

    async def _run(self) -> None:
        """Keep the listed details of the match up to date; close at the end."""
        try:
            while await self._changed.wait():
                self._changed.clear()
                if self._here:
                    with suppress(OSError):
                        # Others see outdated details, nothing worse.
                        await asyncio.to_thread(self._here.tell, self._about)
        finally:
            await self.close()

    @property
    def listed(self) -> OpenMatch:
        """The match as others find it in a list."""
        return OpenMatch(self.host.id, self._about, os.getpid())

    @property
    def _about(self) -> MatchInfo:
        """The match, as others see it before they join."""
        match, registry = self._session.state.match, self.host.registry
        free = (player for player, seat in registry.seats.items() if seat.is_free)
        wanted = tuple(match.side_of(player).plural for player in free)
        return MatchInfo(match.variant.name, match.players, wanted, self._since)

    # Listeners and invitations

    async def open(self, terms: Terms, throttle: AuthThrottle, *, invites: bool = True) -> None:
        """Open the listeners, and write the invitation if `invites`."""
        host, registry = self.host, self.host.registry
        if terms.word:
            registry.admit_by(terms.word)
        own = throttle if terms.word else None
        self._here = await local.listen(host.id, self._about, host.serve, throttle=own)
        self._listeners.push_async_callback(self._here.close)

        def commands(goal: Callable[[str], str]) -> tuple[str, ...]:
            """Return how to take each seat, and to watch; `goal` turns a secret into a goal."""
            joining = (f"thud join {goal(seat.secret)}" for seat in registry.seats.values())
            # Where the goal does not contain the secret, one command fits all seats.
            return *dict.fromkeys(joining), f"thud watch {goal(registry.watching)}"

        invitation: dict[str, tuple[str, ...]] = {}
        if invites:
            user, machine = own_name(), socket.gethostname()
            invitation[f"With the account {quoted(user)}, here or over ssh:"] = (
                *commands(lambda _: host.id),
                *commands(lambda _: str(OverSsh(user, machine, None, host.id))),
            )
        if terms.neighbours:
            neighbours = await other_users.listen(host.id, host.serve, throttle)
            self._listeners.push_async_callback(neighbours.close)
            invitation["Other users of this machine, with this line:"] = commands(
                lambda secret: str(OfAnother(str(neighbours.path), secret))
            )
        if terms.listen:
            certificate = await asyncio.to_thread(own_certificate)
            listening = await tls.listen(*terms.listen, host.serve, throttle, certificate)
            self._listeners.push_async_callback(listening.close)
            anywhere = listening.address == EVERYWHERE
            where = "any of its addresses" if anywhere else listening.address
            invitation[f"Anybody who can reach {where}, with this line:"] = commands(
                lambda secret: str(listening.invitations(secret)[0])
            )
        self._session.state.participants.invitation = invitation


async def opened(session: Session, terms: Terms, *, invites: bool = True) -> Hosting:
    """Open a session to others; call it on the session's event loop.

    Args:
        session: the session.
        terms: the terms for others.
        invites: whether to write commands for this user's own account, which contain the names of
            the user and the machine.

    Raises:
        ValueError: a listener cannot be opened; none stays open then.
        OSError: the same.
    """
    throttle = AuthThrottle()
    hosting = Hosting(Host(session, terms, throttle))
    try:
        await hosting.open(terms, throttle, invites=invites)
    except BaseException:
        await hosting.close()
        raise
    return hosting
