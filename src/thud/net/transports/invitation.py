"""Destinations of `thud join`, parsed from text; pure.

A destination is empty (the only match open here), a match's id, the path of another user's socket,
an ssh address, or an invitation to a listening host:

>>> parse_goal("ssh://ann@box:2222/m1")
OverSsh(user='ann', host='box', port=2222, match='m1', secret='')
>>> print(parse_goal("/tmp/thud-1000-5f2a90c1/m1#AAAAAAAAAAAAAAAAAAAAAA").path)
/tmp/thud-1000-5f2a90c1/m1
"""

from __future__ import annotations

import base64
import re
import secrets
from contextlib import suppress
from ipaddress import AddressValueError, IPv6Address
from typing import Final, NamedTuple, TypeAlias

from thud.records.store import is_id
from thud.text import quoted

PORT: Final = 4763
"""Default port of a host."""

FINGERPRINT_BYTES: Final = 12
"""Bytes of the fingerprint in an invitation, few enough to fit into 80 columns.

96 bits are enough: nobody can make another certificate with the same prefix.
"""

LONGEST: Final = 500
"""Most characters of a destination."""

EVERYWHERE: Final = "0.0.0.0"
"""The wildcard address: all networks of a machine."""

_HOST: Final = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._-]{0,252})", re.ASCII)
_USER: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+@-]{0,63}", re.ASCII)
_PORT: Final = re.compile(r"[0-9]{1,5}", re.ASCII)
_ZONE: Final = re.compile(r"[A-Za-z0-9._-]{1,32}", re.ASCII)
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,86}", re.ASCII)
_FINGERPRINT: Final = re.compile(r"[A-Za-z0-9_-]{16}|[A-Za-z0-9_-]{43}", re.ASCII)
_QUOTES: Final = re.compile(r"[\s<>'\"`]+")
_LONGEST_PATH: Final = 200


class OnThisMachine(NamedTuple):
    """A match of this user: its id, empty for the only one, and its secret, if it needs one."""

    match: str = ""
    secret: str = ""

    def __str__(self) -> str:
        return self.match


class OfAnother(NamedTuple):
    """A match of another user of this machine: a socket's path, and a secret."""

    path: str
    secret: str

    def __str__(self) -> str:
        return f"{self.path}#{self.secret}"


class OverSsh(NamedTuple):
    """A match on a machine reached over ssh.

    Args:
        user: the user name there; empty for ssh's default.
        host: a name or an address.
        port: None for ssh's default.
        match: its id, the path of another user's socket, or empty for the only one.
        secret: the secret of that other user's host.
    """

    user: str
    host: str
    port: int | None = None
    match: str = ""
    secret: str = ""

    @property
    def account(self) -> str:
        """The account, as in ssh's arguments."""
        return f"{self.user}@{self.host}" if self.user else self.host

    def __str__(self) -> str:
        user = f"{self.user}@" if self.user else ""
        port = "" if self.port is None else f":{self.port}"
        match = f"/{self.match.removeprefix('/')}" if self.match else ""
        secret = f"#{self.secret}" if self.secret else ""
        return f"ssh://{user}{bracketed(self.host)}{port}{match}{secret}"


class OverTls(NamedTuple):
    """A host reached over TLS, by its invitation.

    Args:
        address: a name or an address.
        port: 1 to 65535.
        fingerprint: a prefix of its certificate's SHA-256; all of it in older invitations.
        secret: the invitation's secret.
    """

    address: str
    port: int
    fingerprint: bytes
    secret: str

    def __str__(self) -> str:
        port = "" if self.port == PORT else f":{self.port}"
        return f"thud://{bracketed(self.address)}{port}/#{_written(self.fingerprint)}.{self.secret}"


Goal: TypeAlias = OnThisMachine | OfAnother | OverSsh | OverTls


def new_secret() -> str:
    """Return a random secret of 128 bits."""
    return secrets.token_urlsafe(16)


