"""Changes values in the settings file and leaves everything else in it as it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic
from thud.settings.reading import MAX_BYTES, Unreadable, parsed, read_text
from thud.settings.values import Value

_HEADING: Final = "# Settings of Thud; docs/settings.md tells what can be set.\n\n"


class SettingsNotSaved(ValueError):
    """Settings that cannot be kept; the file is as it was."""


def save(path: Path, changes: Mapping[str, Value]) -> None:
    """Set values in a settings file, which is created if there is none.

    Comments, order and unknown settings stay.  A file that cannot be read is left alone: whoever
    wrote it can still mend it.

    Raises:
        SettingsNotSaved: a sentence says why.
    """
    try:
        text = read_text(path)
        parsed(text)
    except Unreadable as error:
        reason = f"the settings are not saved while their file is broken: {error}"
        raise SettingsNotSaved(reason) from error
    data = _changed(text or _HEADING, changes).encode()
    if len(data) > MAX_BYTES:
        raise SettingsNotSaved(f"the settings would be larger than {MAX_BYTES >> 10} KiB")
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data)
    except OSError as error:
        reason = f"the settings cannot be kept in {path}: {error.strerror or error}"
        raise SettingsNotSaved(reason) from error


def _changed(text: str, changes: Mapping[str, Value]) -> str:
    """Return the text with other values, after reading it once more to be sure."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        for name, value in changes.items():
            document[name] = value
        changed = tomlkit.dumps(document)
        if parsed(changed) != {**parsed(text), **changes}:
            raise SettingsNotSaved("the settings file is written in a way that cannot be changed")
    except (TOMLKitError, Unreadable) as error:
        raise SettingsNotSaved(f"the settings file cannot be changed: {error}") from error
    return changed
