"""What shows that a browser was invited, and which one it is: a cookie.

It holds a token of the browser's own, by which its visitor is known again, and what only somebody
with the secret of the invitation could have made of that.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

from aiohttp import web

_TOKEN: Final = re.compile(r"([A-Za-z0-9_-]{32})\.([0-9a-f]{64})", re.ASCII)
_BYTES: Final = 24
_A_YEAR: Final = 365 * 24 * 3600


class Passes:
    """The cookies of one door.

    Args:
        secret: of the invitation.
        port: where the door is: a browser sends the same cookies to all ports of a machine.
        encrypted: whether browsers come by https, and send the cookie no other way.
    """

    def __init__(self, secret: str, port: int, *, encrypted: bool) -> None:
        self._secret = secret.encode()
        self._encrypted = encrypted
        self._name = "__Host-thud" if encrypted else f"thud-{port}"

    def invited(self, shown: str) -> bool:
        """Say whether somebody shows the secret of the invitation."""
        return hmac.compare_digest(shown.encode(), self._secret)

    def token(self, request: web.Request) -> str:
        """Return the token of a browser that has been let in; empty if it has not."""
        found = self._read(request)
        return found[1] if found and hmac.compare_digest(found[2], self._sign(found[1])) else ""

    def give(self, request: web.Request, response: web.Response) -> None:
        """Let a browser in from now on; one that had another invitation before stays who it is."""
        found = self._read(request)
        token = found[1] if found else secrets.token_urlsafe(_BYTES)
        response.set_cookie(
            self._name,
            f"{token}.{self._sign(token)}",
            max_age=_A_YEAR,
            path="/",
            secure=self._encrypted,
            httponly=True,
            samesite="Strict",
        )

    def _read(self, request: web.Request) -> re.Match[str] | None:
        return _TOKEN.fullmatch(request.cookies.get(self._name, ""))

    def _sign(self, token: str) -> str:
        return hmac.new(self._secret, token.encode(), hashlib.sha256).hexdigest()
