"""The ssh door.

Without the word or an authorized key, a client can only exchange keys and try to log in, for
`LOGIN_SECONDS` at most. At most `auth_throttle.UNPROVEN` such clients are connected at once,
`auth_throttle.UNPROVEN_EACH` from one network; each failure keeps its network out for longer. No
process is started for them. After login a client gets one session: the board.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Final

from asyncssh import SSHServerConnectionOptions

from thud.club.club import ClubServer
from thud.club.doors import FAREWELL, DoorOptions
from thud.club.ssh.auth import AuthContext, SshLogin, host_key
from thud.club.ssh.connection import SshConnection
from thud.club.storage import club_directory
from thud.net.transports import auth_throttle
from thud.net.transports.listener import MOST, Acceptor
from thud.net.transports.permissions import made_private
from thud.net.transports.sockets import bound_at
from thud.visitor.profile import LINK_VARIABLES, SHOW_VARIABLES

LOGIN_SECONDS: Final = 120.0
"""Timeout for the whole login, including comparing the host key and typing the word."""

ALIVE_SECONDS: Final = 5
ALIVE_TIMES: Final = 2
"""Seconds of silence until a keepalive is sent, and unanswered keepalives on a dead connection:
15 s in all, so that a connection survives 5 s without packets, which TCP mends within 13."""

MOST_SILENT: Final = 2
"""Connections of one network that have sent nothing yet; one more ends the oldest."""

WINDOW: Final = 8192
"""Most bytes typed but not yet read by the program: the channel's window."""

PACKET: Final = 16384
"""Largest packet, in bytes."""

RECEIVED: Final = 16384
"""The socket's receive buffer, in bytes."""


class SshDoor:
    """An open ssh door; `open_ssh` opens one.

    Args:
        listening: a listening socket.
        context: the credentials to check logins against.
        options: for each connection.
        told: who can reach the door, its address, and the fingerprint of its key.
    """

    def __init__(
        self,
        listening: socket.socket,
        context: AuthContext,
        options: SSHServerConnectionOptions,
        told: tuple[str, str, str],
    ) -> None:
        self._context = context
        self._port = listening.getsockname()[1]
        self._reach, self._host, self._fingerprint = told
        self._throttle = context.throttle
        self._options = options
        self._callers: set[SshLogin] = set()
        self._acceptor = Acceptor(listening, self._serve, context.throttle, MOST)

    @property
    def invitation(self) -> tuple[str, ...]:
        """The lines to print: who can come, what they type, and the key of this host."""
        is_open = self._context.club.is_open
        how = "" if is_open else ", with the word or with a key that has used it"
        return (
            f"{self._reach} can come in by ssh{how}:",
            f"  ssh -p {self._port} NAME@{self._host}",
            *([] if is_open else [f"  the word: {self._context.word}"]),
            f"  the key of this host: {self._fingerprint}",
        )

    @property
    def links(self) -> Mapping[str, str]:
        """How links to tables are formed."""
        begun = f"ssh -t -p {self._port}"
        return {
            LINK_VARIABLES[1]: f"{begun} {self._host} {{}}",
            SHOW_VARIABLES[1]: f"{begun} {{}}@{self._host}",
        }

    def renew(self, secret: str) -> None:
        """Take over a new invitation's secret; keys need it once more."""
        self._context.renew(secret)

    async def close(self) -> None:
        """Close the door and all connections; closing twice does no harm."""
        sessions = [each.session for each in self._callers if each.session]
        for session in sessions:
            session.part(FAREWELL)
        await asyncio.gather(
            *(session.task for session in sessions if session.task), return_exceptions=True
        )
        await self._acceptor.close()

    async def _serve(self, client: socket.socket, attempt: auth_throttle.Attempt) -> None:
        """Serve one connection until it is closed."""
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED)
        connection = SshConnection(self._options)
        self._throttle.meet(attempt, connection)
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: connection, client)
        caller = connection.get_owner()
        assert isinstance(caller, SshLogin)
        self._callers.add(caller)
        caller.network = attempt.caller
        silent = [each for each in self._callers if each.silent and each.network == caller.network]
        if len(silent) > MOST_SILENT:
            min(silent, key=lambda each: each.came).abort()
        try:
            await connection.wait_closed()
        finally:
            connection.abort()
            if caller.silent:
                self._throttle.excuse(attempt)
            if caller.session and caller.session.task:
                await asyncio.shield(caller.session.task)
            self._callers.discard(caller)


async def open_ssh(club: ClubServer, options: DoorOptions) -> SshDoor:
    """Open the door.

    Raises:
        ValueError: the address cannot be listened on, or the door's files are damaged or not
            private.
        OSError: the door's files cannot be read or written.
    """
    directory = made_private(club_directory() / "ssh")
    key = await asyncio.to_thread(host_key, directory)
    context = AuthContext(club, options.secret, directory)
    ssh_options = await SSHServerConnectionOptions.construct(
        server_factory=lambda: SshLogin(context),
        server_host_keys=[key],
        server_version="thud",
        config=None,
        gss_host=None,
        compression_algs=["none"],
        login_timeout=LOGIN_SECONDS,
        keepalive_interval=ALIVE_SECONDS,
        keepalive_count_max=ALIVE_TIMES,
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
        line_editor=False,
        encoding=None,
        window=WINDOW,
        max_pktsize=PACKET,
    )
    listening = await asyncio.to_thread(bound_at, options.address, options.port)
    told = (options.reach, options.host, key.get_fingerprint())
    return SshDoor(listening, context, ssh_options, told)
