"""The settings file: reading, reporting faults by line, changing values in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any, Final, NamedTuple

from thud.disk.atomic import write_atomic
from thud.disk.directories import settings_directory
from thud.disk.encoding import IS_UTF_16, is_utf_16
from thud.settings.toml import Excessive, excess_line, flattened, places, read_bounded
from thud.settings.values import LONGEST, SETTINGS_INFO, Settings, Value, written
from thud.text import meant, quoted, why

FILE_NAME: Final = "settings.toml"
MAX_BYTES: Final = 1 << 16

_MOST_KEYS: Final = 16
_NOTHING_USED: Final = "the whole file is ignored"
_HEADING: Final = "# Settings of Thud; see docs/settings.md.\n\n"
_LINE: Final = r"\(at line (\d+), column \d+\)"


class SettingsFault(NamedTuple):
    """A fault in the settings file: the part that is ignored, and why."""

    line: int | None
    """From 1; None if it is not about a line."""
    reason: str

    def __str__(self) -> str:
        """Return the message for the user."""
        place = f"{FILE_NAME}, line {self.line}" if self.line else FILE_NAME
        return f"{place}: {self.reason}"


class Unreadable(ValueError):
    """The settings file cannot be used at all."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.fault = SettingsFault(line, reason)
        super().__init__(str(self.fault))


def settings_path() -> Path:
    """Return the path of the settings file."""
    return settings_directory() / FILE_NAME


def load(path: Path | None = None) -> tuple[Settings, list[SettingsFault]]:
    """Return the settings and the faults in the file; faulty settings get their defaults.

    Args:
        path: the file, which need not exist; None for the default.
    """
    try:
        text = read_text(settings_path() if path is None else path)
    except Unreadable as error:
        return Settings(), [error.fault]
    return parse(text) if text else (Settings(), [])


def read_text(path: Path) -> str:
    """Return a settings file's text, empty if there is none.

    Raises:
        Unreadable: it is too large, not text, or cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise Unreadable("not a file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Unreadable(f"it cannot be read: {why(error)}") from error
    if len(data) > MAX_BYTES:
        raise Unreadable(f"it is larger than {MAX_BYTES >> 10} KiB")
    if is_utf_16(data):
        raise Unreadable(IS_UTF_16)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"the byte 0x{data[error.start]:02x} is not UTF-8 text"
        raise Unreadable(reason, data.count(b"\n", 0, error.start) + 1) from None


def parse(text: str) -> tuple[Settings, list[SettingsFault]]:
    """Parse a settings file's text: return the settings and the faults."""
    try:
        values = parsed(text)
    except Unreadable as error:
        return Settings(), [error.fault]
    reasons: dict[str, str] = {}
    known = {name: value for name, value in values.items() if name in SETTINGS_INFO}
    right = {name: value for name, value in known.items() if SETTINGS_INFO[name].allows(value)}
    for name, value in known.items():
        if name not in right:
            reasons[name] = f"{name} is {SETTINGS_INFO[name].allowed}, not {_quoted(value)}"
    reasons |= dict(_misspelt(values))
    keys, wrong = _keys(values.get("keys", {}))
    return Settings(**right, keys=keys), blamed(text, reasons | wrong)


def blamed(text: str, reasons: Mapping[str, str]) -> list[SettingsFault]:
    """Return faults with line numbers, from reasons by dotted name."""
    if not reasons:
        return []
    lines = places(text)
    return [SettingsFault(lines.get(name), reason) for name, reason in reasons.items()]


def parsed(text: str) -> dict[str, Any]:
    """Return the values in a TOML text.

    Raises:
        Unreadable: it is invalid.
    """
    try:
        return read_bounded(text)
    except TOMLDecodeError as error:
        place = re.search(_LINE, str(error))
        line = int(place[1]) if place else text.rstrip().count("\n") + 1
        reason = re.sub(_LINE, "", str(error)).replace("(at end of document)", "").strip()
        raise Unreadable(f"{_lowered(reason)}; {_NOTHING_USED}", line) from None
    except Excessive as error:
        raise Unreadable(f"{error}; {_NOTHING_USED}", excess_line(text)) from None


_MISSPELT: Final = 0.8
"""Least likeness of an unknown name to a known one: it may be a setting of a later version."""


def _misspelt(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield unknown names similar to known ones; others may be from a later version."""
    known = (*SETTINGS_INFO, "keys")
    if strange := [name for name in values if name not in known]:
        for name in strange:
            if then := meant(name, known, likeness=_MISSPELT):
                yield name, f"there is no {quoted(name)}{then}"


def _keys(table: object) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the keys by binding, and the faults by dotted name."""
    if not isinstance(table, dict):
        return {}, {"keys": "keys is a table of bindings: [keys]"}
    keys: dict[str, tuple[str, ...]] = {}
    wrong: dict[str, str] = {}
    for name, value in flattened(table):
        named = _key_names(value)
        if named and len(name) <= LONGEST:
            keys[name] = named
        else:
            wrong[f"keys.{name}"] = (
                f'{quoted(name)} is a key or a list of keys, such as ["u", "ctrl+z"]'
            )
    return keys, wrong


def _key_names(value: object) -> tuple[str, ...]:
    """Parse a list of keys, empty if invalid; a lone comma is a key."""
    if isinstance(value, str):
        value = value.split(",") if len(value) > 1 else [value]
    if not isinstance(value, list) or len(value) > _MOST_KEYS:
        return ()
    names = [name.strip() or name for name in value if isinstance(name, str)]
    fit = all(0 < len(name) <= LONGEST and name.isprintable() for name in names)
    return tuple(names) if fit and len(names) == len(value) else ()


def _quoted(value: object) -> str:
    return quoted(value) if isinstance(value, str) else quoted(written(value))[1:-1]


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


# Changes


class SettingsNotSaved(ValueError):
    """The settings cannot be saved; the file is unchanged."""


def save(path: Path, changes: Mapping[str, Value]) -> None:
    """Set values in a settings file, creating it if missing.

    Comments, order and unknown settings stay.  An unreadable file is left alone, so that the user
    can repair it.

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
        reason = f"the settings cannot be saved in {path}: {why(error)}"
        raise SettingsNotSaved(reason) from error


def _changed(text: str, changes: Mapping[str, Value]) -> str:
    """Return the text with changed values, verified by parsing it again."""
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