def parse_goal(text: str) -> Goal:
    """Parse a destination; an invitation may have been wrapped and quoted on its way.

    Raises:
        ValueError: it is none of the known forms.
    """
    if "thud://" in text:
        text = _QUOTES.sub("", text)
    if len(text) > LONGEST or not text.isprintable():
        raise ValueError(f"{quoted(text)} is not the address of a match")
    scheme, found, rest = text.partition("://")
    if not found:
        return _parse_here(text)
    if scheme == "thud":
        return _parse_invitation(text, rest)
    if scheme == "ssh":
        return _parse_ssh(text, rest)
    raise ValueError(f"{quoted(text)} begins with neither thud:// nor ssh://")


def parse_listen(text: str) -> tuple[str, int]:
    """Parse an address and a port to listen on; both are optional.

    Raises:
        ValueError: the address or the port is invalid.
    """
    if _PORT.fullmatch(text):
        text = f":{text}"
    if len(text) > LONGEST:
        raise ValueError(f"{quoted(text)} is not an address to listen on")
    address, port = _parse_place(text, text) if text and text[0] != ":" else ("", _port(text))
    return address or EVERYWHERE, PORT if port is None else port


def _parse_here(text: str) -> Goal:
    if "/" not in text and "#" not in text:
        if text and not is_id(text):
            raise ValueError(f"{quoted(text)} is not the id of a match")
        return OnThisMachine(text)
    path, _, secret = text.partition("#")
    return OfAnother(_path(path), _secret(text, secret))


def _parse_invitation(text: str, rest: str) -> OverTls:
    place, _, proof = rest.partition("/#")
    fingerprint, _, secret = proof.partition(".")
    if not _FINGERPRINT.fullmatch(fingerprint) or _written(_read(fingerprint)) != fingerprint:
        raise ValueError(f"{quoted(text)} is not a whole invitation: copy all of it")
    address, port = _parse_place(text, place)
    port = PORT if port is None else port
    return OverTls(address, port, _read(fingerprint), _secret(text, secret))


def _parse_ssh(text: str, rest: str) -> OverSsh:
    place, slash, name = rest.partition("/")
    user, at, place = place.rpartition("@")
    if at and not _USER.fullmatch(user):
        raise ValueError(f"{quoted(user)} is not a user name")
    host, port = _parse_place(text, place)
    if "/" not in name and "#" not in name:
        if name and not is_id(name):
            raise ValueError(f"{quoted(name)} is not the id of a match")
        return OverSsh(user, host, port, name)
    path, _, secret = name.partition("#")
    return OverSsh(user, host, port, _path(slash + path), _secret(text, secret))


def _parse_place(text: str, place: str) -> tuple[str, int | None]:
    """Split an address and an optional port."""
    if place.startswith("["):
        address, found, port = place[1:].partition("]")
        number, zoned, zone = address.partition("%")
        with suppress(AddressValueError):
            IPv6Address(number)
            if found and (not zoned or _ZONE.fullmatch(zone)):
                return address, _port(port)
    else:
        address, found, port = place.partition(":")
        if _HOST.fullmatch(address):
            return address, _port(found + port)
    raise ValueError(f"{quoted(text)} has no machine in it")


def _port(text: str) -> int | None:
    if not text:
        return None
    if not (text[0] == ":" and _PORT.fullmatch(text[1:]) and 0 < int(text[1:]) < 2**16):
        raise ValueError(f"{quoted(text.removeprefix(':'))} is not a port: use 1 to 65535")
    return int(text[1:])


def _path(text: str) -> str:
    """Check that a path is absolute, without empty, `.` or `..` parts."""
    parts = text.split("/")
    if parts[0] or len(parts) < 3 or {"", ".", ".."} & {*parts[1:]} or len(text) > _LONGEST_PATH:
        raise ValueError(f"{quoted(text)} is not the path of a match")
    return text


def _secret(text: str, secret: str) -> str:
    if not _SECRET.fullmatch(secret):
        raise ValueError(f"{quoted(text)} lacks the secret at its end: copy all of it")
    return secret


def bracketed(host: str) -> str:
    """Return a host as it stands before a port: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
