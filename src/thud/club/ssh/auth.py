"""Authentication over ssh: the host's key, the authorized keys, and the invitation's word."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import fill
from typing import Final, NamedTuple

from asyncssh import (
    DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
    KeyImportError,
    SSHKey,
    SSHServer,
    SSHServerConnection,
    generate_private_key,
    import_private_key,
)

from thud.club.club import Club
from thud.club.doors import USUAL_SIZE
from thud.club.ssh.connection import SshConnection
from thud.club.ssh.session import SshSession
from thud.club.storage import MOST_KNOWN, Visitor
from thud.disk.small import write_small
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.permissions import keep_new, read_bytes, read_object
from thud.tui.club.profile import clean
from thud.wording.text import quoted

_HOST_KEY: Final = "host_key"
_LET_IN: Final = "keys.json"
_LARGEST_KEY: Final = 2**14
_LARGEST: Final = 2**17
_LENGTH: Final = 32


def host_key(directory: Path) -> SSHKey:
    """Return the key by which guests know this host; make it the first time.

    Args:
        directory: private, where it is kept.

    Raises:
        ValueError: the file of it is damaged.
        OSError: it cannot be read or written.
    """
    path = directory / _HOST_KEY
    if not os.path.lexists(path):
        keep_new(path, generate_private_key("ssh-ed25519").export_private_key())
    try:
        return import_private_key(read_bytes(path, _LARGEST_KEY))
    except KeyImportError:
        raise ValueError(
            f"{quoted(str(path), 200)} is damaged: delete it, and there will be a new one"
        ) from None


class AuthorizedKeys:
    """The keys that somebody has shown together with the word, as long as it is the word.

    Args:
        directory: private, where they are kept: as digests that nobody finds who lacks the word.
        word: of the invitation.
    """

    def __init__(self, directory: Path, word: str) -> None:
        self._path = directory / _LET_IN
        self._word = word.encode()

    def knows(self, key: bytes) -> bool:
        """Say whether a public key was let in."""
        return self._digest(key) in self._all()

    def add(self, key: bytes) -> None:
        """Let a public key in from now on, on whose account the oldest may be forgotten.

        Raises:
            OSError: it cannot be kept.
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
"""So long a line may say nothing at all; and so long, let in, not ask for the board."""

MOST_TRIES: Final = 3
"""So many wrong words end a line."""

WRONG_SECONDS: Final = 1.0
"""So long a wrong word is thought over."""

MOST_KEYS: Final = 24
"""So many keys can be shown on one line."""

MOST_VARIABLES: Final = 64
"""So many variables of the environment can be offered."""


_PROMPT: Final = "The word of the invitation: "
_WRONG: Final = "That is not the word of the invitation."
_ENOUGH: Final = "That was not the word of the invitation: ask who has invited you."
_WITH_KEY: Final = "Say the word once, and your key alone lets you in from then on."


class AuthContext(NamedTuple):
    """What all callers come to.

    Attributes:
        club: where they are let in.
        word: of the invitation.
        keys: that were let in by it.
        throttle: bounds those who have shown neither.
    """

    club: Club
    word: str
    keys: AuthorizedKeys
    throttle: AuthThrottle


