"""A running program's settings: the file's, with overrides for this run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

from thud.settings.file import (
    KEYS,
    Change,
    SettingsFault,
    SettingsNotSaved,
    Unchangeable,
    Unreadable,
    blamed,
    load,
    read_text,
    save,
    settings_path,
)
from thud.settings.values import Settings, Value


class Preferences:
    """Holds the settings, and saves changes.

    Args:
        path: the settings file; None saves nothing.
        settings: the file's settings.
        faults: the file's faults, to show to the user.
        overrides: settings for this run, from the command line; not saved unless changed.
    """

    def __init__(
        self,
        path: Path | None = None,
        settings: Settings | None = None,
        faults: Sequence[SettingsFault] = (),
        overrides: Mapping[str, Value] | None = None,
    ) -> None:
        self.path = path
        self._overrides = dict(overrides or {})
        self._unsaved: dict[str, Change] = {}
        self._saving = Lock()
        self.faults = tuple(faults)
        self.settings = (settings or Settings())._replace(**self._overrides)  # type: ignore[arg-type]

    @classmethod
    def load(cls, overrides: Mapping[str, Value] | None = None) -> Preferences:
        """Return the settings of the default file."""
        path = settings_path()
        settings, faults = load(path)
        return cls(path, settings, faults, overrides)

    def blamed(self, reasons: Mapping[str, str]) -> list[SettingsFault]:
        """Return faults with line numbers for reasons found by the interface, by setting."""
        if not reasons or self.path is None:
            return [SettingsFault(None, reason) for reason in reasons.values()]
        try:
            return blamed(read_text(self.path), reasons)
        except Unreadable as error:
            return [error.fault]

    def change(self, name: str, value: Value) -> None:
        """Change a setting, to be saved by the next `save`."""
        self.settings = self.settings._replace(**{name: value})  # type: ignore[arg-type]
        self._unsaved[name] = value

    def change_keys(self, name: str, keys: tuple[str, ...] | None) -> None:
        """Change the keys of a binding, to be saved by the next `save`; None for the usual ones."""
        own = {each: others for each, others in self.settings.keys.items() if each != name}
        self.settings = self.settings._replace(keys=own | ({name: keys} if keys else {}))
        self._unsaved[f"{KEYS}{name}"] = keys

    def save(self) -> str:
        """Save the changes; return a complaint, empty on success.

        What the disk refuses is tried again by the next call; what the file cannot take is not.  It
        may be called from any thread, and blocks on the disk.
        """
        if self.path is None or not self._unsaved:
            return ""
        with self._saving:
            changes = dict(self._unsaved)
            try:
                complaint = _save_what_fits(self.path, changes)
            except SettingsNotSaved as error:
                return str(error)
            for name, value in changes.items():
                if self._unsaved.get(name) == value:  # it may be changed again meanwhile
                    self._unsaved.pop(name, None)
        return complaint


def _save_what_fits(path: Path, changes: Mapping[str, Change]) -> str:
    """Save the changes that the file can take; return a complaint about the others, if any.

    Raises:
        SettingsNotSaved: nothing can be saved now.
    """
    with suppress(Unchangeable):
        save(path, changes)
        return ""
    complaint = ""
    for name, value in changes.items():
        try:
            save(path, {name: value})
        except Unchangeable as error:
            complaint = str(error)
    return complaint
