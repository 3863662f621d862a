"""An ssh connection with bounded input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from asyncssh import SSHServerConnection, SSHServerConnectionOptions

from thud.net.token_bucket import TokenBucket


class FlowControl:
    """A pause that lasts while it has at least one reason.

    Args:
        paused: called when the first reason is added.
        resumed: called when the last is dropped.
    """

    def __init__(self, paused: Callable[[], object], resumed: Callable[[], object]) -> None:
        self._paused = paused
        self._resumed = resumed
        self._reasons: set[str] = set()

    def pause(self, reason: str) -> None:
        """Pause for a reason."""
        before = bool(self._reasons)
        self._reasons.add(reason)
        if not before:
            self._paused()

    def resume(self, reason: str) -> None:
        """Drop a reason."""
        if reason in self._reasons:
            self._reasons.discard(reason)
            if not self._reasons:
                self._resumed()


AT_ONCE: Final = 131072
"""Burst of input, in bytes."""

A_SECOND: Final = 32768
"""Refill a second, in bytes."""


_NEW_KEYS_BEGIN: Final = 20
_NEW_KEYS_END: Final = 21
"""SSH_MSG_KEXINIT and SSH_MSG_NEWKEYS of RFC 4253: no data is sent between the two."""


class Peer(Protocol):
    """A connection's view of its login."""

    def heard(self) -> None:
        """Called after each piece of input."""

    def has_proven(self, key: bytes) -> bool:
        """Note a key the client has proven; return whether it is authorized."""

    def pause(self, reason: str) -> None:
        """Pause output."""

    def resume(self, reason: str) -> None:
        """Resume output."""


class SshConnection(SSHServerConnection):
    """A connection with bounded traffic, which reports proven keys to its login.

    Plain asyncssh reads as fast as a client sends, and buffers without bound what the client does
    not read.  Here a client that does not read is not read from, and input is rate-limited.

    Args:
        options: the door's.

    Attributes:
        peer: the login; it sets itself when the connection is made.
    """

    peer: Peer
    _input: FlowControl

    def __init__(self, options: SSHServerConnectionOptions) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(loop, options)
        self._clock = loop
        self._bucket = TokenBucket(A_SECOND, AT_ONCE)
        self._abort_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Control the flow of what is read."""
        assert isinstance(transport, asyncio.Transport)
        self._input = FlowControl(transport.pause_reading, transport.resume_reading)
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """Take data; pause reading if it exceeds the rate."""
        super().data_received(data, datatype)
        if wait := self._bucket.spend(len(data)):
            self._input.pause("rate")
            self._clock.call_later(wait, self._input.resume, "rate")
        self.peer.heard()

    def pause_writing(self) -> None:
        """Pause input and output for a client that does not read."""
        self._input.pause("full")
        self.peer.pause("full")

    def resume_writing(self) -> None:
        """Resume input and output."""
        self._input.resume("full")
        self.peer.resume("full")

    def send_packet(self, pkttype: int, *args: bytes, handler: object = None) -> None:
        """Send a packet; pause output during a key exchange, where it would pile up."""
        super().send_packet(pkttype, *args, handler=handler)  # type: ignore[arg-type]
        if pkttype == _NEW_KEYS_BEGIN:
            self.peer.pause("keys")
        elif pkttype == _NEW_KEYS_END:
            self.peer.resume("keys")

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        """Whether a key may be proven or, with a signature, whether it lets the client in."""
        right = await super().validate_public_key(username, key_data, msg, signature)
        return right and (not msg or self.peer.has_proven(key_data))

    def abort_after(self, seconds: float) -> None:
        """Abort after a timeout in seconds, unless `keep` is called."""
        self.keep()
        self._abort_timer = self._clock.call_later(seconds, self.abort)

    def keep(self) -> None:
        """Cancel the timeout."""
        if self._abort_timer:
            self._abort_timer.cancel()
