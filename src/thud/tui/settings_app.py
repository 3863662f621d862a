"""An application that looks and behaves as the players like it, and keeps what they change."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, Protocol, runtime_checkable

from textual import events, work
from textual.app import App
from textual.binding import Binding
from textual.filter import LineFilter
from textual.screen import ModalScreen, Screen

from thud.settings.preferences import Preferences
from thud.settings.values import AUTO, Settings, Value
from thud.terminal.cells import has_room, is_upright
from thud.tui.deployment import deployment_of
from thud.tui.keys.keymap import Keymap, key_name
from thud.tui.looks.themes import KOOM_VALLEY, THEMES, board_colours, few_colours, tones_merge
from thud.tui.textual_fixes import FixedApp
from thud.wording.text import capitalised, quoted

_FAULTS_TOLD: Final = 4
_FAULT_SECONDS: Final = 20


@runtime_checkable
class FollowsSettings(Protocol):
    """A screen that looks or behaves as the settings say."""

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings: before the screen is shown, and whenever they change."""


class SettingsApp(FixedApp):
    """Follows the settings, and lets its screens follow them.

    Args:
        preferences: the settings; without them everything is as by itself, and nothing is kept.

    Attributes:
        keymap: the players' own keys.
    """

    def __init__(self, preferences: Preferences | None = None) -> None:
        super().__init__()
        self._put_themes_in_order()
        self._preferences = preferences or Preferences()
        # Who has set themes for all Textual programs has the first one here, too.
        usual = (*os.environ.get("TEXTUAL_THEME", "").split(","), KOOM_VALLEY.name)
        self._default_theme = next(name for name in usual if name in self.available_themes)
        self._own_theme = self._theme_set
        self._begin_with_theme(self._own_theme)
        self._complaint = ""
        self._plain_ascii: LineFilter | None = None
        self.keymap: Keymap = {}

    def on_resize(self, event: events.Resize) -> None:
        """Have all that can be tapped far apart in a window that is higher than wide."""
        self.set_class(has_room(*event.size) and is_upright(*event.size), "-upright")

    def _put_themes_in_order(self) -> None:
        """Have our own themes first and then the others by the alphabet."""
        others = sorted(self.available_themes.values(), key=attrgetter("name"))
        for theme in (*THEMES, *others):
            self.unregister_theme(theme.name)
            self.register_theme(theme)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the board's colours in the theme."""
        return board_colours(self.current_theme, few=few_colours(self))

    def get_css_variables(self) -> dict[str, str]:
        """Return all colours of the theme, those of the terminal as they are."""
        variables = super().get_css_variables()
        theme = self.current_theme
        if theme.ansi or few_colours(self) or (theme.dark and theme in THEMES):
            return variables
        from thud.tui.looks.contrast import legible

        self.theme_variables = legible(variables)
        return self.theme_variables

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Turn everything into plain ASCII at last, if that is set."""
        filters = super().get_line_filters()
        if not self.settings.ascii:
            return filters
        from thud.tui.looks.ascii import PlainAscii

        self._plain_ascii = self._plain_ascii or PlainAscii()
        return [*filters, self._plain_ascii]

    def get_key_display(self, binding: Binding) -> str:
        """Name keys in the footer as in the help."""
        return binding.key_display or key_name(binding.key, ascii_only=self.settings.ascii)

    def _following(self, screen: Screen[Any]) -> Screen[Any]:
        """Let a screen follow the settings."""
        if isinstance(screen, FollowsSettings):
            screen.apply_settings(self.settings)
        return screen

    def _show(self, screen: Screen[None], *, instead: bool = False) -> None:
        """Show a screen that follows the settings, above or instead of the one that is there."""
        self._following(screen)
        if instead:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    @property
    def settings(self) -> Settings:
        """What the players like."""
        return self._preferences.settings

    def change_setting(self, name: str, value: Value) -> None:
        """Change a setting at once, everywhere, and keep it."""
        self._preferences.change(name, value)
        if name == "theme":
            self._use_theme()
        for screen in self.screen_stack:
            self._following(screen).refresh()
        self._keep_settings()

    def action_settings(self) -> None:
        """Show the settings beside the board."""
        from thud.tui.settings.screen import SettingsScreen

        if isinstance(self.screen, ModalScreen):
            return
        path = self._preferences.path if deployment_of(self).files else None
        themes = list(self.available_themes)
        self._show(SettingsScreen(self.settings, themes, path, self.change_setting))

    def action_switch(self, name: str) -> None:
        """Change a setting that is either on or off."""
        self.change_setting(name, not getattr(self.settings, name))

    def action_next_pieces(self) -> None:
        """Draw the pieces in the next set."""
        from thud.tui.board.pieces import next_set
        from thud.tui.widgets.appearance import piece_set

        now, few = piece_set(self.settings), tones_merge(self)
        self.change_setting("pieces", next_set(now, few_colours=few))

    @work(group="settings")
    async def _keep_settings(self) -> None:
        complaint = await asyncio.to_thread(self._preferences.save)
        if complaint and complaint != self._complaint:
            self.notify(capitalised(complaint), severity="warning", markup=False)
        self._complaint = complaint

    def on_unmount(self) -> None:
        """Keep what was changed last."""
        self._preferences.save()

    @property
    def _theme_set(self) -> str:
        """The theme that is set, if there is one of that name."""
        name = self.settings.theme
        return name if name in self.available_themes else self._default_theme

    def _use_theme(self) -> None:
        self._own_theme = self._theme_set
        self.theme = self._own_theme

    def _begin_with_theme(self, name: str) -> None:
        theme = self.available_themes[name]
        if theme in THEMES and theme.dark:
            # Only its colours differ from those of Textual's: so the styles are read only once.
            self.set_reactive(App.theme, name)
            self.stylesheet.set_variables(self.get_css_variables())
        else:
            self.theme = name

    def watch_theme(self, name: str) -> None:
        """Keep a theme that was chosen in the command palette."""
        if name != self._own_theme:
            self.change_setting("theme", name)

    def _use_keys(self) -> Mapping[str, str]:
        """Use the players' own keys; return what is wrong with them, by their bindings."""
        if not self.settings.keys:
            return {}
        from thud.tui.keys.keymap import keymap

        self.keymap, wrong = keymap(self.settings.keys)
        self.set_keymap(self.keymap)
        return wrong

    def _tell_faults(self, wrong_keys: Mapping[str, str]) -> None:
        """Tell what is wrong in the settings file, as far as only the interface knows, too."""
        wrong = {f"keys.{name}": reason for name, reason in wrong_keys.items()}
        if (name := self.settings.theme) not in (AUTO, *self.available_themes):
            wrong["theme"] = f"there is no theme {quoted(name)}; Ctrl+P and “Theme” list them"
        faults = [*self._preferences.faults, *self._preferences.blamed(wrong)]
        if faults:
            told = "\n".join(map(str, faults[:_FAULTS_TOLD]))
            self.notify(told, severity="warning", timeout=_FAULT_SECONDS, markup=False)
