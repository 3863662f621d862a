"""Access checks: the origin policy, and the cookies of invited browsers.

A foreign page open in the same browser can send requests here, and its own domain name may even
resolve to this machine; `Origin` and `Host` reveal both. A cookie holds the browser's token, which
identifies its visitor, and the token's signature by the invitation's secret.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from thud.club.doors import LOOPBACK, DoorOptions
from thud.net.transports.invitation import bracketed
from thud.text import quoted


class OriginPolicy:
    """The hosts and origins that requests to a door may name.

    Args:
        options: the door's options.
        port: the port it listens on.

    Raises:
        ValueError: the public address is not a web address.
    """

    def __init__(self, options: DoorOptions, port: int) -> None:
        self._address = ip_address(options.address)
        if options.public_url:
            self.url = _public(options.public_url)
        else:
            self.url = f"http://{bracketed(options.host)}:{port}"
        self._public = options.public_url != ""

    def is_here(self, host: str) -> bool:
        """Whether a `Host` header names this door."""
        host = host.lower()
        if self._public:
            return host == urlsplit(self.url).netloc
        try:
            name = (urlsplit(f"//{host}").hostname or "") if _is_plain(host) else ""
            address = ip_address(LOOPBACK if name == "localhost" else name)
        except ValueError:
            return False
        return address == self._address or self._address.is_unspecified

    def is_own(self, origin: str, host: str) -> bool:
        """Whether an `Origin` header is ours, given the `Host` header."""
        scheme = urlsplit(self.url).scheme
        return origin.lower() == f"{scheme}://{host.lower()}"


def _is_plain(host: str) -> bool:
    """Whether a host is a plain name or address, with or without a port."""
    return all(each.isascii() and (each.isalnum() or each in ".-_:[]") for each in host)


def _public(text: str) -> str:
    try:
        url = urlsplit(text.lower())
        whole = f"{url.scheme}://{url.hostname}" + (f":{url.port}" if url.port else "")
    except ValueError:
        whole = ""
    is_plain = bool(whole) and url.scheme in {"http", "https"} and _is_plain(url.netloc)
    if is_plain and text.lower().rstrip("/") == whole:
        return whole
    if is_plain and whole == f"{url.scheme}://{url.netloc}" and url.path.strip("/"):
        raise ValueError(
            f"{quoted(text)} has a path, but a club needs a host name of its own, such as"
            " https://club.example"
        )
    raise ValueError(f"{quoted(text)} is not a web address such as https://club.example")


_TOKEN: Final = re.compile(r"([A-Za-z0-9_-]{32})\.([0-9a-f]{64})", re.ASCII)
_BYTES: Final = 24
_A_YEAR: Final = 365 * 24 * 3600


class AuthCookies:
    """The cookies of one door.

    Args:
        secret: the invitation's.
        port: the door's, in the cookie's name: browsers send a host's cookies to all its ports.
        encrypted: whether browsers use https, and send the cookie only that way.
        is_open: whether the club is open to strangers, whose cookies are valid only then.
    """

    def __init__(self, secret: str, port: int, *, encrypted: bool, is_open: bool = False) -> None:
        self._of_invited = secret.encode()
        self._of_strangers = f"open:{secret}".encode()
        self._keys = (self._of_invited, *([self._of_strangers] if is_open else []))
        self._encrypted = encrypted
        self._name = "__Host-thud" if encrypted else f"thud-{port}"

    def token(self, request: web.Request) -> str:
        """Return the token of a browser that was let in; empty for any other."""
        found = self._read(request)
        right = found and any(
            hmac.compare_digest(found[2], _signed(found[1], key)) for key in self._keys
        )
        return found[1] if found and right else ""

    def give(
        self,
        request: web.Request,
        response: web.Response,
        *,
        invited: bool = True,
        anew: bool = False,
    ) -> None:
        """Set a browser's cookie; one with an older invitation keeps its token, unless `anew`."""
        found = None if anew else self._read(request)
        token = found[1] if found else secrets.token_urlsafe(_BYTES)
        response.set_cookie(
            self._name,
            f"{token}.{_signed(token, self._of_invited if invited else self._of_strangers)}",
            max_age=_A_YEAR,
            path="/",
            secure=self._encrypted,
            httponly=True,
            samesite="Strict",
        )

    def _read(self, request: web.Request) -> re.Match[str] | None:
        return _TOKEN.fullmatch(request.cookies.get(self._name, ""))


def _signed(token: str, key: bytes) -> str:
    return hmac.new(key, token.encode(), hashlib.sha256).hexdigest()
