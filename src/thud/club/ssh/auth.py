"""Authentication over ssh: host key, authorized keys, the invitation's word."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Final

from asyncssh import (
    DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
    KeyImportError,
    SSHKey,
    SSHServer,
    SSHServerConnection,
    generate_private_key,
    import_private_key,
)

from thud.club.club import ClubServer
from thud.club.doors import USUAL_SIZE
from thud.club.ssh.connection import SshConnection
from thud.club.ssh.session import SshSession
from thud.club.storage import MOST_KNOWN, Visitor
from thud.disk.small import write_small
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.permissions import keep_new, read_bytes, read_object
from thud.text import quoted
from thud.visitor.profile import clean

_HOST_KEY: Final = "host_key"
_LET_IN: Final = "keys.json"
_LARGEST_KEY: Final = 2**14
_LARGEST: Final = 2**17
_LENGTH: Final = 32


def host_key(directory: Path) -> SSHKey:
    """Return this host's key; made the first time.

    Args:
        directory: private directory of the key's file.

    Raises:
        ValueError: the file is damaged.
        OSError: it cannot be read or written.
    """
    path = directory / _HOST_KEY
    if not os.path.lexists(path):
        keep_new(path, generate_private_key("ssh-ed25519").export_private_key())
    try:
        return import_private_key(read_bytes(path, _LARGEST_KEY))
    except KeyImportError:
        raise ValueError(
            f"{quoted(str(path), 200)} is damaged: delete it to get a new one"
        ) from None


class AuthorizedKeys:
    """Public keys authorized with the invitation's word, valid as long as the word is.

    Args:
        directory: private directory of their file, which holds digests keyed with the word.
        word: the invitation's.
    """

    def __init__(self, directory: Path, word: str) -> None:
        self._path = directory / _LET_IN
        self._word = word.encode()

    def knows(self, key: bytes) -> bool:
        """Whether a public key is authorized."""
        return self._digest(key) in self._all()

    def add(self, key: bytes) -> None:
        """Authorize a public key; the oldest is dropped if there are too many.

        Raises:
            OSError: it cannot be saved.
        """
        digest = self._digest(key)
        kept = [each for each in self._all() if each != digest]
        write_small(self._path, {"keys": [*kept, digest][-MOST_KNOWN:]}, private=True)

    def _all(self) -> list[str]:
        found = read_object(self._path, _LARGEST).get("keys")
        return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []

    def _digest(self, key: bytes) -> str:
        return hmac.new(self._word, key, hashlib.sha256).hexdigest()[:_LENGTH]


SILENT_SECONDS: Final = 10.0
"""Timeout for the first message, and again after login for the request of a session."""

MOST_TRIES: Final = 3
"""Wrong words after which the connection ends."""

WRONG_SECONDS: Final = 1.0
"""Delay before a wrong word is refused."""

MOST_KEYS: Final = 24
"""Public keys that one connection may offer."""

MOST_VARIABLES: Final = 64
"""Environment variables that one connection may set."""


_GUEST: Final = (
    "You have no ssh key, and are a guest: ten minutes after you have left, you are forgotten."
)

_PROMPT: Final = "The word of the invitation: "


class AuthContext:
    """The credentials that logins are checked against.

    Args:
        club: admits visitors.
        word: the invitation's.
        directory: private directory for the keys' file.

    Attributes:
        club: the same.
        word: the same.
        keys: public keys authorized with the word.
        throttle: limits clients that have shown neither.
    """

    def __init__(self, club: ClubServer, word: str, directory: Path) -> None:
        self.club = club
        self._directory = directory
        self.throttle = AuthThrottle()
        self.renew(word)

    def renew(self, word: str) -> None:
        """Take over a new invitation's word: no key is authorized any longer."""
        self.word = word
        self.keys = AuthorizedKeys(self._directory, word)


