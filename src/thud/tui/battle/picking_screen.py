"""A screen with a board on which moves are picked, square by square or as text."""

from __future__ import annotations

from collections.abc import Awaitable

from textual import events, on
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.settings.values import Settings
from thud.tui.battle.picker import Picker
from thud.tui.battle.picking_table import PickingTable
from thud.tui.board.widget import Board
from thud.tui.keys.bar import Entry, KeyBar
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.room import fit, show_if_room


class PickingScreen(Screen[None]):
    """Turns what keys, mouse and text say about squares into moves.

    What is done on the way there are hooks, and no `on_mount` and the like of a screen's own:
    Textual calls those of every class that a screen is of.

    Args:
        match: whose battle is at the board.
        table: where it is seen.
    """

    table: PickingTable

    def __init__(self, match: Match, table: PickingTable) -> None:
        super().__init__()
        self.table = table
        self.picker = Picker(table, match, self.play)

    def compose(self) -> ComposeResult:
        """Lay out the table and the footer, as the settings say, whoever shows this screen."""
        self.apply_settings(settings_of(self.app))
        fit(self, self.app.size, update=False)
        yield self.table
        yield Static(id="too-small")
        yield KeyBar(self.only_keys)

    def only_keys(self) -> tuple[Entry, ...]:
        """Return what the footer shows in place of all keys, nothing if it shows those."""
        return ()

    def on_mount(self) -> None:
        """Begin as soon as there is room for what is shown first."""
        self.call_after_refresh(self._begin)
        self.watch(self.table.board, "cursor", self._follow_cursor, init=False)

    def _begin(self) -> Awaitable[None] | None:
        """Show what is at the board first; whoever extends this says what that is."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        """Show the board where there is room for it, and else say what room it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self._restore)

    def _restore(self) -> None:
        """Give the keys back to what had them, now that there is room for it."""
        self.table.take_keys()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self.table.apply_settings(settings)
        self.picker.take_all_at_once = settings.captures == "all"

    def _follow_cursor(self) -> None:
        # When the move that puts the cursor there is done, but before anything is drawn.
        self.call_next(self.picker.invite)

    async def play(self, move: Move) -> None:
        """Do what is to be done with a move that was picked."""
        raise NotImplementedError

    def plays_for(self, side: Side) -> bool:
        """Say whether whoever picks the moves here plays for a side."""
        return True

    # The mouse

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        if self.table.past is None:
            await self.picker.click(event.square)
        else:
            self.return_to_now()

    def return_to_now(self) -> None:
        """Show the battle as it stands, after people have looked back."""

    @on(Board.Hovered)
    def _show_hovered(self, event: Board.Hovered) -> None:
        self.picker.hover(event.square)

    @on(Board.Grabbed)
    def _grab(self, event: Board.Grabbed) -> None:
        self.picker.grab(event.square)

    @on(Board.Dropped)
    async def _drop(self, event: Board.Dropped) -> None:
        await self.picker.drop(event.origin, event.destination)

    @on(Board.NoCapture)
    def _miss_capture(self) -> None:
        self.picker.miss_capture()

    @on(Board.Missed)
    @on(events.Click)
    def _let_go(self) -> None:
        self.picker.let_go()

    # Text

    def action_type_move(self) -> None:
        """Open the line in which a move is typed."""
        self.picker.type()

    async def take_paste(self, text: str) -> None:
        """Write one line that is pasted where moves are typed; play several in order, or none."""
        if self.table.prompt.question is None and not self.has_class("-too-small"):
            await self.picker.paste(text, self.plays_for)

    # Keys

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Say whether an action would do something now, and is worth offering."""
        if action in ("take_all", "back") and not self.picker.hand.grip:
            return False
        return self.check_action(action, parameters) is True

    def take_any_key(self, key: str) -> bool:
        """Let a key end what is only shown; say whether that was the past, and all it did."""
        self.table.board.settle()
        looked_back = self.table.past is not None and not self.goes_through_past(key)
        if looked_back:
            self.return_to_now()
        return looked_back

    def goes_through_past(self, key: str) -> bool:
        """Say whether a key steps on while people look back, and does not return to now."""
        return False

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor."""
        await self.picker.choose(self.table.board.cursor)

    async def action_take_all(self) -> None:
        """Put the piece in hand down under the cursor and capture everything there."""
        await self.picker.take_all(self.table.board.cursor)

    def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the piece in hand."""
        self.picker.back()

    def action_threats(self) -> None:
        """Show what could be captured next move, and from where, or no longer."""
        self.picker.show_threats()

    def action_flip(self) -> None:
        """Turn the board round."""
        self.table.board.flip()
        self.picker.show(self.picker.notice)
        self.picker.ask_again()

    def action_explain(self) -> None:
        """Tell what the piece under the cursor may do; where there is none, show the help."""
        if not self.picker.explain():
            self.action_help()

    def action_help(self) -> None:
        """Show the rules of what is at hand, and the ways to all others and to the keys."""
        from thud.tui.help.screen import HelpScreen

        bindings = (*Board.BINDINGS, *self.BINDINGS)
        picker = self.picker
        self.app.push_screen(HelpScreen(picker.match.variant, bindings, picker.topic))
