"""The settings of a running program: the file's, and those of this run above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

from thud.settings.file import SettingsFault, Unreadable, blamed, load, read_text, settings_path
from thud.settings.values import Settings, Value


class Preferences:
    """Holds the settings, and saves changes.

    Args:
        path: the settings file; None keeps nothing.
        settings: what the file says.
        faults: what is wrong in the file, to be told to the players.
        overrides: settings that hold for this once, from the command line; they are not kept
            unless they are changed.
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
        self._unsaved: dict[str, Value] = {}
        self._saving = Lock()
        self.faults = tuple(faults)
        self.settings = (settings or Settings())._replace(**self._overrides)  # type: ignore[arg-type]

    @classmethod
    def load(cls, overrides: Mapping[str, Value] | None = None) -> Preferences:
        """Return the settings of the usual file."""
        path = settings_path()
        settings, faults = load(path)
        return cls(path, settings, faults, overrides)

    def blamed(self, reasons: Mapping[str, str]) -> list[SettingsFault]:
        """Return faults in the file that only the interface can find, by the settings' names."""
        if not reasons or self.path is None:
            return [SettingsFault(None, reason) for reason in reasons.values()]
        try:
            return blamed(read_text(self.path), reasons)
        except Unreadable as error:
            return [error.fault]

    def change(self, name: str, value: Value) -> None:
        """Change a setting, which is to be kept at the next `save`."""
        self.settings = self.settings._replace(**{name: value})  # type: ignore[arg-type]
        self._unsaved[name] = value

    def save(self) -> str:
        """Keep what was changed; return why it is not kept, nothing if it is.

        It may be called from any thread, and waits for the disk.
        """
        if self.path is None or not self._unsaved:
            return ""
        from thud.settings.file import SettingsNotSaved, save

        with self._saving:
            changes = dict(self._unsaved)
            try:
                save(self.path, changes)
            except SettingsNotSaved as error:
                return str(error)
            self._forget(changes)
        return ""

    def _forget(self, saved: Mapping[str, Value]) -> None:
        """Drop what is kept, unless it was changed again meanwhile."""
        for name, value in saved.items():
            if self._unsaved.get(name) == value:
                self._unsaved.pop(name, None)
