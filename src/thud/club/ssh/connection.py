"""An ssh connection with bounded input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from asyncssh import SSHServerConnection, SSHServerConnectionOptions

from thud.net.token_bucket import TokenBucket


class FlowControl:
    """Shut as long as there is a reason, or several.

    Args:
        shut: called when the first reason comes up.
        opened: called when the last has gone.
    """

    def __init__(self, shut: Callable[[], object], opened: Callable[[], object]) -> None:
        self._shut = shut
        self._opened = opened
        self._reasons: set[str] = set()

    def hold(self, reason: str) -> None:
        """Shut it, if it is open."""
        before = bool(self._reasons)
        self._reasons.add(reason)
        if not before:
            self._shut()

    def free(self, reason: str) -> None:
        """Take a reason back."""
        if reason in self._reasons:
            self._reasons.discard(reason)
            if not self._reasons:
                self._opened()


AT_ONCE: Final = 131072
"""So many bytes are read as soon as they are there."""

A_SECOND: Final = 32768
"""So many more in each second."""


_NEW_KEYS_BEGIN: Final = 20
_NEW_KEYS_END: Final = 21
"""The messages SSH_MSG_KEXINIT and SSH_MSG_NEWKEYS of RFC 4253: nothing else is sent between."""


class Other(Protocol):
    """Who is at the other end of a line."""

    def heard(self) -> None:
        """Look at what has just been asked for."""

    def has_proven(self, key: bytes) -> bool:
        """Hear that the other has a key; return whether that lets them in."""

    def hold(self, reason: str) -> None:
        """Show them nothing for now."""

    def free(self, reason: str) -> None:
        """Show them again what there is."""


class SshConnection(SSHServerConnection):
    """A line to somebody.

    The library reads as fast as somebody sends, and keeps what they do not take; here whoever does
    not listen is not listened to either, and nobody keeps us busy.  And a key counts only when it
    has been proven, which the library tells nobody.

    Args:
        options: of the door.

    Attributes:
        other: has to be set when the connection is made.
    """

    other: Other

    def __init__(self, options: SSHServerConnectionOptions) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(loop, options)
        self._clock = loop
        self._wire: asyncio.Transport | None = None
        self._input = FlowControl(self._shut, self._open)
        self._pace = TokenBucket(A_SECOND, AT_ONCE)
        self._alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """Hear something, and nothing more for a while if it is too much."""
        super().data_received(data, datatype)
        if wait := self._pace.spend(len(data)):
            self._input.hold("pace")
            self._clock.call_later(wait, self._input.free, "pace")
        self.other.heard()

    def pause_writing(self) -> None:
        """Read nothing from somebody who does not take what is sent, and send no more than that."""
        self._input.hold("full")
        self.other.hold("full")

    def resume_writing(self) -> None:
        """Go on."""
        self._input.free("full")
        self.other.free("full")

    def send_packet(self, pkttype: int, *args: bytes, handler: object = None) -> None:
        """Send something; what is sent while new keys are made would pile up."""
        super().send_packet(pkttype, *args, handler=handler)  # type: ignore[arg-type]
        if pkttype == _NEW_KEYS_BEGIN:
            self.other.hold("keys")
        elif pkttype == _NEW_KEYS_END:
            self.other.free("keys")

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        """Say whether a key may be proven, or, if that is done just now, whether it is enough."""
        right = await super().validate_public_key(username, key_data, msg, signature)
        return right and (not msg or self.other.has_proven(key_data))

    def expect(self, seconds: float) -> None:
        """Hang up after so many seconds, unless `content` is called."""
        self.content()
        self._alarm = self._clock.call_later(seconds, self.abort)

    def content(self) -> None:
        """Do not hang up."""
        if self._alarm:
            self._alarm.cancel()

    def _shut(self) -> None:
        if self._wire:
            self._wire.pause_reading()

    def _open(self) -> None:
        if self._wire:
            self._wire.resume_reading()
