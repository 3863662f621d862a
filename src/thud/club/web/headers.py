"""What every answer says: that browsers load, show, keep and tell no more than they must."""

from __future__ import annotations

from typing import Final

from aiohttp import web

_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",  # xterm.js writes the sizes of its cells into styles
    "font-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}

_SAID: Final = {
    "Content-Security-Policy": "; ".join(f"{what} {whence}" for what, whence in _POLICY.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Server": "thud",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


async def say(_: web.Request, response: web.StreamResponse) -> None:
    """Add it to an answer; one that does not say how long it may be kept is not kept at all."""
    response.headers.update(_SAID)
    response.headers.setdefault("Cache-Control", "no-store")
