"""`thud --version`: what runs here, without loading any of it."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from thud import __version__


def versions() -> str:
    """Return the versions of the program, of Python and of Textual, in one line."""
    return f"thud {__version__} (Python {platform.python_version()}, Textual {_of('textual')})"


def _of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"
