"""The app: its first screen, the settings, and the actions that all screens share."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.console import RenderableType
from textual import events, on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import ModalScreen, Screen
from textual.worker import Worker

from thud.rules.match import SIDES, Match
from thud.session.view import SessionView
from thud.settings.preferences import Preferences
from thud.settings.values import AUTO, Settings, Value
from thud.terminal.cells import has_room, is_upright
from thud.terminal.environment import locale_of
from thud.text import capitalised, meant, quoted
from thud.tui.actions import bindings
from thud.tui.board.pieces import next_set
from thud.tui.deployment import HOME, Deployment
from thud.tui.keys.keymap import Keymap, keymap
from thud.tui.keys.layouts import is_foreign, us_key
from thud.tui.looks.ascii import PLAIN_ASCII
from thud.tui.looks.contrast import legible
from thud.tui.looks.themes import (
    ANKH_MORPORK,
    KOOM_VALLEY,
    THEMES,
    begin_with_theme,
    board_colours,
    few_colours,
    register_themes,
    tones_merge,
)
from thud.tui.matches import Matches
from thud.tui.navigator import Navigator
from thud.tui.screens import BoardScreen, MatchScreen, ThudScreen
from thud.tui.signals import install_handlers
from thud.tui.start import Explore, OnFront, PlayMatch, Replay, Rules, Start
from thud.tui.textual_fixes import FixedApp, PlacedKey
from thud.tui.widgets.appearance import piece_set

if TYPE_CHECKING:
    from textual.command import Provider

    from thud.exercises.next_step import Way
    from thud.explore.library import Library
    from thud.records.store import Store
    from thud.tui.club.club import ClubClient
    from thud.tui.front.page import FrontPage
    from thud.tui.settings.screen import SettingsScreen


_FAULTS_TOLD: Final = 4
_FAULT_SECONDS: Final = 20
_AFTER_START: Final = 0.5
"""Seconds after the first frame until what asks engines is loaded."""


def _commands() -> type[Provider]:
    """Return the palette's commands, which are loaded when it opens."""
    from thud.tui.palette import KeyedCommands

    return KeyedCommands


_TROUGHS: Final = tuple(
    f"scrollbar-{part}"
    for part in ("background", "background-hover", "background-active", "corner-color")
)
"""The colours of scroll bars' troughs, which Textual's themes draw nearly black."""


