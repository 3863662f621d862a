"""The screen on which a match is played: the board, the panel and what the keys do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from thud.rules.match import Match
from thud.rules.position import Move
from thud.tui import questions
from thud.tui.abilities import abilities
from thud.tui.board import Board
from thud.tui.hand import Hand
from thud.tui.keeper import Keeper
from thud.tui.move_entry import MoveEntry
from thud.tui.moving import Moving
from thud.tui.panel import MoveList
from thud.tui.phrases import sentence, told
from thud.tui.room import show_if_room
from thud.tui.table import Table

_WHILE_ASKED: Final = ("back", "flip", "help")


class BattleScreen(Screen[None]):
    """Plays one match after the other."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("colon,slash", "type_move", "Type a move", key_display=":", id="battle.type"),
        Binding("a", "take_all", "Take all", show=False, id="battle.take_all"),
        Binding("escape,backspace", "back", "Let go", key_display="Esc", id="battle.back"),
        Binding("u", "undo", "Undo", id="battle.undo"),
        Binding("r", "redo", "Redo", id="battle.redo"),
        Binding("s", "app.save_as", "Save as", show=False, id="battle.save_as"),
        Binding("o", "app.open", "Open a file", show=False, id="battle.open"),
        Binding("c", "copy", "Copy", show=False, id="battle.copy"),
        Binding("f", "flip", "Flip the board", show=False, id="battle.flip"),
        Binding("e", "end_battle", "End battle", id="battle.end"),
        Binding("q", "app.quit", "Quit", id="battle.quit"),
        Binding("question_mark", "explain", "What a piece may do", show=False, id="battle.explain"),
        Binding("f1", "help", "Help", key_display="F1", id="battle.help"),
    ]

    def __init__(
        self, match: Match, keeper: Keeper, notice: str = "", *, mention_unfinished: bool = False
    ) -> None:
        super().__init__()
        self.match = match
        self.keeper = keeper
        self.table = Table(match.battle.position)
        self._moving = Moving(self.table, match, self._play)
        self._mention_unfinished = mention_unfinished
        self._notice = notice

    @property
    def hand(self) -> Hand:
        """What the player to move has in hand."""
        return self._moving.hand

    def compose(self) -> ComposeResult:
        """Lay out the table and the footer."""
        yield self.table
        yield Static(id="too-small")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show the first position as soon as there is room for it."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._show_battle(self._notice)
        self._keep_what_is_there()
        if self._mention_unfinished:
            self._look_for_unfinished()

    @work
    async def _keep_what_is_there(self) -> None:
        """Keep a match that has moves already, such as one played on from a replay."""
        if self.match.battles[0].moves and self.keeper.id is None and not self.match.over:
            self._complain(await self.keeper.keep(lambda: self.match))

    @work
    async def _look_for_unfinished(self) -> None:
        waiting = await asyncio.to_thread(self.keeper.unfinished)
        if waiting and not self._moving.notice:
            self.say(f"Another match waits: thud resume {waiting}")

    def on_resize(self, event: events.Resize) -> None:
        """Show the game where there is room for it, and else say what room it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self._restore)

    def _restore(self) -> None:
        """Give the keys back to what had them, and fill lines to their new width."""
        self.table.take_keys()
        self.table.show_standing(self.match)

    # Showing

    def _show_battle(self, notice: str = "") -> None:
        """Show the battle as it stands, with nothing in hand."""
        self._moving.begin(self.match)
        self.table.show_standing(self.match)
        self.table.show_moves(self.match)
        self.refresh_bindings()
        self.table.withdraw()
        self._moving.show(notice or self._last_move_told())
        if self.match.battle.outcome:
            self._show_result()

    def _last_move_told(self) -> str:
        battle = self.match.battle
        if not battle.moves:
            return ""
        return told(self.match, battle.positions[-2], battle.moves[-1])

    # Moving

    @on(Board.CursorMoved)
    def _hint_at_cursor(self) -> None:
        if not self.table.prompt.question:
            self._moving.show_hint()

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        await self._moving.click(event.square)

    @on(Board.Missed)
    @on(events.Click)
    def _let_go(self) -> None:
        self._moving.let_go()

    # Typing

    def action_type_move(self) -> None:
        """Open the line in which a move is typed."""
        self._moving.let_go()
        self.table.withdraw()
        self.table.open_entry(self.match.variant, self.match.battle.position)

    @on(MoveEntry.Going)
    def _show_ways(self, event: MoveEntry.Going) -> None:
        if self.table.typing:
            self.table.tell("  ".join(event.ways))

    @on(MoveEntry.Typed)
    async def _play_typed(self, event: MoveEntry.Typed) -> None:
        try:
            await self._moving.typed(event.text)
        except ValueError as refusal:
            self.table.tell(sentence(str(refusal)))
        else:
            self.table.close_entry()

    @on(MoveEntry.Closed)
    def _close_entry(self) -> None:
        self.table.close_entry()
        self._moving.show()

    # Looking

    @on(MoveList.Picked)
    def _look_back(self, event: MoveList.Picked) -> None:
        battle = self.match.battle
        if self.asking or self.hand.grip or not 0 < event.played <= len(battle.moves):
            return
        self.table.show_past(self.match, event.played)
        self.query_one(MoveList).take_keys()

    @on(MoveList.Left)
    def _look_at_now(self) -> None:
        self._show_battle()

    def action_explain(self) -> None:
        """Tell what the piece under the cursor may do; where there is none, show the help."""
        square, position = self.table.board.cursor, self.match.battle.position
        if self.hand.grip or position.letter_at(square) is None:
            self.action_help()
            return
        text = abilities(self.match.variant, position, square)
        self.table.ask(questions.told(text, self._show_battle))

    async def _play(self, move: Move) -> None:
        def play() -> None:
            self.match.battle.play(move)
            self.table.board.move_cursor(move.destination)

        await self._change(play)

    async def _change(self, change: Callable[[], object], notice: str = "") -> None:
        """Change the match and show it; return when it is on the disk.

        The change is dropped if another match was taken up before its turn came.
        """
        match = self.match

        def change_and_show() -> Match:
            if self.match is match:
                change()
                self._show_battle(notice)
            return self.match

        self._complain(await self.keeper.keep(change_and_show))

    def _complain(self, complaint: str) -> None:
        if complaint:
            self.say(sentence(complaint))

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        battle = self.match.battle
        if self.has_class("-too-small"):
            return False
        if (self.asking or self.table.typing) and action not in _WHILE_ASKED:
            return False
        if action == "undo":
            return bool(battle.moves or battle.outcome)
        if action == "redo":
            return bool(battle.undone) and not battle.outcome
        if action in ("back", "end_battle"):
            return battle.outcome is None
        return True

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor."""
        await self._moving.choose(self.table.board.cursor)

    async def action_take_all(self) -> None:
        """Put the piece in hand down under the cursor and capture everything there."""
        await self._moving.take_all(self.table.board.cursor)

    def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the piece in hand."""
        self._moving.back()

    async def action_undo(self) -> None:
        """Take the last move back, or the agreement to end."""
        await self._change(self.match.battle.undo)

    async def action_redo(self) -> None:
        """Play the move that was taken back last again."""
        await self._change(self.match.battle.redo)

    def action_flip(self) -> None:
        """Turn the board round."""
        self.table.board.flip()
        self._moving.show(self._moving.notice)
        self._moving.ask_again()

    def action_help(self) -> None:
        """Show the rules, the marks and the keys."""
        from thud.tui.help_screen import HelpScreen

        self.app.push_screen(HelpScreen(self.match.variant, (*Board.BINDINGS, *self.BINDINGS)))

    def action_end_battle(self) -> None:
        """Ask the other player to end the battle."""
        self._moving.let_go()
        self.table.ask(
            questions.end_battle(
                self.match, agree=self._agree, play_on=self._play_on, withdraw=self._show_battle
            )
        )

    async def _agree(self) -> None:
        await self._change(self.match.battle.agree)

    def _play_on(self) -> None:
        self.table.withdraw()
        name = self.match.name_of(self.match.battle.position.to_move.other)
        self.say(f"{name} plays on.")

    # Results

    def _show_result(self) -> None:
        result = questions.match_over if self.match.over else questions.battle_over
        go_on = self._play_again if self.match.over else self._next_battle
        self.table.ask(
            result(self.match, go_on=go_on, undo=self.action_undo, leave=self.ask_to_leave)
        )

    async def _next_battle(self) -> None:
        await self._change(self.match.next_battle, "The players have exchanged sides.")

    async def _play_again(self) -> None:
        await self.keeper.turn_to()
        self.take_up(self.match.again(), "A new match.")

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        return self.table.prompt.question is not None and self.match.battle.outcome is None

    def say(self, notice: str) -> None:
        """Show a notice beneath the board."""
        self._moving.show(notice)

    def take_up(self, match: Match, notice: str) -> None:
        """Play another match, which the keeper has if it is kept already."""
        self.match = match
        self._show_battle(notice)

    def ask_to_leave(self) -> None:
        """Leave; in the middle of a match ask first."""
        begun = self.match.battle.moves or self.match.number > 1
        if self.match.over or not begun or self.has_class("-too-small"):
            self.app.exit()
            return
        self._moving.let_go()
        outlook = self.keeper.outlook
        self.table.ask(questions.leave(outlook, leave=self.app.exit, stay=self._show_battle))

    # The clipboard

    def action_copy(self) -> None:
        """Ask what to copy to the clipboard."""
        from thud.tui import sharing

        match, flipped = self.match, self.table.board.flipped
        self._moving.let_go()
        self.table.ask(
            questions.copy(
                position=lambda: self._copy("position", match.battle.position.to_text()),
                moves=lambda: self._copy("moves", sharing.moves_text(match)),
                picture=lambda: self._copy("picture", sharing.picture(match, flipped=flipped)),
                back=self._show_battle,
            )
        )

    def _copy(self, what: str, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self._show_battle(f"The {what} was sent to the terminal's clipboard.")
