"""The screen on which a match is played: the board, the panel and what the keys do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from thud.engines.seating import Seats
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.position import Move
from thud.settings.values import Settings
from thud.tui import signals
from thud.tui.battle.closing import Closing
from thud.tui.battle.keeper import Keeper
from thud.tui.battle.move_entry import MoveEntry
from thud.tui.battle.opponents import Opponents
from thud.tui.battle.picking import Moving
from thud.tui.battle.table import Table
from thud.tui.board.widget import Board
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import BATTLE_KEYS, WHILE_ASKED
from thud.tui.looks.phrases import last_told, sentence, title
from thud.tui.widgets.panel import MoveList
from thud.tui.widgets.room import fit, show_if_room


class BattleScreen(Screen[None]):
    """Plays one match after the other.

    Args:
        match: what is played.
        keeper: keeps it on the disk.
        notice: what to say at the start.
        mention_unfinished: say at the start if another match waits to be resumed.
        seats: which players are computers.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*BATTLE_KEYS]

    class Left(Message):
        """The players want to leave."""

    def __init__(
        self,
        match: Match,
        keeper: Keeper,
        notice: str = "",
        *,
        mention_unfinished: bool = False,
        seats: Seats = None,
    ) -> None:
        super().__init__()
        self.match = match
        self.keeper = keeper
        self.settings = Settings()
        self.table = Table(match.battle.position)
        self.opponents = Opponents(self, seats)
        self.closing = Closing(self)
        self.moving = Moving(self.table, match, self._play)
        self._mention_unfinished = mention_unfinished
        self._notice = notice
        self._let_go_of = False
        self._new = True

    def compose(self) -> ComposeResult:
        """Lay out the table and the footer."""
        fit(self, self.app.size, update=False)
        yield self.table
        yield Static(id="too-small")
        yield KeyBar()

    def update_node_styles(self, animate: bool = True) -> None:
        """Apply the styles anew, but not when the screen is shown first: they were just applied."""
        if not self._new:
            super().update_node_styles(animate)
        self._new = False

    def on_mount(self) -> None:
        """Show the first position as soon as there is room for it."""
        self.call_after_refresh(self._begin)
        self.watch(self.table.board, "cursor", self._follow_cursor, init=False)

    def _begin(self) -> None:
        signals.save_title(self.app)
        self.show_battle(self._notice)
        self._keep_what_is_there()
        if self._mention_unfinished:
            self._look_for_unfinished()

    async def on_unmount(self) -> None:
        """Leave no process and no trace behind."""
        self._let_go_of = True
        signals.restore_title(self.app)
        await self.opponents.close()

    @work
    async def _keep_what_is_there(self) -> None:
        """Keep a match that has moves already, such as one played on from a replay."""
        if self.match.battles[0].moves and self.keeper.id is None and not self.match.over:
            self._complain(await self.keeper.keep(lambda: self.match))

    @work
    async def _look_for_unfinished(self) -> None:
        waiting = await asyncio.to_thread(self.keeper.unfinished)
        if waiting and not self.moving.notice:
            self.say(f"Another match waits: thud resume {waiting}")

    def on_resize(self, event: events.Resize) -> None:
        """Show the game where there is room for it, and else say what room it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self._restore)

    def _restore(self) -> None:
        """Give the keys back to what had them, and fill lines to their new width."""
        self.table.take_keys()
        self.table.show_standing(self.match)
        self.refresh_bindings()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self.settings = settings
        self.table.apply_settings(settings)
        self.moving.take_all_at_once = settings.captures == "all"
        self.opponents.evaluate(settings.evaluation_bar)

    # Showing

    def show_battle(self, notice: str = "") -> None:
        """Show the battle as it stands, with nothing in hand and nothing else open."""
        self.table.withdraw()
        self._show_behind(notice)
        if self.match.battle.outcome:
            self.closing.show_result()
        self.opponents.go_on()

    def _show_behind(self, notice: str = "") -> None:
        """Show the battle as it stands, behind whatever else is open."""
        self.moving.begin(self.match)
        self.moving.idle = self.opponents.turns.idle
        self.table.show_standing(self.match)
        self.table.show_moves(self.match)
        self.refresh_bindings()
        self.moving.show(notice or last_told(self.match))
        signals.set_title(self.app, title(self.match))

    def _follow(self) -> None:
        """Show what a computer has done, and leave open what people are looking at."""
        if self.match.battle.outcome or not self.table.occupied:
            self.show_battle()
        else:
            self._show_behind()
            self.opponents.go_on()

    def say(self, notice: str) -> None:
        """Show a notice beneath the board."""
        self.moving.show(notice)

    # Moving

    def _follow_cursor(self) -> None:
        # When the move that puts the cursor there is done, but before anything is drawn.
        self.call_next(self.show_hint)

    def show_hint(self) -> None:
        """Say what can be done now, unless something else is said."""
        if not self.table.occupied:
            self.moving.show_hint()

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        if self.table.past is None:
            await self.moving.click(event.square)
        else:
            self.show_battle()

    @on(Board.Hovered)
    def _show_hovered(self, event: Board.Hovered) -> None:
        self.moving.hover(event.square)

    @on(Board.Grabbed)
    def _grab(self, event: Board.Grabbed) -> None:
        self.moving.grab(event.square)

    @on(Board.Dropped)
    async def _drop(self, event: Board.Dropped) -> None:
        await self.moving.drop(event.origin, event.destination)

    @on(Board.NoCapture)
    def _miss_capture(self) -> None:
        self.moving.miss_capture()

    @on(Board.Missed)
    @on(events.Click)
    def _let_go(self) -> None:
        self.moving.let_go()

    async def _play(self, move: Move) -> None:
        battle, played = self.match.battle, len(self.match.battle.moves)
        await self.change(lambda: self._make(move, battle, played))

    async def play_for(self, match: Match, played: int, move: Move) -> None:
        """Play a computer's move, unless the match has gone on since `played` moves."""
        if match is self.match:
            battle = match.battle
            await self.change(lambda: self._make(move, battle, played), show=self._follow)

    def _make(self, move: Move, battle: Battle, played: int) -> None:
        if len(battle.moves) == played and not battle.outcome:
            battle.play(move)
            self.table.board.move_cursor(move.destination)
            if move.captures and self.settings.bell:
                signals.ring(self.app)

    async def change(
        self, change: Callable[[], object], *, show: Callable[[], None] | None = None
    ) -> None:
        """Change the match and show it; return when it is on the disk.

        The change is dropped if the match was let go before its turn came.
        """
        match = self.match

        def change_and_show() -> Match | None:
            if self.match is not match or self._let_go_of:
                return None
            self.opponents.turns.interrupt()
            change()
            (show or self.show_battle)()
            return match

        self._complain(await self.keeper.keep(change_and_show))

    def _complain(self, complaint: str) -> None:
        if complaint:
            self.say(sentence(complaint))

    # Typing

    def action_type_move(self) -> None:
        """Open the line in which a move is typed."""
        self.moving.type()

    @on(MoveEntry.Typed)
    async def _play_typed(self, event: MoveEntry.Typed) -> None:
        await self.moving.typed(event.text)

    @on(MoveEntry.Closed)
    def _close_entry(self) -> None:
        self.table.close_entry()
        self.moving.show()

    # Looking

    @on(MoveList.Picked)
    def _look_back(self, event: MoveList.Picked) -> None:
        battle = self.match.battle
        if self.asking or self.moving.hand.grip or not 0 < event.played <= len(battle.moves):
            return
        self.table.show_past(self.match, event.played)

    @on(MoveList.Left)
    def _look_at_now(self) -> None:
        self.show_battle()

    def action_explain(self) -> None:
        """Tell what the piece under the cursor may do; where there is none, show the help."""
        if not self.moving.explain():
            self.action_help()

    def action_threats(self) -> None:
        """Show what could be captured next move, and from where, or no longer."""
        self.moving.show_threats()

    def action_hint(self) -> None:
        """Ask the computer for the best move."""
        self.opponents.advice.hint()

    def action_speed(self, by: int) -> None:
        """Change the speed at which computers play with one another."""
        seconds = self.opponents.turns.faster(by)
        self.say(f"At least {seconds:g} s a move." if seconds else "As fast as they can.")

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        battle, turns = self.match.battle, self.opponents.turns
        if self.has_class("-too-small"):
            return False
        if (self.asking or self.table.typing) and action not in WHILE_ASKED:
            return False
        possible = {
            "undo": bool(battle.outcome) or turns.can_undo,
            "redo": bool(battle.undone) and not battle.outcome,
            "back": bool(self.moving.hand.grip),
            "end_battle": not (battle.outcome or turns.idle),
            "hint": not (battle.outcome or turns.idle),
            "type_move": not (battle.outcome or turns.idle),
            "speed": turns.watching,
        }
        return possible.get(action, True)

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor; pause what is only watched."""
        if self.opponents.turns.watching and not self.match.battle.outcome:
            self.opponents.turns.pause()
            self.show_battle()
            return
        await self.moving.choose(self.table.board.cursor)

    async def action_take_all(self) -> None:
        """Put the piece in hand down under the cursor and capture everything there."""
        await self.moving.take_all(self.table.board.cursor)

    def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the piece in hand."""
        self.moving.back()

    async def action_undo(self) -> None:
        """Take the last move back, to a person's turn if one plays, or the agreement to end."""
        await self.change(self.opponents.turns.undo)

    async def action_redo(self) -> None:
        """Play again what was taken back last."""
        await self.change(self.opponents.turns.redo)

    def action_flip(self) -> None:
        """Turn the board round."""
        self.table.board.flip()
        self.moving.show(self.moving.notice)
        self.moving.ask_again()

    def action_help(self) -> None:
        """Show the rules, the marks and the keys."""
        from thud.tui.help.screen import HelpScreen

        self.app.push_screen(HelpScreen(self.match.variant, (*Board.BINDINGS, *self.BINDINGS)))

    def action_end_battle(self) -> None:
        """Ask the other player to end the battle."""
        self.moving.let_go()
        self.closing.propose()

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        question = self.table.prompt.question
        return question is not None and (question.holds or self.match.battle.outcome is None)

    @property
    def held(self) -> bool:
        """Whether no computer may move now."""
        question = self.table.prompt.question
        return self._let_go_of or (question is not None and question.holds)

    def let_go_of_match(self) -> None:
        """Change the match no more: another one is taken up, or the screen is left."""
        self._let_go_of = True
        self.opponents.turns.interrupt()

    def take_up(self, match: Match, notice: str) -> None:
        """Play another match, which the keeper has if it is kept already."""
        self.opponents.turns.interrupt()
        self.match, self._let_go_of = match, False
        self.show_battle(notice)

    def leave(self) -> None:
        """Leave without a question."""
        self.let_go_of_match()
        self.post_message(self.Left())

    def ask_to_leave(self) -> None:
        """Leave; in the middle of a match ask first."""
        self.closing.leave()

    def action_copy(self) -> None:
        """Ask what to copy to the clipboard."""
        from thud.tui.battle import sharing

        self.moving.let_go()
        flipped = self.table.board.flipped
        self.table.ask(sharing.copying(self.match, self._copy, self.show_battle, flipped=flipped))

    def _copy(self, what: str, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.show_battle(f"The {what} was sent to the terminal's clipboard.")