class ThudApp(FixedApp):
    """Plays, replays and explores matches at one terminal, at home or in a club.

    Args:
        start: the first screen.
        preferences: the settings; without them the defaults hold, and changes are not saved.
        store: where matches are saved; a bounded one in a club.
        library: returns the matches to explore; by default those in the store.
        deployment: where it runs.

    Attributes:
        deployment: where it runs.
        keymap: the player's own keys.
        navigator: leads back through the screens.
        matches: opens matches.
        front: the front page, if the app starts there.
        touched: whether it is on a touch screen.
    """

    TITLE = "Thud"
    CSS_PATH = Path(__file__).with_name("thud.tcss")
    ALLOW_SELECT: ClassVar[bool] = False

    BINDINGS: ClassVar[list[BindingType]] = bindings("app")

    front: FrontPage | None
    _club: ClubClient | None

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}

    def __init__(
        self,
        start: Start,
        *,
        preferences: Preferences | None = None,
        store: Store | None = None,
        library: Callable[[], Library] | None = None,
        deployment: Deployment = HOME,
    ) -> None:
        super().__init__()
        self.deployment = deployment
        self._start = start
        self.keymap: Keymap = {}
        self._preferences = preferences or Preferences()
        self._not_saved = ("", "")
        self._told_of_layout = False
        self.touched = False
        register_themes(self)
        # The first available theme that the user has set for all Textual programs is the default.
        usual = (*os.environ.get("TEXTUAL_THEME", "").split(","), KOOM_VALLEY.name)
        self._default_theme = next(name for name in usual if name in self.available_themes)
        self._theme_followed = self._theme_set
        begin_with_theme(self, self._theme_followed)
        self.navigator = Navigator(self)
        self._club = None
        if deployment.club:
            from thud.tui.club.club import ClubClient

            assert store, "what visitors play is kept"
            self._club = ClubClient(store)
        self.matches = Matches(self, self.navigator, store, library, self._club)
        self.front = None
        if isinstance(start, OnFront):
            from thud.tui.front.page import FrontPage

            self.front = FrontPage(self.matches, self._club)

    # From the first frame to the last

    def first_screen(self) -> Screen[Any]:
        """Return the screen to begin with."""
        if self.front:
            return self.front
        match self._start:
            case PlayMatch(session, notice, mention):
                return self.matches.battle_screen(session, notice, mention_unfinished=mention)
            case Replay(record, notice, name, learn):
                return self.matches.replay_screen(record, notice, name, learn)
            case Explore(match):
                return self.matches.explore_screen(match)
        return super().first_screen()

    def on_load(self) -> None:
        """Install the signal handlers before the terminal is changed."""
        install_handlers(self)

    def on_mount(self) -> None:
        """Begin, deferring what is not visible until after the first frame."""
        wrong: Mapping[str, str] = {}
        if self.settings.keys:
            wrong = self._take_keys()
        self.call_after_refresh(self._after_first_frame, wrong)
        if self.front and isinstance(self._start, OnFront):
            self.front.begin(self._start)
        elif isinstance(self._start, Rules):
            from thud.tui.help.screen import HelpScreen

            self.title = "The rules of Thud"
            page = HelpScreen(self._start.variant, topic=self._start.topic)
            self.push_screen(page, lambda _: self.exit())

    def _after_first_frame(self, wrong_keys: Mapping[str, str]) -> None:
        # The commands that start the app disable the garbage collector while it loads.
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        # Warn of errors in the settings file, including its keys and theme.
        wrong = {f"keys.{name}": reason for name, reason in wrong_keys.items()}
        if (name := self.settings.theme) not in (AUTO, *self.available_themes):
            then = meant(name, self.available_themes, "to see all, press Ctrl+P and choose Theme")
            wrong["theme"] = f"there is no theme {quoted(name)}{then}"
        faults = [*self._preferences.faults, *self._preferences.blamed(wrong)]
        if faults:
            self._warn("\n".join(map(str, faults[:_FAULTS_TOLD])))
        if not self.deployment.club:
            self.set_timer(_AFTER_START, self._tell_weakness)

    @on(events.Unmount)
    async def _close(self) -> None:
        self._preferences.save()
        await self.matches.close()

    def exit_output(self, errors: list[RenderableType]) -> list[RenderableType]:
        """Return what to print after a fault: visitors of a club see nothing of this machine."""
        if self.deployment.tells_faults or not errors:
            return errors
        from thud.tui.club.club import keep_fault

        return [keep_fault(errors)]

    @property
    def session(self) -> SessionView | None:
        """The current session, or the last."""
        return self.matches.session

    # Looks and settings

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self._preferences.settings

    def change_setting(self, name: str, value: Value) -> None:
        """Change a setting on all screens, and save it."""
        self._preferences.change(name, value)
        if name == "theme":
            self._theme_followed = self.theme = self._theme_set
        self._apply_settings()
        self._keep_setting(name)

    def _apply_settings(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ThudScreen):
                screen.apply_settings(self.settings)
            screen.refresh()

    @work(group="settings")
    async def _keep_setting(self, name: str) -> None:
        """Save a setting; say why that is impossible, once while the same one is changed."""
        complaint = await asyncio.to_thread(self._preferences.save)
        if complaint and (name, complaint) != self._not_saved:
            self.notify(capitalised(complaint), severity="warning", markup=False)
        self._not_saved = (name, complaint)

    def _tell_weakness(self) -> None:
        """Warn once a computer player says that it is weak on this machine."""
        from thud.engines.client import Engine

        Engine.on_weakness = lambda told: self._warn(capitalised(told))

    def notify(self, message: str, **how: Any) -> None:
        """Show a notification; beside a board, where it would cover choices, below the board."""
        screen = self.screen
        if not how.get("severity") and isinstance(screen, BoardScreen) and screen.says:
            screen.say(message)
        else:
            super().notify(message, **how)

    def _warn(self, told: str) -> None:
        self.notify(told, severity="warning", timeout=_FAULT_SECONDS, markup=False)

    @property
    def _theme_set(self) -> str:
        """The theme of the settings, or the default if there is none of that name."""
        name = self.settings.theme
        return name if name in self.available_themes else self._default_theme

    def prefer(self, *, touch: bool, calm: bool, light: bool) -> None:
        """Follow what a visitor's browser prefers: taps, no motion, a light page."""
        if touch != self.touched:
            self.touched = touch
            self.refresh_bindings()  # without names of keys, which fingers do not press
            if self.front:
                self.front.apply_settings(self.settings)
        self.animation_level = "none" if calm else "full"
        self._default_theme = (ANKH_MORPORK if light else KOOM_VALLEY).name
        self._theme_followed = self.theme = self._theme_set

    def on_resize(self, event: events.Resize) -> None:
        """Mark an upright terminal; ignore a size larger than is allowed."""
        width, height = event.size
        widest, highest = self.deployment.largest or event.size
        if width > widest or height > highest:
            # Such a size is an attempt to overload this machine: a terminal can report its size
            # in its input, bypassing the limits of the club's doors.
            event.stop()
            event.prevent_default()
            return
        self.set_class(has_room(width, height) and is_upright(width, height), "-upright")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the theme's colours for the board."""
        return board_colours(self.current_theme, few=few_colours(self))

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's colours, corrected to be legible where that is needed."""
        if not hasattr(self, "keymap"):
            # Textual calls this before the theme is known: `begin_with_theme` sets them.
            return {}
        variables = super().get_css_variables()
        variables |= dict.fromkeys(_TROUGHS, variables["panel"])
        theme = self.current_theme
        if theme.ansi or few_colours(self) or (theme.dark and theme in THEMES):
            return variables
        self.theme_variables = legible(variables)
        return self.theme_variables

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the filter for plain ASCII, if set."""
        filters = super().get_line_filters()
        if not self.settings.ascii:
            return filters
        return [*filters, PLAIN_ASCII]

    def key_meant(self, event: events.Key) -> str:
        """Return the key at the same place on a US keyboard, for a letter of another layout."""
        name, typed = event.key, event.character or event.key[-1:]
        if typed.isascii() or self._is_own_key(name):
            return name
        base = event.base if isinstance(event, PlacedKey) else ""
        return us_key(name, typed, locale_of(os.environ)[:2], base)

    def _is_own_key(self, key: str) -> bool:
        return any(key in keys.split(",") for keys in self.keymap.values())

    def on_key(self, event: events.Key) -> None:
        """Say once why letters do nothing on a keyboard that is not Latin."""
        if event.key.isascii() or self._told_of_layout or self._is_own_key(event.key):
            return
        if is_foreign(event.key):
            self._told_of_layout = True
            self._warn(
                f"The commands are Latin letters, and {quoted(event.key)} is none: switch the "
                "keyboard to them, or change the keys in the settings file."
            )

    def watch_theme(self, name: str) -> None:
        """Save a theme chosen in the command palette."""
        if name != self._theme_followed:
            self.change_setting("theme", name)

    def action_settings(self) -> None:
        """Show the settings beside the board."""
        from thud.tui.settings.screen import SettingsScreen

        if isinstance(self.screen, ModalScreen):
            return
        path = self._preferences.path
        shown = path if self.deployment.files else None
        themes = list(self.available_themes)
        self.push_screen(SettingsScreen(self.settings, themes, shown, saved=path is not None))

    def action_keys(self) -> None:
        """Show what the keys do here and now."""
        from thud.tui.help.keys_card import KeysCard, keys_now

        shown = self.screen
        ascii_only = self.settings.ascii
        sections = keys_now(shown, self.keymap, self.deployment, ascii_only=ascii_only)
        helps = (each for each in shown.BINDINGS if isinstance(each, Binding) and each.key == "f1")
        to_help = next((each.action for each in helps), "")

        async def then(action: str | None) -> None:
            if action:
                await shown.run_action(action)

        keys = {key for key, each in shown.active_bindings.items() if each.enabled}
        self.push_screen(KeysCard(sections, keys, to_help), then)

    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        """Apply a setting changed on the settings screen."""
        self.change_setting(event.name, event.value)

    def action_all_keys(self) -> None:
        """Show all keys, beginning with those of the screen one came from, to change them."""
        from thud.tui.settings.keys import KeysScreen

        if isinstance(self.screen, KeysScreen):
            return
        groups = (
            each.id.partition(".")[0]
            for screen in reversed(self.screen_stack)
            for each in screen.BINDINGS
            if isinstance(each, Binding) and each.id
        )
        group = next((each for each in groups if each not in ("help", "settings", "app")), "")
        path = self._preferences.path if self.deployment.files else None
        self.push_screen(KeysScreen(self.settings, self.change_keys, path, group))

    def change_keys(self, changed: Mapping[str, tuple[str, ...] | None]) -> Worker[bool]:
        """Give actions other or their usual keys on all screens; say later whether it is saved."""
        for name, keys in changed.items():
            self._preferences.change_keys(name, keys)
        self._take_keys()
        self._apply_settings()
        return self._save_keys()

    @work(group="settings")
    async def _save_keys(self) -> bool:
        if complaint := await asyncio.to_thread(self._preferences.save):
            self.notify(capitalised(complaint), severity="warning", markup=False)
        return not complaint

    def _take_keys(self) -> Mapping[str, str]:
        """Take the player's own keys; return what is wrong with them, by id."""
        self.keymap, wrong = keymap(self.settings.keys)
        self.set_keymap(self.keymap)
        return wrong

    def action_switch(self, name: str) -> None:
        """Toggle a boolean setting."""
        self.change_setting(name, not getattr(self.settings, name))

    def action_next_pieces(self) -> None:
        """Switch to the next piece set, for good, and say so."""
        chosen = next_set(piece_set(self.settings), few_colours=tones_merge(self))
        self.change_setting("pieces", chosen)
        if isinstance(self.screen, BoardScreen):
            self.screen.say(f"Pieces: {chosen}. The settings keep them.")

    # The palette

    def action_command_palette(self) -> None:
        """Open the palette."""
        from thud.tui.dialog_fixes import open_palette

        open_palette(self)

    def search_themes(self) -> None:
        """Open a palette of themes."""
        from thud.tui.dialog_fixes import open_themes

        open_themes(self)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer the actions of the keys, and Textual's commands that suit the game."""
        from thud.tui.palette import commands

        of_textual = super().get_system_commands(screen)
        return commands(screen, of_textual, self.keymap, self.deployment)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action is allowed in this deployment, and leaves no question open."""
        screen = self.screen
        waits = action in ("edit", "explore") and isinstance(screen, MatchScreen) and screen.asking
        return self.deployment.allows(action) and not waits

    # Matches

    @property
    def _match_to_save(self) -> MatchScreen | None:
        """The nearest screen with a match, unless a question is open on it."""
        screen = self.navigator.match
        return screen if screen and not screen.asking else None

    def action_save_as(self) -> None:
        """Save the match, in the way of this deployment."""
        from thud.tui.delivery import save_match

        if screen := self._match_to_save:
            save_match(self, screen, self.deployment.delivery)

    async def action_picture(self) -> None:
        """Save a picture of what is shown, in the way of this deployment."""
        from thud.tui.delivery import save_picture

        if screen := self._match_to_save:
            pieces = piece_set(self.settings)
            await save_picture(self, screen, self.deployment.delivery, pieces)

    def action_open(self) -> None:
        """Ask for a file, and resume its match, or replay one that is over."""
        screen = self.navigator.played
        if screen and screen.session and not screen.asking:
            self.matches.open(screen, screen.session)

    async def action_explore(self) -> None:
        """Show what others played in the current position of a replay, or of a match."""
        from thud.tui.replay.screen import ReplayScreen

        screen = self.screen
        if isinstance(screen, ReplayScreen):
            match = await screen.match_so_far(ended=False)
            if screen.is_active:
                self.matches.explore(match)
        elif isinstance(screen, MatchScreen) and screen.session and not screen.refuses("explore"):
            battle = screen.session.state.battle
            match = Match(battle.variant, SIDES, battle.start)
            for move in battle.moves:
                match.battle.play(move)
            self.matches.explore(match)

    def action_edit(self) -> None:
        """Open the editor with the position shown."""
        if isinstance(screen := self.screen, BoardScreen):
            self.matches.edit(screen.current_setup)

    def action_play_from(self) -> None:
        """Play from the position shown; ask who plays."""
        if isinstance(screen := self.screen, BoardScreen):
            self.matches.tell(self.matches.play_from(screen.current_setup))

    async def on_match_screen_review_wanted(self, event: MatchScreen.ReviewWanted) -> None:
        """Replay or review the match on top of the battle screen."""
        await self.matches.review(event.session, judge=event.judge)

    @work
    async def action_go_on(self, way: Way) -> None:
        """Do what is to be done next on top of what is shown; a match is left for another one."""
        if self.front:
            if way in ("resume", "play"):
                await self.matches.return_to(self.front)
            self.front.go_on(way)

    def action_to_match(self) -> None:
        """Go back to the match played below the screen shown."""
        if screen := self.navigator.match_below(self.screen):
            self.navigator.close_above(screen)

    # Leaving

    def on_match_screen_left(self) -> None:
        """Leave a match, once any confirmation has been given."""
        self.matches.leave()

    async def action_help_quit(self) -> None:  # type: ignore[override]
        """Leave on Ctrl+C."""
        await self.navigator.leave()

    async def action_quit(self) -> None:
        """Close the screen shown; ask first in the middle of a match, or in the lobby."""
        if self.front and self.front.lobby and self.screen is self.front:
            self.front.lobby.ask_to_leave()
        else:
            await self.navigator.leave()
