"""The program's directories: the platform's, or from environment variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal

DATA_VARIABLE: Final = "THUD_DATA_DIR"
"""Environment variable for the data directory."""

SETTINGS_VARIABLE: Final = "THUD_CONFIG_DIR"
"""Environment variable for the settings directory."""

CACHE_VARIABLE: Final = "THUD_CACHE_DIR"
"""Environment variable for the cache directory."""

RUN_VARIABLE: Final = "THUD_RUN_DIR"
"""Environment variable for the runtime directory, where a user's programs find one another."""


LAST_CHOICES: Final = "last-match.json"
"""The file of the front page's last choices, in the data directory."""

COMPILED_VARIABLE: Final = "THUD_COMPILED_DIR"
"""Environment variable for a directory of machine code that is only read, as a club gives it."""


def data_directory() -> Path:
    """Return the directory of matches and last choices; it need not exist."""
    return _chosen(DATA_VARIABLE) or _usual("data")


def settings_directory() -> Path:
    """Return the settings file's directory; it need not exist."""
    return _chosen(SETTINGS_VARIABLE) or _usual("config")


def cache_directory() -> Path:
    """Return the directory for caches; it need not exist."""
    return _chosen(CACHE_VARIABLE) or _usual("cache")


def compiled_directory() -> tuple[Path, bool]:
    """Return the directory of the machine code for searches, and whether to write there.

    It need not exist.
    """
    if given := _chosen(COMPILED_VARIABLE):
        return given, False
    return cache_directory() / "core", True


def run_directories() -> tuple[Path, ...]:
    """Return the directories where this user's running programs find one another, best first.

    There are several, since programs run over ssh or in the background may have fewer environment
    variables than others of the same user.  None need exist.
    """
    if chosen := _chosen(RUN_VARIABLE):
        return (chosen,)
    if not hasattr(os, "getuid"):
        return (data_directory() / "run",)
    import tempfile

    user = os.getuid()
    runtime = (Path(os.environ.get("XDG_RUNTIME_DIR", "")), Path("/run/user", str(user)))
    temporary = (Path(tempfile.gettempdir()), Path("/tmp"))
    return tuple(
        dict.fromkeys(
            [each / "thud" for each in runtime if each.is_absolute() and each.is_dir()]
            + [each / f"thud-{user}" for each in temporary]
            + [data_directory() / "run"]
        )
    )


def _chosen(variable: str) -> Path | None:
    """Return the directory in an environment variable, if set."""
    chosen = os.environ.get(variable)
    return Path(os.path.expanduser(chosen)) if chosen else None


def _usual(kind: Literal["data", "config", "cache"]) -> Path:
    """Return the system's directory for files of a kind."""
    import platformdirs  # many commands need no directory but one that is chosen

    path: Path = getattr(platformdirs, f"user_{kind}_path")("thud", appauthor=False)
    return path
