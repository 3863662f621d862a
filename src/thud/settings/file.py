"""The settings file: reading, reporting faults by line, changing values in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from thud.disk.atomic import write_atomic
from thud.disk.directories import settings_directory
from thud.disk.encoding import IS_UTF_16, is_utf_16
from thud.disk.small import open_regular
from thud.settings.values import LONGEST, SETTINGS_INFO, Settings, Value, written
from thud.text import meant, quoted, why

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

FILE_NAME: Final = "settings.toml"
MAX_BYTES: Final = 1 << 16

_MOST_KEYS: Final = 16
_HEADING: Final = "# Settings of Thud; see docs/settings.md.\n\n"

_DEEPEST: Final = 32
"""Deepest nesting of tables and lists; the library that saves the file can do a hundred."""

_LARGEST: Final = 2**63
"""Largest integer: TOML 1.0 guarantees 64 bits, and asks for an error beyond."""

_LONGEST_STATEMENT: Final = 200
"""Most lines of a statement: behind a longer one no lines are found."""


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
        with open_regular(path) as file:
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
    right: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    for name, value in values.items():
        if about := SETTINGS_INFO.get(name):
            if about.allows(value):
                right[name] = value
            else:
                said = quoted(value) if isinstance(value, str) else quoted(written(value))[1:-1]
                reasons[name] = f"{name} is {about.allowed}, not {said}"
    reasons |= {
        name: f"there is no {quoted(name)}{then}" for name, then in _unknown(values) if then
    }
    keys, wrong = _keys(values.get("keys", {}))
    return Settings(**right, keys=keys), blamed(text, reasons | wrong)


def unknown_settings(path: Path) -> list[SettingsFault]:
    """Return the settings in a file that are unlike any known one, perhaps of a later version."""
    try:
        text = read_text(path)
        values = parsed(text)
    except Unreadable:
        return []
    wrong = {name: f"there is no {quoted(name)}" for name, then in _unknown(values) if not then}
    return blamed(text, wrong)


def _unknown(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield each unknown setting, and the end of an error if it is like a known one."""
    known = (*SETTINGS_INFO, "keys")
    for name in values:
        if name not in known:
            yield name, meant(name, known, likeness=0.8)


def _keys(table: object) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the keys by binding, and the faults by dotted name."""
    if not isinstance(table, dict):
        return {}, {"keys": "keys is a table of bindings: [keys]"}
    keys: dict[str, tuple[str, ...]] = {}
    wrong: dict[str, str] = {}
    for name, value in _flattened(table):
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


# TOML


class Invalid(ValueError):
    """A text that is no TOML."""


class Excessive(ValueError):
    """Values nested too deeply, or numbers too large."""


def parsed(text: str) -> dict[str, Any]:
    """Return the values in a TOML text.

    Raises:
        Unreadable: it is invalid.
    """
    try:
        return _read_bounded(text)
    except Invalid as error:
        where = r"\(at line (\d+), column \d+\)"
        place = re.search(where, str(error))
        line = int(place[1]) if place else text.rstrip().count("\n") + 1
        reason = re.sub(where, "", str(error)).replace("(at end of document)", "").strip()
        reason = reason[:1].lower() + reason[1:]
        raise Unreadable(f"{reason}; the whole file is ignored", line) from None
    except Excessive as error:
        excess = (line for line, _, values in _statements(text) if values is None)
        raise Unreadable(f"{error}; the whole file is ignored", next(excess, None)) from None


def _read_bounded(text: str) -> dict[str, Any]:
    """Return the values in a TOML text.

    Raises:
        Invalid: it is no TOML.
        Excessive: it is nested too deeply, or has too large numbers.
    """
    # Most people have no settings file, and see the board sooner.
    import tomllib

    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Invalid(str(error)) from None
    except RecursionError:
        raise Excessive("it is nested too deeply") from None
    except ValueError:
        # Python refuses integers of thousands of digits.
        raise Excessive("a number is too large") from None
    level: list[object] = [values]
    for _ in range(_DEEPEST):
        if any(isinstance(each, int) and abs(each) > _LARGEST for each in level):
            raise Excessive("a number is too large")
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        level = inner
    if level:
        raise Excessive("it is nested too deeply")
    return values


def blamed(text: str, reasons: Mapping[str, str]) -> list[SettingsFault]:
    """Return faults with line numbers, from reasons by dotted name."""
    if not reasons:
        return []
    lines = places(text)
    return [SettingsFault(lines.get(name), reason) for name, reason in reasons.items()]


def places(text: str) -> dict[str, int]:
    """Return the line, from 1, on which each value begins, by dotted name."""
    found: dict[str, int] = {}
    table = ""
    for line, statement, values in _statements(text):
        if values is None:
            break
        names = [name for name, _ in _flattened(values, tables=True)]
        heading = statement.lstrip().startswith("[")
        if heading:
            table, names = "", names[-1:]
        found |= {f"{table}{name}": line for name in names}
        if heading:
            table = f"{names[0]}." if names else ""
    return found


def _statements(text: str) -> Iterator[tuple[int, str, Mapping[str, object] | None]]:
    """Yield the statements one by one, since the library reports no lines.

    Each is the line, from 1, on which it begins, its text, and its values, None if they are
    `Excessive`.
    """
    statement, first = "", 1
    for number, line in enumerate(text.split("\n"), 1):
        statement += line + "\n"
        values: Mapping[str, object] | None = None
        try:
            values = _read_bounded(statement)
        except Invalid:
            if number - first >= _LONGEST_STATEMENT:
                return
            continue
        except Excessive:
            pass
        yield first, statement, values
        statement, first = "", number + 1


def _flattened(
    values: Mapping[str, object], prefix: str = "", *, tables: bool = False
) -> Iterator[tuple[str, object]]:
    """Yield every value with its dotted name, optionally the tables as well."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            if tables:
                yield name, value
            yield from _flattened(value, f"{name}.", tables=tables)
        else:
            yield name, value


