"""The application: colours of the board, and the one screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import ModalScreen, Screen

from thud.rules.match import Match
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


class ThudApp(App[None]):
    """Plays or replays a match at one terminal.

    Args:
        match: the match to play or to replay.
        keeper: keeps what is played on the disk; without one nothing is kept.
        replay: show this record of the match move by move in place of playing on.
        notice: what to say at the start.
        mention_unfinished: say at the start if another match waits to be resumed.
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
    ) -> None:
        super().__init__()
        self._match = match
        self.keeper = keeper or Keeper(None)
        self._replay = replay
        self._notice = notice
        self._mention_unfinished = mention_unfinished

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the board's colours, for a dark or a light theme."""
        return _DARK if self.current_theme.dark else _LIGHT

    def on_mount(self) -> None:
        """Go to the board."""
        if self._replay:
            self.push_screen(self._replay_screen(self._replay, self._match, self._notice))
            return
        mention = self._mention_unfinished
        self.push_screen(
            BattleScreen(self._match, self.keeper, self._notice, mention_unfinished=mention)
        )

    def _replay_screen(self, record: Record, match: Match, notice: str) -> Screen[None]:
        from thud.tui.replay_screen import ReplayScreen

        return ReplayScreen(record, match, partial(self._play_from, match), notice)

    def _play_from(self, match: Match, number: int, played: int) -> None:
        notice = "Playing on, in a new match."
        self.switch_screen(BattleScreen(match.until(number, played), self.keeper, notice))

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
            self.switch_screen(self._replay_screen(record, match, fault or f"{name} is over."))
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
