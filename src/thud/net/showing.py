"""A match shown to whoever has a link for that: snapshots alone, if wanted some moves late.

Those who see it have no name and no chat, and nobody at the table is told of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.net.codec import ARRIVAL_SECONDS, ARRIVALS, VERSION, WATCHERS, InvalidMessage
from thud.net.framed_stream import FramedStream
from thud.net.messages import Bye, Ping, Pong, Refused, Welcome, decode_guest
from thud.net.seat_registry import Link, SeatRegistry
from thud.net.snapshots import late_snapshot_of, shown
from thud.net.token_bucket import TokenBucket
from thud.session.session import Session

REVOKED: Final = "this link shows the table no longer"
_ONLY: Final = "this link only shows the table"


class Viewer:
    """A client to whom the match is shown.

    Attributes:
        stream: its connection.
        link: the link that it has shown.
        seq: number of the next snapshot.
        view: what it saw last.
    """

    def __init__(self, stream: FramedStream, link: Link) -> None:
        self.stream = stream
        self.link = link
        self.seq = 0
        self.view: tuple[object, ...] = ()


class Showing:
    """Shows a session's match to clients that have a link for it.

    Args:
        session: the session.
        registry: the table's links.
        match_name: returns the match's id.
    """

    def __init__(
        self, session: Session, registry: SeatRegistry, match_name: Callable[[], str]
    ) -> None:
        self._session = session
        self._registry = registry
        self._match_name = match_name
        self._viewers: list[Viewer] = []
        self._arrivals = TokenBucket(ARRIVALS / ARRIVAL_SECONDS, WATCHERS)

    def has_room(self) -> bool:
        """Whether another client may come now; if so, it counts as come."""
        return len(self._viewers) < WATCHERS and self._arrivals.try_acquire()

    async def serve(self, stream: FramedStream, link: Link) -> None:
        """Show the match to a client until it leaves.

        Raises:
            StreamBroken: the connection has ended.
            ProtocolError: the client does not speak the protocol.
        """
        state, viewer = self._session.state, Viewer(stream, link)
        async with self._session.changing:
            stream.send(
                Welcome(
                    VERSION,
                    self._registry.id,
                    hints=False,
                    chat=False,
                    waits=state.waits,
                    claim=state.claim_after,
                )
            )
            self._viewers.append(viewer)
            self._show(viewer)
        try:
            while True:
                try:
                    message = decode_guest(await stream.receive())
                except InvalidMessage as fault:
                    stream.send(Refused(str(fault)))
                    continue
                if isinstance(message, Bye):
                    return
                stream.send(Pong() if isinstance(message, Ping) else Refused(_ONLY))
        finally:
            self._viewers.remove(viewer)

    def tell(self) -> None:
        """Send everybody what has changed for them."""
        for each in self._viewers:
            self._show(each)

    def end_revoked(self) -> None:
        """End the connections of those whose link has been revoked or has expired."""
        for each in self._viewers:
            if self._registry.link(each.link.word, shows=True) is None:
                each.stream.send_close(REVOKED)

    def _show(self, viewer: Viewer) -> None:
        state, late = self._session.state, viewer.link.late
        battle, clock, moves = state.battle, state.clock, shown(state, late)
        view = (
            self._match_name(),
            state.match.number,
            battle.moves[:moves],
            battle.outcome,
            state.match.players,
            state.participants.missing,
            None if late else state.proposal,
            clock and moves == battle.played and (clock.running, clock.turn),
        )
        if view != viewer.view:
            name, seq = self._match_name(), viewer.seq
            viewer.view, viewer.seq = view, seq + 1
            viewer.stream.send(late_snapshot_of(self._session, seq, name, late))