class Caller(SSHServer):
    """Somebody on a line, who is a visitor as soon as they have shown what only they can.

    Args:
        context: what they come to.

    Attributes:
        session: what they get, once they have asked for it.
    """

    _line: SshConnection

    def __init__(self, context: AuthContext) -> None:
        self._context = context
        self._name = ""
        self._visitor: Visitor | None = None
        self._proven: bytes | None = None
        self._keys = 0
        self._tries = 0
        self.session: SshSession | None = None

    # Being let in.

    def connection_made(self, conn: SSHServerConnection) -> None:
        """Know the line, which may not be silent at first."""
        assert isinstance(conn, SshConnection)
        self._line = conn
        conn.other = self
        conn.expect(SILENT_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._line.content()

    def begin_auth(self, username: str) -> bool:
        """Take a name, which says nothing of who they are."""
        self._name = clean(username)
        return True

    def public_key_auth_supported(self) -> bool:
        """Let everybody show keys."""
        return True

    def validate_public_key(self, username: str, key: SSHKey) -> bool:
        """Let a known key be proven, and one other."""
        self._keys += 1
        if self._keys > MOST_KEYS:
            self._part("So many keys are not tried.")
            return False
        return self._proven is None or self._context.keys.knows(key.public_data)

    def has_proven(self, key: bytes) -> bool:
        """Hear that the caller has a key; return whether that lets them in."""
        self._proven = key
        if not self._context.keys.knows(key):
            return False
        self._visitor = self._by_key(key)
        return True

    def kbdint_auth_supported(self) -> bool:
        """Let everybody say the word."""
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]]:
        """Ask for the word."""
        return ("", _WITH_KEY if self._proven else self._without_key(), "", [(_PROMPT, False)])

    async def validate_kbdint_response(
        self, username: str, responses: Sequence[str]
    ) -> bool | tuple[str, str, str, list[tuple[str, bool]]]:
        """Hear the word; ask again if it is another."""
        if await self._say_word("".join(responses)):
            return True
        return self._tries < MOST_TRIES and ("", _WRONG, "", [(_PROMPT, False)])

    def password_auth_supported(self) -> bool:
        """Let everybody say the word in this way, too."""
        return True

    async def validate_password(self, username: str, password: str) -> bool:
        """Hear the word."""
        right = await self._say_word(password)
        if right and not self._proven:
            self._line.send_auth_banner(f"{self._without_key()}\n")
        return right

    def auth_completed(self) -> None:
        """Know that they are in, and what they come for they should say."""
        self._context.throttle.right(self._line)
        self._line.expect(SILENT_SECONDS)

    async def _say_word(self, said: str) -> bool:
        if self._tries >= MOST_TRIES:
            return False
        if hmac.compare_digest(said.strip().encode(), self._context.word.encode()):
            await self._let_in()
            return True
        self._tries += 1
        self._context.throttle.wrong(self._line)
        await asyncio.sleep(WRONG_SECONDS)
        if self._tries >= MOST_TRIES:
            self._part(_ENOUGH)
        return False

    async def _let_in(self) -> None:
        if self._proven is None:
            known_by = f"{self._context.word}:{self._name}"
            self._visitor = self._context.club.visitors.who_shows("ssh-name", known_by)
            return
        with suppress(OSError):  # they have to say it again next time
            await asyncio.to_thread(self._context.keys.add, self._proven)
        self._visitor = self._by_key(self._proven)

    def _by_key(self, key: bytes) -> Visitor:
        return self._context.club.visitors.who_shows("ssh-key", key.hex())

    def _without_key(self) -> str:
        return fill(
            f"You have shown no key: you are known as {self._name or 'nobody'} and by the word. "
            "Whoever is told the word can come by that name and be you; ssh-keygen makes a key.",
            USUAL_SIZE[0] - 1,
        )

    # What they get.

    def session_requested(self) -> SshSession | bool:
        """Give them the one session that there is on a line."""
        if self._visitor is None or self.session is not None:
            return False
        self.session = SshSession(self._context.club, self._visitor, self._name, self._line)
        return self.session

    def heard(self) -> None:
        """Know that they are not silent, and hang up on somebody who offers too much."""
        if self._visitor is None:
            # They may look at the key of the host now, until the time to log in is up.
            self._line.content()
        if self.session and self.session.variables > MOST_VARIABLES:
            self._line.abort()

    def hold(self, reason: str) -> None:
        """Show them nothing for now."""
        if self.session:
            self.session.output.hold(reason)

    def free(self, reason: str) -> None:
        """Show them again what there is."""
        if self.session:
            self.session.output.free(reason)

    def _part(self, sentence: str) -> None:
        self._line.disconnect(DISC_NO_MORE_AUTH_METHODS_AVAILABLE, sentence)
