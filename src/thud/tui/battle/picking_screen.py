"""A screen with a board on which moves are picked, square by square or as text."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from thud.rules.position import Move, Side
from thud.settings.values import Settings
from thud.tui.battle.picker import BoardPane
from thud.tui.board.widget import Board
from thud.tui.keys.bar import Entry, KeyBar
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.room import fit, show_if_room


class PickingScreen(Screen[None]):
    """Turns what keys, mouse and text say about squares into moves.

    Args:
        pane: the board and what is beside it; what is picked there goes to `play`.

    Attributes:
        picker: the hand of the player to move.
        begun: whether what is at the board first is shown: keys wait for that, in their order.
    """

    # Its parts cover it: there is nothing to draw below them.
    BLANK = True

    pane: BoardPane

    def __init__(self, pane: BoardPane) -> None:
        super().__init__()
        self.pane = pane
        self.picker = pane.picker
        self.begun = False

    def compose(self) -> ComposeResult:
        """Lay out the pane and the footer, as the settings say, whoever shows this screen."""
        self.apply_settings(settings_of(self.app))
        fit(self, self.app.size, update=False)
        if len(self.app.screen_stack) > 1:
            from thud.tui.widgets.match_line import match_line

            yield from match_line(self)
        yield self.pane
        yield Static(id="too-small")
        yield KeyBar(self.only_keys, self.first_keys, self.label_now)

    def only_keys(self) -> tuple[Entry, ...]:
        """Return what the footer shows in place of all keys, nothing if it shows those."""
        return ()

    def first_keys(self) -> tuple[Entry, ...]:
        """Return what the footer shows before all other keys."""
        return ()

    def label_now(self, action: str) -> str:
        """Return what a key's action is called now, empty for its usual name."""
        return "Let go" if action == "back" and self.picker.hand.grip else ""

    def on_mount(self) -> None:
        """Begin as soon as there is room for what is shown first."""
        self.call_after_refresh(self._let_begin)

    async def _let_begin(self) -> None:
        try:
            if self.pane.is_attached:  # it may be that the screen has been left meanwhile
                await self.begin()
        finally:
            self.begun = True

    async def begin(self) -> None:
        """Show what is at the board first."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        """Show the board where there is room for it, and else say what room it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self.pane.take_keys)
            self.refresh_bindings()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self.pane.apply_settings(settings)

    def say(self, notice: str) -> None:
        """Show a notice beneath the board, unless that is being taken down."""
        if self.pane.whole:
            self.picker.show(notice)

    async def play(self, move: Move) -> None:
        """Do what is to be done with a move that was picked."""
        raise NotImplementedError

    def plays_for(self, side: Side) -> bool:
        """Say whether whoever picks the moves here plays for a side."""
        return True

    # Text

    def action_type_move(self) -> None:
        """Open the line in which a move is typed."""
        self.picker.type()

    async def take_paste(self, text: str) -> None:
        """Write one line that is pasted where moves are typed; play several in order, or none."""
        if self.pane.prompt.question is None and not self.has_class("-too-small"):
            await self.picker.paste(text, self.plays_for)

    # Keys

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Say whether an action would do something now, and is worth offering."""
        if action in ("take_all", "back") and not self.picker.hand.grip:
            return False
        return self.check_action(action, parameters) is True

    def take_any_key(self, key: str) -> bool:
        """Dismiss what is only shown; return whether the key did no more."""
        self.pane.board.settle()
        return False

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor."""
        await self.picker.choose(self.pane.board.cursor)

    async def action_take_all(self) -> None:
        """Put the piece in hand down under the cursor and capture everything there."""
        await self.picker.take_all(self.pane.board.cursor)

    def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the piece in hand."""
        self.picker.back()

    def action_threats(self) -> None:
        """Show what could be captured next move, and from where, or no longer."""
        self.picker.show_threats()

    def action_flip(self) -> None:
        """Turn the board round."""
        self.pane.board.flip()
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
