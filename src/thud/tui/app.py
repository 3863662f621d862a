"""The application: colours of the board, and the one screen."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, runtime_checkable

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import ModalScreen, Screen

from thud.rules.geometry import shown
from thud.rules.match import Match
from thud.settings.preferences import Preferences
from thud.settings.reading import Fault
from thud.settings.values import AUTO, Settings, Value
from thud.tui.battle_screen import BattleScreen
from thud.tui.keeper import Keeper

if TYPE_CHECKING:
    from thud.records.record import Record

_DARK: Final = {
    "board-turn": "#ffa62b",
    "board-goal": "#1f5a5a",
    "board-label": "#9a9184",
    "board-light": "#4d453c",
    "board-dark": "#3c352e",
    "board-dwarf": "#ffd166",
    "board-troll": "#8fe3a0",
    "board-stone": "#d8d8d8",
    "board-destination": "#e8f0c8",
    "board-capture": "#ff8a7a",
    "board-victim": "#9c2a22",
    "board-victim-text": "#ffffff",
    "board-held": "#e0a030",
    "board-held-text": "#1a1510",
    "board-last": "#5f5a30",
    "board-cursor": "#2f6fc0",
    "board-cursor-text": "#ffffff",
}
_LIGHT: Final = {
    "board-turn": "#9a4a00",
    "board-goal": "#a9d5cf",
    "board-label": "#6e6455",
    "board-light": "#f0e4cc",
    "board-dark": "#e2d2b2",
    "board-dwarf": "#7a3d00",
    "board-troll": "#0b5a2c",
    "board-stone": "#4a4a4a",
    "board-destination": "#3d3a20",
    "board-capture": "#b3160a",
    "board-victim": "#c0392b",
    "board-victim-text": "#ffffff",
    "board-held": "#f2b134",
    "board-held-text": "#1a1510",
    "board-last": "#d8cf8a",
    "board-cursor": "#2f6fc0",
    "board-cursor-text": "#ffffff",
}


_FAULTS_TOLD: Final = 4
_FAULT_SECONDS: Final = 20


@runtime_checkable
class FollowsSettings(Protocol):
    """A screen that looks or behaves as the settings say."""

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings: before the screen is shown, and whenever they change."""


