"""The screen on which a match is played: the board, the panel and what the keys do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from thud.rules.geometry import Square, squares_of
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.variant import IllegalMove
from thud.tui import questions
from thud.tui.board import Board, direction_keys
from thud.tui.hand import Choice, Hand
from thud.tui.keeper import Keeper
from thud.tui.panel import MoveList, Standing
from thud.tui.phrases import hint, sentence, told
from thud.tui.prompt import Prompt
from thud.tui.room import show_if_room
from thud.tui.scene import scene

_WHILE_ASKED: Final = ("back", "flip", "help")


class BattleScreen(Screen[None]):
    """Plays one match after the other."""

    BINDINGS: ClassVar[list[BindingType]] = [
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
        Binding("f1,question_mark", "help", "Help", key_display="F1", id="battle.help"),
    ]

    def __init__(
        self, match: Match, keeper: Keeper, notice: str = "", *, mention_unfinished: bool = False
    ) -> None:
        super().__init__()
        self.match = match
        self.keeper = keeper
        self._mention_unfinished = mention_unfinished
        self._board = Board(match.battle.position)
        self._prompt = Prompt()
        self.hand = Hand(match.variant, match.battle.position)
        self._notice = notice

    def compose(self) -> ComposeResult:
        """Lay out the board with its message, the panel and the footer."""
        with Horizontal(id="play"):
            with Vertical(id="table"):
                yield self._board
                yield Static(id="message")
            with Vertical(id="panel"):
                yield Standing()
                yield MoveList()
                yield self._prompt
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
        if waiting and not self._notice:
            self._show_hand(f"Another match waits: thud resume {waiting}")

    def on_resize(self, event: events.Resize) -> None:
        """Show the game where there is room for it, and else say what room it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self._restore)

    def _restore(self) -> None:
        """Give the keys back to what had them, and fill lines to their new width."""
        self.set_focus(self._prompt if self._prompt.question else self._board)
        self._show_standing()

    # Showing

    def _show_battle(self, notice: str = "") -> None:
        """Show the battle as it stands, with nothing in hand."""
        battle = self.match.battle
        self.hand = Hand(self.match.variant, battle.position)
        self._show_standing()
        self.query_one(MoveList).show(battle)
        self.refresh_bindings()
        self._withdraw_question()
        self._show_hand(notice or self._last_move_told())
        if battle.outcome:
            self._show_result()

    def _show_standing(self) -> None:
        match, battle = self.match, self.match.battle
        over = battle.outcome is not None
        self.query_one(Standing).show(match, match.number, battle.position, over=over)

    def _show_hand(self, notice: str = "") -> None:
        moves = self.match.battle.moves
        last = moves[-1] if moves else None
        view = scene(self.hand, last, flipped=self._board.flipped)
        self._board.show(view._replace(goals=self.match.variant.goals))
        self._notice = notice
        self._show_message()

    def _show_message(self) -> None:
        text = Text(hint(self.match, self.hand, self._board.cursor))
        text.append(f"\n{self._notice}", "bold")
        self.query_one("#message", Static).update(text, layout=False)

    def _last_move_told(self) -> str:
        battle = self.match.battle
        if not battle.moves:
            return ""
        before = battle.positions[-2]
        return told(self.match, before, battle.moves[-1])

    def _withdraw_question(self) -> None:
        self._prompt.close()
        self.set_focus(self._board)

    # Moving

    @on(Board.CursorMoved)
    def _hint_at_cursor(self) -> None:
        if not self._prompt.question:
            self._show_message()

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        grip = self.hand.grip
        if grip and grip.choice and event.square != grip.choice.destination:
            self._toggle(grip.choice, event.square)
        elif not self._prompt.question or (grip and grip.choice):
            await self._attempt(lambda: self.hand.choose(event.square), let_go=True)

    @on(Board.Missed)
    @on(events.Click)
    def _let_go(self) -> None:
        if self.hand.grip:
            self.hand.let_go()
            self._withdraw_question()
            self._show_hand()

    async def _attempt(self, choose: Callable[[], Move | None], *, let_go: bool = False) -> None:
        """Make a choice, and the move if that completes it; say why where it is refused."""
        try:
            if move := choose():
                await self._play(move)
                return
        except IllegalMove as refusal:
            if let_go:
                self.hand.let_go()
                self._withdraw_question()
            self._show_hand(sentence(str(refusal)))
            return
        self._show_hand()
        if self.hand.grip and self.hand.grip.choice:
            self._ask_captures(self.hand.grip.choice)

    async def _play(self, move: Move) -> None:
        def play() -> None:
            self.match.battle.play(move)
            self._board.move_cursor(move.destination)

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
            self._show_hand(sentence(complaint))

    def _ask_captures(self, choice: Choice) -> None:
        victims, flipped = squares_of(choice.victims), self._board.flipped
        question = questions.captures(
            choice,
            {s: direction_keys(choice.destination, s, flipped=flipped) for s in victims},
            toggle=lambda square: self._toggle(choice, square),
            confirm=lambda: self._attempt(choice.confirm),
            take_all=self.action_take_all,
            clear=lambda: self._spare_all(choice),
            back=self.action_back,
        )
        self._prompt.ask(question)

    def _toggle(self, choice: Choice, square: Square) -> None:
        try:
            choice.toggle(square)
        except IllegalMove as refusal:
            self._show_hand(sentence(str(refusal)))
            return
        self._show_hand()
        self._ask_captures(choice)

    def _spare_all(self, choice: Choice) -> None:
        choice.spare_all()
        self._show_hand()
        self._ask_captures(choice)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        battle = self.match.battle
        if self.has_class("-too-small"):
            return False
        if self.asking and action not in _WHILE_ASKED:
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
        await self._attempt(lambda: self.hand.choose(self._board.cursor))

    async def action_take_all(self) -> None:
        """Put the piece in hand down under the cursor and capture everything there."""
        grip = self.hand.grip
        if grip:
            await self._attempt(lambda: grip.take_all(self._board.cursor))

    def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the piece in hand."""
        self.hand.back()
        self._withdraw_question()
        self._show_hand()

    async def action_undo(self) -> None:
        """Take the last move back, or the agreement to end."""
        await self._change(self.match.battle.undo)

    async def action_redo(self) -> None:
        """Play the move that was taken back last again."""
        await self._change(self.match.battle.redo)

    def action_flip(self) -> None:
        """Turn the board round."""
        self._board.flip()
        self._show_hand(self._notice)
        if self.hand.grip and self.hand.grip.choice:
            self._ask_captures(self.hand.grip.choice)

    def action_help(self) -> None:
        """Show the rules, the marks and the keys."""
        from thud.tui.help_screen import HelpScreen

        self.app.push_screen(HelpScreen(self.match.variant, (*Board.BINDINGS, *self.BINDINGS)))

    def action_end_battle(self) -> None:
        """Ask the other player to end the battle."""
        self.hand.let_go()
        self._show_hand()
        self._prompt.ask(
            questions.end_battle(
                self.match, agree=self._agree, play_on=self._play_on, withdraw=self._show_battle
            )
        )

    async def _agree(self) -> None:
        await self._change(self.match.battle.agree)

    def _play_on(self) -> None:
        self._withdraw_question()
        name = self.match.name_of(self.match.battle.position.to_move.other)
        self._show_hand(f"{name} plays on.")

    # Results

    def _show_result(self) -> None:
        result = questions.match_over if self.match.over else questions.battle_over
        go_on = self._play_again if self.match.over else self._next_battle
        self._prompt.ask(
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
        return self._prompt.question is not None and self.match.battle.outcome is None

    def say(self, notice: str) -> None:
        """Show a notice beneath the board."""
        self._show_hand(notice)

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
        self.hand.let_go()
        self._show_hand()
        outlook = self.keeper.outlook
        self._prompt.ask(questions.leave(outlook, leave=self.app.exit, stay=self._show_battle))

    # The clipboard

    def action_copy(self) -> None:
        """Ask what to copy to the clipboard."""
        from thud.tui import sharing

        match, flipped = self.match, self._board.flipped
        self.hand.let_go()
        self._show_hand()
        self._prompt.ask(
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
