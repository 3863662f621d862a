"""How an app follows the settings, and keeps what players change."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from textual.app import App

from thud.settings.preferences import Preferences
from thud.settings.values import AUTO, Settings, Value
from thud.tui.keys.keymap import Keymap
from thud.tui.looks.themes import KOOM_VALLEY, THEMES, tones_merge
from thud.tui.roles import follows_settings
from thud.wording.text import capitalised, quoted

_FAULTS_TOLD: Final = 4
_FAULT_SECONDS: Final = 20


class SettingsFollower:
    """Has an app and its screens look and behave as the players like.

    Args:
        app: what follows the settings.
        preferences: the settings; without them everything is as by itself, and nothing is kept.

    Attributes:
        keymap: the players' own keys.
        path: where the settings are kept, if they are.
    """

    def __init__(self, app: App[None], preferences: Preferences | None = None) -> None:
        self._app = app
        self._preferences = preferences or Preferences()
        self._complaint = ""
        self.keymap: Keymap = {}
        self.path = self._preferences.path
        _put_themes_in_order(app)
        # Who has set themes for all Textual programs has the first one here, too.
        usual = (*os.environ.get("TEXTUAL_THEME", "").split(","), KOOM_VALLEY.name)
        self._default_theme = next(name for name in usual if name in app.available_themes)
        self._own_theme = self._theme_set

    @property
    def settings(self) -> Settings:
        """What the players like."""
        return self._preferences.settings

    def change(self, name: str, value: Value) -> None:
        """Change a setting at once, everywhere, and keep it."""
        self._preferences.change(name, value)
        if name == "theme":
            self._own_theme = self._app.theme = self._theme_set
        for screen in self._app.screen_stack:
            if follows_settings(screen):
                screen.apply_settings(self.settings)
            screen.refresh()
        self._app.run_worker(self._keep, group="settings")

    def follow_theme(self, name: str) -> None:
        """Keep a theme that was chosen in the command palette."""
        if name != self._own_theme:
            self.change("theme", name)

    def next_pieces(self) -> None:
        """Draw the pieces in the next set."""
        from thud.tui.board.pieces import next_set
        from thud.tui.widgets.appearance import piece_set

        now, few = piece_set(self.settings), tones_merge(self._app)
        self.change("pieces", next_set(now, few_colours=few))

    def use_keys(self) -> Mapping[str, str]:
        """Use the players' own keys; return what is wrong with them, by their bindings."""
        if not self.settings.keys:
            return {}
        from thud.tui.keys.keymap import keymap

        self.keymap, wrong = keymap(self.settings.keys)
        self._app.set_keymap(self.keymap)
        return wrong

    def tell_faults(self, wrong_keys: Mapping[str, str]) -> None:
        """Tell what is wrong in the settings file, as far as only the interface knows, too."""
        wrong = {f"keys.{name}": reason for name, reason in wrong_keys.items()}
        if (name := self.settings.theme) not in (AUTO, *self._app.available_themes):
            wrong["theme"] = f"there is no theme {quoted(name)}; Ctrl+P and “Theme” list them"
        faults = [*self._preferences.faults, *self._preferences.blamed(wrong)]
        if faults:
            told = "\n".join(map(str, faults[:_FAULTS_TOLD]))
            self._app.notify(told, severity="warning", timeout=_FAULT_SECONDS, markup=False)

    def save(self) -> None:
        """Keep what was changed last."""
        self._preferences.save()

    async def _keep(self) -> None:
        complaint = await asyncio.to_thread(self._preferences.save)
        if complaint and complaint != self._complaint:
            self._app.notify(capitalised(complaint), severity="warning", markup=False)
        self._complaint = complaint

    @property
    def _theme_set(self) -> str:
        """The theme that is set, if there is one of that name."""
        name = self.settings.theme
        return name if name in self._app.available_themes else self._default_theme

    def begin_with_theme(self) -> None:
        """Use the theme that is set, before anything is drawn."""
        app, name = self._app, self._own_theme
        theme = app.available_themes[name]
        if theme in THEMES and theme.dark:
            # Only its colours differ from those of Textual's: so the styles are read only once.
            app.set_reactive(App.theme, name)
            app.stylesheet.set_variables(app.get_css_variables())
        else:
            app.theme = name


def _put_themes_in_order(app: App[None]) -> None:
    """Have our own themes first and then the others by the alphabet."""
    others = sorted(app.available_themes.values(), key=attrgetter("name"))
    for theme in (*THEMES, *others):
        app.unregister_theme(theme.name)
        app.register_theme(theme)
