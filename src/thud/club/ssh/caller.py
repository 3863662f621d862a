"""Who is at the other end of a line: let in by a key that is known, or by the word."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import (
    Sequence,
)
from contextlib import (
    suppress,
)
from textwrap import (
    fill,
)
from typing import (
    Final,
    NamedTuple,
)

from asyncssh import (
    DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
    SSHKey,
    SSHServer,
    SSHServerConnection,
)

from thud.club.bounds import (
    USUAL_SIZE,
)
from thud.club.club import (
    Club,
)
from thud.club.ssh.bounds import (
    MOST_KEYS,
    MOST_TRIES,
    MOST_VARIABLES,
    SILENT_SECONDS,
    WRONG_SECONDS,
)
from thud.club.ssh.keys import (
    LetIn,
)
from thud.club.ssh.line import (
    Line,
)
from thud.club.ssh.stay import (
    Stay,
)
from thud.club.visitors import (
    Visitor,
)
from thud.net.transports.auth_throttle import (
    AuthThrottle,
)
from thud.tui.club.profile import (
    clean,
)

_PROMPT: Final = "The word of the invitation: "
_WRONG: Final = "That is not the word of the invitation."
_ENOUGH: Final = "That was not the word of the invitation: ask who has invited you."
_WITH_KEY: Final = "Say the word once, and your key alone lets you in from then on."


class House(NamedTuple):
    """What all callers come to.

    Attributes:
        club: where they are let in.
        word: of the invitation.
        keys: that were let in by it.
        guard: bounds those who have shown neither.
    """

    club: Club
    word: str
    keys: LetIn
    guard: AuthThrottle


class Caller(SSHServer):
    """Somebody on a line, who is a visitor as soon as they have shown what only they can.

    Args:
        house: what they come to.

    Attributes:
        stay: what they get, once they have asked for it.
    """

    _line: Line

    def __init__(self, house: House) -> None:
        self._house = house
        self._name = ""
        self._visitor: Visitor | None = None
        self._proven: bytes | None = None
        self._keys = 0
        self._tries = 0
        self.stay: Stay | None = None

    # Being let in.

    def connection_made(self, conn: SSHServerConnection) -> None:
        """Know the line, which may not be silent at first."""
        assert isinstance(conn, Line)
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
        return self._proven is None or self._house.keys.knows(key.public_data)

    def has_proven(self, key: bytes) -> bool:
        """Hear that the caller has a key; return whether that lets them in."""
        self._proven = key
        if not self._house.keys.knows(key):
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
        self._house.guard.right(self._line)
        self._line.expect(SILENT_SECONDS)

    async def _say_word(self, said: str) -> bool:
        if self._tries >= MOST_TRIES:
            return False
        if hmac.compare_digest(said.strip().encode(), self._house.word.encode()):
            await self._let_in()
            return True
        self._tries += 1
        self._house.guard.wrong(self._line)
        await asyncio.sleep(WRONG_SECONDS)
        if self._tries >= MOST_TRIES:
            self._part(_ENOUGH)
        return False

    async def _let_in(self) -> None:
        if self._proven is None:
            known_by = f"{self._house.word}:{self._name}"
            self._visitor = self._house.club.visitors.who_shows("ssh-name", known_by)
            return
        with suppress(OSError):  # they have to say it again next time
            await asyncio.to_thread(self._house.keys.add, self._proven)
        self._visitor = self._by_key(self._proven)

    def _by_key(self, key: bytes) -> Visitor:
        return self._house.club.visitors.who_shows("ssh-key", key.hex())

    def _without_key(self) -> str:
        return fill(
            f"You have shown no key: you are known as {self._name or 'nobody'} and by the word. "
            "Whoever is told the word can come by that name and be you; ssh-keygen makes a key.",
            USUAL_SIZE[0] - 1,
        )

    # What they get.

    def session_requested(self) -> Stay | bool:
        """Give them the one stay that there is on a line."""
        if self._visitor is None or self.stay is not None:
            return False
        self.stay = Stay(self._house.club, self._visitor, self._name, self._line)
        return self.stay

    def heard(self) -> None:
        """Know that they are not silent, and hang up on somebody who offers too much."""
        if self._visitor is None:
            # They may look at the key of the host now, until the time to log in is up.
            self._line.content()
        if self.stay and self.stay.variables > MOST_VARIABLES:
            self._line.abort()

    def hold(self, reason: str) -> None:
        """Show them nothing for now."""
        if self.stay:
            self.stay.output.hold(reason)

    def free(self, reason: str) -> None:
        """Show them again what there is."""
        if self.stay:
            self.stay.output.free(reason)

    def _part(self, sentence: str) -> None:
        self._line.disconnect(DISC_NO_MORE_AUTH_METHODS_AVAILABLE, sentence)
