"""The page that runs the program in a browser, from the zip file that `make page` builds."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from thud.club.web.static_files import StaticFile, static_file
from thud.text import why

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page and its workers may do: also run WebAssembly."""

_MOST_FILES: Final = 200
_MOST_BYTES: Final = 64 << 20
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*)*(\.[a-z0-9_]+)+")


def page_files(path: Path) -> Mapping[str, StaticFile]:
    """Return the page's files by name.

    Raises:
        ValueError: the file cannot be read, or is no such page.
    """
    try:
        with ZipFile(path) as archive:
            listed = archive.infolist()
            known = all(_NAME.fullmatch(each.filename) for each in listed)
            size = sum(each.file_size for each in listed)
            if not known or len(listed) > _MOST_FILES or size > _MOST_BYTES:
                raise BadZipFile
            found = {
                each.filename: static_file(each.filename, archive.read(each)) for each in listed
            }
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {why(error)}") from error
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError):
        found = {}
    if not {"index.html", "program.js"} <= found.keys():
        raise ValueError(f"{path} is no page of Thud's: 'make page' builds one")
    return found
