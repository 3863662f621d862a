"""The program's directories: the platform's own, or as environment variables say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

DATA_VARIABLE: Final = "THUD_DATA_DIR"
"""The environment variable that says where the data directory is."""

SETTINGS_VARIABLE: Final = "THUD_CONFIG_DIR"
"""The environment variable that says where the settings are."""

CACHE_VARIABLE: Final = "THUD_CACHE_DIR"
"""The environment variable that says where is kept what can be made anew."""

RUN_VARIABLE: Final = "THUD_RUN_DIR"
"""The environment variable that says where programs of one user find one another."""


def data_directory() -> Path:
    """Return where the matches and the last choices are; it need not exist."""
    if chosen := _chosen(DATA_VARIABLE):
        return chosen
    from platformdirs import user_data_path

    return user_data_path("thud", appauthor=False)


def settings_directory() -> Path:
    """Return where the settings file is; it need not exist."""
    if chosen := _chosen(SETTINGS_VARIABLE):
        return chosen
    from platformdirs import user_config_path

    return user_config_path("thud", appauthor=False)


def cache_directory() -> Path:
    """Return where is kept what can be made anew at any time; it need not exist."""
    if chosen := _chosen(CACHE_VARIABLE):
        return chosen
    from platformdirs import user_cache_path

    return user_cache_path("thud", appauthor=False)


def run_directories() -> tuple[Path, ...]:
    """Return where this user's running programs find one another, the best place first.

    There are several, for a program that runs over ssh or in the background may be told less of
    its environment than another of the same user.  None need exist.
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
    """Return the directory that an environment variable names, if it does."""
    chosen = os.environ.get(variable)
    return Path(os.path.expanduser(chosen)) if chosen else None