class ThudApp(App[None]):
    """Plays or replays a match at one terminal.

    Args:
        match: the match to play or to replay.
        keeper: keeps what is played on the disk; without one nothing is kept.
        replay: show this record of the match move by move in place of playing on.
        notice: what to say at the start.
        mention_unfinished: say at the start if another match waits to be resumed.
        preferences: the settings; without them everything is as by itself, and nothing is kept.
    """

    TITLE = "Thud"
    CSS_PATH = Path(__file__).with_name("thud.tcss")
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(
        self,
        match: Match,
        keeper: Keeper | None = None,
        *,
        replay: Record | None = None,
        notice: str = "",
        mention_unfinished: bool = False,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__()
        self._preferences = preferences or Preferences()
        self._default_theme = self._own_theme = self.theme
        self._use_theme()
        self._match = match
        self.keeper = keeper or Keeper(None)
        self._replay = replay
        self._notice = notice
        self._mention_unfinished = mention_unfinished

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the board's colours, for a dark or a light theme."""
        return _DARK if self.current_theme.dark else _LIGHT

    def get_default_screen(self) -> Screen[None]:
        """Begin with the board: above another screen it would be painted later."""
        if self._replay:
            screen = self._replay_screen(self._replay, self._match, self._notice)
        else:
            mention = self._mention_unfinished
            screen = BattleScreen(
                self._match, self.keeper, self._notice, mention_unfinished=mention
            )
        # What is pushed has a callback for its result.  Without one it could not be switched.
        screen._push_result_callback(screen, None)
        return self._following(screen)

    def on_mount(self) -> None:
        """Leave until the first frame is painted what is not seen in it."""
        self.call_after_refresh(self._after_first_frame)

    def _after_first_frame(self) -> None:
        # The commands that draw switch the collector off while everything is loaded.
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._tell_faults()

    def _following(self, screen: Screen[None]) -> Screen[None]:
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
            if isinstance(screen, FollowsSettings):
                screen.apply_settings(self.settings)
        self._keep_settings()

    @work(group="settings")
    async def _keep_settings(self) -> None:
        if complaint := await asyncio.to_thread(self._preferences.save):
            self.notify(complaint, severity="warning", markup=False)

    def on_unmount(self) -> None:
        """Keep what was changed last."""
        self._preferences.save()

    def _use_theme(self) -> None:
        """Take the theme that is set, if there is one of that name."""
        name = self.settings.theme
        self._own_theme = name if name in self.available_themes else self._default_theme
        self.theme = self._own_theme

    def watch_theme(self, name: str) -> None:
        """Keep a theme that was chosen in the command palette."""
        if name != self._own_theme:
            self.change_setting("theme", name)

    def _faults(self) -> list[Fault]:
        """Return what is wrong in the settings file, as far as only the interface knows, too."""
        wrong = {}
        if (name := self.settings.theme) not in (AUTO, *self.available_themes):
            wrong["theme"] = f"there is no theme {shown(name)}; Ctrl+P and “Theme” list them"
        return [*self._preferences.faults, *self._preferences.blamed(wrong)]

    def _tell_faults(self) -> None:
        for fault in self._faults()[:_FAULTS_TOLD]:
            self.notify(str(fault), severity="warning", timeout=_FAULT_SECONDS, markup=False)

    def _replay_screen(self, record: Record, match: Match, notice: str) -> Screen[None]:
        from thud.tui.replay_screen import ReplayScreen

        return ReplayScreen(record, match, partial(self._play_from, match), notice)

    def _play_from(self, match: Match, number: int, played: int) -> None:
        notice = "Playing on, in a new match."
        self._show(BattleScreen(match.until(number, played), self.keeper, notice), instead=True)

    @property
    def _playing(self) -> BattleScreen | None:
        screens = (screen for screen in self.screen_stack if isinstance(screen, BattleScreen))
        return next(screens, None)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer what the keys do, and of Textual's own commands those that suit the game."""
        for command in super().get_system_commands(screen):
            if command.title in ("Theme", "Quit"):
                yield command
        for binding in screen.BINDINGS:
            if isinstance(binding, Binding) and binding.id and binding.action != "app.quit":
                run = partial(screen.run_action, binding.action)
                yield SystemCommand(binding.description, f"Key: {binding.key}", run)

    def action_save_as(self) -> None:
        """Ask for a name and write the match to a file."""
        from thud.tui import sharing

        if (screen := self._playing) and not screen.asking:
            proposal = sharing.proposed_name(screen.match)
            self._ask("Save the match as", proposal, lambda name: self._save_as(screen, name))

    @work
    async def _save_as(self, screen: BattleScreen, name: str) -> None:
        from thud.tui import sharing

        record = self.keeper.record(screen.match)
        screen.say(await asyncio.to_thread(sharing.save_as, record, name))

    def action_open(self) -> None:
        """Ask for a file and go on with its match, or replay it if it is over."""
        if (screen := self._playing) and not screen.asking:
            self._ask("Open a .tgn or .thud file", "", lambda name: self._open(screen, name))

    @work
    async def _open(self, screen: BattleScreen, name: str) -> None:
        from thud.tui import sharing

        try:
            record, match, fault = await asyncio.to_thread(sharing.open_file, name)
        except ValueError as error:
            screen.say(f"not opened: {error}")
            return
        if match.over:
            await self.keeper.turn_to()
            self._close_what_covers(screen)
            screen_of_it = self._replay_screen(record, match, fault or f"{name} is over.")
            self._show(screen_of_it, instead=True)
        else:
            complaint = await self.keeper.turn_to(record)
            screen.take_up(match, fault or complaint or f"{name} is open.")

    def _ask(self, question: str, proposal: str, then: Callable[[str], object]) -> None:
        from thud.tui.ask_screen import AskScreen

        def answered(name: str | None) -> None:
            if name:
                then(name)

        self.push_screen(AskScreen(question, proposal), answered)

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
            self.exit()