class SshLogin(SSHServer):
    """The login of one ssh client, by key or by the invitation's word, and its one session.

    Args:
        context: the credentials to check against.

    Attributes:
        session: the session, once requested.
        silent: whether the client has sent nothing yet.
        network: where the client comes from.
        came: when, by the event loop's clock.
    """

    _connection: SshConnection

    def __init__(self, context: AuthContext) -> None:
        self._context = context
        self._name = ""
        self._visitor: Visitor | None = None
        self._proven: bytes | None = None
        self._keys = 0
        self._tries = 0
        self.session: SshSession | None = None
        self.silent = True
        self.network = ""
        self.came = asyncio.get_running_loop().time()

    # Login

    def connection_made(self, conn: SSHServerConnection) -> None:
        """Keep the connection and start the timeout for silence."""
        assert isinstance(conn, SshConnection)
        self._connection = conn
        conn.peer = self
        conn.abort_after(SILENT_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._connection.keep()
        if self._visitor:
            self._context.club.release(self._visitor)

    async def begin_auth(self, username: str) -> bool:
        """Take the user name as a proposed name, which proves nothing.

        A link that only shows a table is enough alone: whoever comes with it is no visitor.
        """
        self._name = clean(username)
        club = self._context.club
        if watcher := await asyncio.to_thread(club.shown_by, username):
            self._name, self._visitor = "", watcher
        return watcher is None

    def public_key_auth_supported(self) -> bool:
        """Allow keys."""
        return True

    def validate_public_key(self, username: str, key: SSHKey) -> bool:
        """Let the client prove any authorized key, and one other key."""
        self._keys += 1
        if self._keys > MOST_KEYS:
            self._part("Too many keys were tried.")
            return False
        return self._proven is None or self._is_authorized(key.public_data)

    def has_proven(self, key: bytes) -> bool:
        """Note a key the client has proven; return whether it is authorized."""
        self._proven = key
        if not self._is_authorized(key):
            return False
        self._visitor = self._by_key(key)
        if self._context.club.is_open:
            self._context.club.visitors.invite(self._visitor.came_as)
        return True

    def _is_authorized(self, key: bytes) -> bool:
        if self._context.club.is_open:
            return True
        visitor = self._by_key(key)
        revoked = self._context.club.visitors.is_revoked(visitor.came_as)
        return self._context.keys.knows(key) and not revoked

    def kbdint_auth_supported(self) -> bool:
        """Allow the word as an answer to a prompt."""
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]]:
        """Ask for the word; in an open club for nothing, but say what a guest is."""
        if self._context.club.is_open:
            return ("", _GUEST, "", [])
        with_key = "Give the word once; after that your key is enough."
        return ("", with_key if self._proven else self._without_key(), "", [(_PROMPT, False)])

    async def validate_kbdint_response(
        self, username: str, responses: Sequence[str]
    ) -> bool | tuple[str, str, str, list[tuple[str, bool]]]:
        """Check the word; ask again if it is wrong."""
        club = self._context.club
        if club.is_open:
            if self._visitor is None:
                self._visitor = club.guest(self.network, self._name)
            return True
        if await self._say_word("".join(responses)):
            return True
        wrong = "That is not the word of the invitation."
        return self._tries < MOST_TRIES and ("", wrong, "", [(_PROMPT, False)])

    def password_auth_supported(self) -> bool:
        """Allow the word as a password; nobody has one in an open club."""
        return not self._context.club.is_open

    async def validate_password(self, username: str, password: str) -> bool:
        """Check the word."""
        right = await self._say_word(password)
        if right and not self._proven:
            self._connection.send_auth_banner(f"{self._without_key()}\n")
        return right

    def auth_completed(self) -> None:
        """Start the timeout for the request of a session; count the success, if it proves much."""
        if not (self._context.club.is_open or (self._visitor and self._visitor.shown)):
            self._context.throttle.right(self._connection)
        self._connection.abort_after(SILENT_SECONDS)

    async def _say_word(self, said: str) -> bool:
        if self._tries >= MOST_TRIES:
            return False
        context = self._context
        if not hmac.compare_digest(said.strip().encode(), context.word.encode()):
            self._tries += 1
            context.throttle.wrong(self._connection)
            await asyncio.sleep(WRONG_SECONDS)
            if self._tries >= MOST_TRIES:
                self._part("That was not the word of the invitation: ask whoever invited you.")
            return False
        visitors = context.club.visitors
        if self._proven is None:
            visitor = visitors.who_shows("ssh-name", f"{context.word}:{self._name}")
        else:
            with suppress(OSError):  # they are asked for the word again next time
                await asyncio.to_thread(context.keys.add, self._proven)
            visitor = self._by_key(self._proven)
        visitors.invite(visitor.came_as)
        self._visitor = visitor
        return True

    def _by_key(self, key: bytes) -> Visitor:
        return self._context.club.visitors.who_shows("ssh-key", key.hex())

    def _without_key(self) -> str:
        return fill(
            "You have no ssh key: anybody who knows the word can come in as "
            f"{self._name or 'you'}. To prevent that, make a key with ssh-keygen.",
            USUAL_SIZE[0] - 1,
        )

    # Session

    def session_requested(self) -> SshSession | bool:
        """Return the session of the connection; there is only one."""
        if self._visitor is None or self.session is not None:
            return False
        self.session = SshSession(
            self._context.club,
            self._visitor,
            self._name,
            self._connection,
            partial(self._context.throttle.right, self._connection),
        )
        return self.session

    def heard(self) -> None:
        """Stop the timeout for silence; abort if the client sets too many variables."""
        self.silent = False
        if self._visitor is None:
            # They may compare the host key now, within the login timeout.
            self._connection.keep()
        if self.session and self.session.variables > MOST_VARIABLES:
            self._connection.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self._connection.abort()

    def pause(self, reason: str) -> None:
        """Pause output."""
        if self.session:
            self.session.output.pause(reason)

    def resume(self, reason: str) -> None:
        """Resume output."""
        if self.session:
            self.session.output.resume(reason)

    def _part(self, sentence: str) -> None:
        self._connection.disconnect(DISC_NO_MORE_AUTH_METHODS_AVAILABLE, sentence)
