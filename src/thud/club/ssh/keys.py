"""Keys: the host's, made once, and those that were let in by the word of the invitation."""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path
from typing import Final

from asyncssh import KeyImportError, SSHKey, generate_private_key, import_private_key

from thud.club.bounds import MOST_KNOWN
from thud.disk.small import write_small
from thud.net.transports.permissions import keep_new, read_bytes, read_object
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


class LetIn:
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