# Changes


class SettingsNotSaved(ValueError):
    """The settings cannot be saved; the file is unchanged."""


class Unchangeable(SettingsNotSaved):
    """The file is written so that it cannot take these changes, now or later."""


Change: TypeAlias = Value | tuple[str, ...] | None
"""What a settings file is to say: a value, the keys of a binding, or nothing."""

KEYS: Final = "keys."
"""What the names of bindings begin with."""


def save(path: Path, changes: Mapping[str, Change]) -> None:
    """Set values in a settings file, creating it if missing.

    Comments, order and unknown settings stay.  An unreadable file is left alone, so that the user
    can repair it.

    Args:
        path: the file.
        changes: the values by dotted name.

    Raises:
        Unchangeable: the file cannot take these changes.
        SettingsNotSaved: it cannot be read or written now.
    """
    try:
        text = read_text(path)
        parsed(text)
    except Unreadable as error:
        reason = f"the settings are not saved while their file is broken: {error}"
        raise SettingsNotSaved(reason) from error
    # The library that changes it writes line feeds.
    ends = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    text = text.replace("\r\n", "\n")
    data = _changed(text or _HEADING, changes).replace("\n", ends).encode()
    if len(data) > MAX_BYTES:
        raise Unchangeable(f"the settings would be larger than {MAX_BYTES >> 10} KiB")
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data)
    except OSError as error:
        reason = f"the settings cannot be saved in {path}: {why(error)}"
        raise SettingsNotSaved(reason) from error


def _told(values: Mapping[str, object]) -> str:
    """Return values as text, since no nan equals another."""
    told = {name: value for name, value in _flattened(values) if value is not None}
    return repr(sorted(told.items()))


def _changed(text: str, changes: Mapping[str, Change]) -> str:
    """Return the text with changed values, verified by parsing it again.

    Raises:
        Unchangeable: a sentence says why.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    # One key stands by itself, others in a list.
    values = {
        name: (value[0] if len(value) == 1 else list(value)) if isinstance(value, tuple) else value
        for name, value in changes.items()
    }
    try:
        document = tomlkit.parse(text)
        for name, value in values.items():
            if name.startswith(KEYS):
                _set_keys(document, name.removeprefix(KEYS), value)
            else:
                document[name] = value
        changed = tomlkit.dumps(document)
        right = _told(parsed(changed)) == _told({**dict(_flattened(parsed(text))), **values})
    except (TOMLKitError, Unreadable):  # they speak of a text that the user never sees
        right = False
    if not right:
        raise Unchangeable("the settings file is written in a way that cannot be changed")
    return changed


def _set_keys(document: TOMLDocument, name: str, keys: object) -> None:
    """Set the keys of a binding in the table of keys, or remove them; its name may be quoted."""
    import tomlkit
    from tomlkit.items import Table

    table: Any = document.setdefault(KEYS[:-1], tomlkit.table())
    group, _, action = name.partition(".")
    try:
        inner, key = (table, name) if name in table else (table.get(group, {}), action)
        if keys is None:
            inner.pop(key, None)
        elif key in inner or group in table:
            inner[key] = keys
        elif isinstance(table, Table):
            table.append(tomlkit.key([group, action]), keys)
        else:
            table[group] = {action: keys}  # in braces, or in tables that stand apart
    except (AttributeError, TypeError):
        raise Unchangeable("the keys in the settings file are no table") from None
