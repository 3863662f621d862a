"""The application: colours of the board, and the one screen."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, runtime_checkable

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import ModalScreen, Screen

from thud.rules.geometry import shown
from thud.rules.match import Match
from thud.session.keeper import Keeper
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.settings.values import AUTO, Settings, Value
from thud.tui.battle.screen import BattleScreen
from thud.tui.departure import leave_when_told
from thud.tui.in_order import InOrder
from thud.tui.keys.bindings import APP_KEYS
from thud.tui.keys.keymap import Keymap, key_name, keys_of
from thud.tui.looks.legible import legible
from thud.tui.looks.phrases import capital
from thud.tui.looks.themes import KOOM_VALLEY, THEMES, board_colours, few_colours

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.store import Store
    from thud.tui.battle.sharing import Opened

_NO_COMMANDS: Final = ("app.quit", "command_palette")
"""Actions that the palette has by itself, or is."""

_FAULTS_TOLD: Final = 4
_FAULT_SECONDS: Final = 20


@runtime_checkable
class FollowsSettings(Protocol):
    """A screen that looks or behaves as the settings say."""

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings: before the screen is shown, and whenever they change."""


class ThudApp(InOrder):
    """Plays or replays a match at one terminal.

    Args:
        session: what is played.
        replay: show this record move by move if nothing is played.
        store: where the matches are kept that are played on from it.
        notice: what to say at the start.
        mention_unfinished: say at the start if another match waits to be resumed.
        preferences: the settings; without them everything is as by itself, and nothing is kept.

    Attributes:
        session: what is played now, or was last.
    """

    TITLE = "Thud"
    CSS_PATH = Path(__file__).with_name("thud.tcss")
    ALLOW_SELECT: ClassVar[bool] = False

    BINDINGS: ClassVar[list[BindingType]] = [*APP_KEYS]

    def __init__(
        self,
        session: Session | None = None,
        *,
        replay: Record | None = None,
        store: Store | None = None,
        notice: str = "",
        mention_unfinished: bool = False,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self._preferences = preferences or Preferences()
        # Who has set themes for all Textual programs has the first one here, too.
        usual = (*os.environ.get("TEXTUAL_THEME", "").split(","), KOOM_VALLEY.name)
        self._default_theme = next(name for name in usual if name in self.available_themes)
        self._own_theme = self._theme_set
        self._begin_with_theme(self._own_theme)
        self._complaint = ""
        self._plain_ascii: LineFilter | None = None
        self.keymap: Keymap = {}
        """The players' own keys."""
        self.session = session
        self._replay = replay
        self._store = store
        self._notice = notice
        self._mention_unfinished = mention_unfinished

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the board's colours in the theme."""
        return board_colours(self.current_theme, few=few_colours(self))

    def get_css_variables(self) -> dict[str, str]:
        """Return all colours of the theme, those of the terminal as they are."""
        variables = super().get_css_variables()
        if not (self.current_theme.ansi or few_colours(self)):
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

    def get_default_screen(self) -> Screen[None]:
        """Begin with the board: above another screen it would be painted later."""
        screen: Screen[None]
        if self.session:
            mention = self._mention_unfinished
            screen = BattleScreen(self.session, self._notice, mention_unfinished=mention)
        else:
            assert self._replay is not None
            screen = self._replay_screen(self._replay, self._notice)
        # What is pushed has a callback for its result.  Without one it could not be switched.
        screen._push_result_callback(screen, None)
        return self._following(screen)

    def on_mount(self) -> None:
        """Leave until the first frame is painted what is not seen in it."""
        leave_when_told(self)
        wrong = self._use_keys()
        self.call_after_refresh(self._after_first_frame, wrong)

    def _after_first_frame(self, wrong_keys: Mapping[str, str]) -> None:
        # The commands that draw switch the collector off while everything is loaded.
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._tell_faults(wrong_keys)

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

    # Settings

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
        themes, path = sorted(self.available_themes), self._preferences.path
        self._show(SettingsScreen(self.settings, themes, path, self.change_setting))

    def action_switch(self, name: str) -> None:
        """Change a setting that is either on or off."""
        self.change_setting(name, not getattr(self.settings, name))

    def action_next_pieces(self) -> None:
        """Draw the pieces in the next set."""
        from thud.tui.board.pieces import next_set
        from thud.tui.widgets.appearance import piece_set

        self.change_setting("pieces", next_set(piece_set(self.settings)))

    @work(group="settings")
    async def _keep_settings(self) -> None:
        complaint = await asyncio.to_thread(self._preferences.save)
        if complaint and complaint != self._complaint:
            self.notify(capital(complaint), severity="warning", markup=False)
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
            wrong["theme"] = f"there is no theme {shown(name)}; Ctrl+P and “Theme” list them"
        faults = [*self._preferences.faults, *self._preferences.blamed(wrong)]
        if faults:
            told = "\n".join(map(str, faults[:_FAULTS_TOLD]))
            self.notify(told, severity="warning", timeout=_FAULT_SECONDS, markup=False)

    def _replay_screen(self, record: Record, notice: str) -> Screen[None]:
        from thud.tui.replay.screen import ReplayScreen

        return ReplayScreen(record, self._play_from, notice)

    def _play_from(self, match: Match) -> None:
        session = Session(match, Keeper(self._store))
        self._play(session, "Playing on, in a new match.", instead=True)

    def _play(self, session: Session, notice: str = "", *, instead: bool = False) -> None:
        """Play at a session, above or instead of the screen that is there."""
        self.session = session
        self._show(BattleScreen(session, notice), instead=instead)

    @property
    def _playing(self) -> BattleScreen | None:
        from_top = reversed(self.screen_stack)
        return next((screen for screen in from_top if isinstance(screen, BattleScreen)), None)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer what the keys do, and of Textual's own commands those that suit the game."""
        for command in super().get_system_commands(screen):
            if command.title in ("Theme", "Quit"):
                yield command
        for binding in (*screen.BINDINGS, *self.BINDINGS):
            if isinstance(binding, Binding) and binding.id and binding.action not in _NO_COMMANDS:
                keys = " ".join(map(key_name, keys_of(binding, self.keymap)))
                run = partial(screen.run_action, binding.action)
                yield SystemCommand(binding.description, f"Key: {keys}", run)

    def action_save_as(self) -> None:
        """Ask for a name until the match is written to a file of that name."""
        from thud.tui.battle import sharing
        from thud.tui.widgets.ask_screen import AskScreen

        if (screen := self._playing) and not screen.asking:
            asking = AskScreen(
                "Save the match as",
                sharing.proposed_name(screen.match),
                lambda name: sharing.save_as(screen.session.record, name),
            )

            def answered(saved: str | None) -> None:
                if saved:
                    screen.say(saved)

            self.push_screen(asking, answered)

    def action_open(self) -> None:
        """Ask for a file until one can be read, and go on with its match, or replay it."""
        from thud.records.formats import READABLE, spoken
        from thud.tui.battle import sharing
        from thud.tui.widgets.ask_screen import AskScreen

        if (screen := self._playing) and not screen.asking:

            def answered(opened: sharing.Opened | None) -> None:
                if opened:
                    self._take_up(screen, opened)

            question = f"Open a {spoken(READABLE, 'or')} file"
            self.push_screen(AskScreen(question, "", sharing.open_file), answered)

    @work
    async def _take_up(self, screen: BattleScreen, opened: Opened) -> None:
        record = opened.record
        if record.over:
            await screen.session.leave()
            self.session = None
            self._close_what_covers(screen)
            self._show(self._replay_screen(record, opened.notice), instead=True)
            return
        await screen.session.open(record)
        if opened.fault or not screen.session.keeper.behind:
            screen.say(opened.notice)

    def _close_what_covers(self, screen: Screen[None]) -> None:
        while self.screen is not screen:
            self.pop_screen()

    def action_help_quit(self) -> None:
        """Take Ctrl+C for the wish to leave."""
        self._leave()

    async def action_quit(self) -> None:
        """Leave, after asking in the middle of a match."""
        self._leave()

    def _leave(self) -> None:
        if isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        elif screen := self._playing:
            screen.ask_to_leave()
        else:
            self.leave()

    def leave(self) -> None:
        """Leave a match or a replay, which is the end where nothing else is open."""
        self.exit()

    def on_battle_screen_left(self) -> None:
        """Leave when the players have said that they want to."""
        self.leave()
