"""The page's static files, ours and textual-serve's, read once.

A request names an entry of this list, never a path.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from aiohttp import web

_OURS: Final = ("club.css", "club.js", "icon.svg", "page.html", "text.html", "text.js", "worker.js")
_THEIRS: Final = {
    "textual.js": "js/textual.js",
    "xterm.css": "css/xterm.css",
    "mono.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
    "mono-italic.ttf": "fonts/RobotoMono-Italic-VariableFont_wght.ttf",
}
_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}


class _File(NamedTuple):
    """A file as it is sent.

    Attributes:
        kind: its content type.
        data: its content.
        packed: its content, compressed.
        mark: its ETag.
    """

    kind: str
    data: bytes
    packed: bytes
    mark: str


class StaticFiles:
    """All files that browsers may fetch."""

    def __init__(self) -> None:
        self._files = _files()

    def response(self, name: str, request: web.Request, *, status: int = 200) -> web.Response:
        """Return a file, or 304 if the browser has it already.

        Raises:
            HTTPNotFound: there is no such file.
        """
        if name not in self._files:
            raise web.HTTPNotFound
        kind, data, packed, mark = self._files[name]
        headers = {"ETag": mark, "Content-Type": kind, "Vary": "Accept-Encoding"}
        if status == 200 and request.headers.get("If-None-Match") == mark:
            return web.Response(status=304, headers=headers)
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"], data = "gzip", packed
        return web.Response(body=data, status=status, headers=headers)


@cache
def _files() -> dict[str, _File]:
    ours, theirs = files(__package__) / "page", files("textual_serve") / "static"
    return {name: _read(ours / name) for name in _OURS} | {
        name: _read(theirs.joinpath(*path.split("/"))) for name, path in _THEIRS.items()
    }


def _read(source: Traversable) -> _File:
    data = source.read_bytes()
    kind = _KINDS[source.name.rpartition(".")[2]]
    mark = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    return _File(kind, data, gzip.compress(data, 6, mtime=0), mark)
