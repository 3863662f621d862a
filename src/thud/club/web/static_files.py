"""The page's static files, ours and textual-serve's, read once.

A request names an entry of this list, never a path.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from aiohttp import web

_OURS: Final = (
    *("board.js", "club.css", "club.js", "icon.svg"),
    *("page.html", "text.html", "text.js", "worker.js"),
    *("mono.woff2", "mono-italic.woff2"),
)
_THEIRS: Final = {
    "textual.js": "js/textual.js",
    "xterm.css": "css/xterm.css",
    "mono.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
    "mono-italic.ttf": "fonts/RobotoMono-Italic-VariableFont_wght.ttf",
}
_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "gz": "application/octet-stream",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "mjs": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "wasm": "application/wasm",
    "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
    "zip": "application/octet-stream",
}


class StaticFile(NamedTuple):
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

    def response(self, request: web.Request, *, status: int = 200) -> web.Response:
        """Return the file, or 304 if the browser has it already."""
        headers = {"ETag": self.mark, "Content-Type": self.kind, "Vary": "Accept-Encoding"}
        if status == 200 and request.headers.get("If-None-Match") == self.mark:
            return web.Response(status=304, headers=headers)
        data = self.data
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"], data = "gzip", self.packed
        return web.Response(body=data, status=status, headers=headers)


@cache
def static_files() -> Mapping[str, StaticFile]:
    """Return all files that browsers may fetch, by name."""
    ours, theirs = files(__package__) / "page", files("textual_serve") / "static"
    sources = {name: ours / name for name in _OURS}
    sources |= {name: theirs.joinpath(*path.split("/")) for name, path in _THEIRS.items()}
    return {name: static_file(name, source.read_bytes()) for name, source in sources.items()}


def static_file(name: str, data: bytes) -> StaticFile:
    """Return a file as it is sent.

    Raises:
        KeyError: its kind is not known.
    """
    kind = _KINDS[name.rpartition(".")[2]]
    mark = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    return StaticFile(kind, data, gzip.compress(data, 6, mtime=0), mark)
