"""A screen with a board on which moves are picked, square by square or as text."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from thud.rules.position import Move, Side
from thud.settings.values import Settings
from thud.tui.board.widget import Board
from thud.tui.keys.bar import BarEntry, KeyBar
from thud.tui.picking.pane import BoardPane
from thud.tui.picking.picker import Picker, Selection
from thud.tui.screens import BoardScreen
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.match_line import match_line
from thud.tui.widgets.size_classes import fit, show_if_room

_Screen = TypeVar("_Screen", bound="PickingScreen")
_Given = ParamSpec("_Given")


def asks(
    ask: Callable[Concatenate[_Screen, _Given], Coroutine[Any, Any, None]],
) -> Callable[Concatenate[_Screen, _Given], Coroutine[Any, Any, None]]:
    """Make a method that awaits an answer return once it has asked: see `Prompt.converse`."""

    @wraps(ask)
    async def converse(screen: _Screen, /, *args: _Given.args, **options: _Given.kwargs) -> None:
        await screen.pane.prompt.converse(ask(screen, *args, **options))

    return converse


class PickingScreen(BoardScreen):
    """Turns keys, mouse and text into moves.

    Args:
        pane: the board and the panel; moves picked there go to `play`.

    Attributes:
        begun: whether the first position is shown: keys are queued until then.
    """

    # The children cover it: it has no background of its own to draw.
    BLANK = True

    pane: BoardPane

    def __init__(self, pane: BoardPane) -> None:
        super().__init__()
        self.pane = pane
        self.begun = False

    @property
    def picker(self) -> Picker:
        """What is picked, and what is marked."""
        return self.pane.picker

    def compose(self) -> ComposeResult:
        """Lay out the pane and the footer, following the settings."""
        self.apply_settings(settings_of(self.app))
        fit(self, self.app.size, update=False)
        if len(self.app.screen_stack) > 1:
            yield from match_line(self)
        yield self.pane
        yield Static(id="too-small")
        yield KeyBar(self.only_keys, self.first_keys, self.labels_now)

    def only_keys(self) -> tuple[BarEntry, ...]:
        """Return entries that replace all others in the footer, if any."""
        return ()

    def first_keys(self) -> tuple[BarEntry, ...]:
        """Return entries that the footer shows first."""
        return ()

    def labels_now(self) -> Mapping[str, str]:
        """Return the labels of actions that are called otherwise for now."""
        return {"back": "Let go"} if self.picker.selection.picked else {}

    def on_mount(self) -> None:
        """Begin after the first refresh."""
        self.call_after_refresh(self._let_begin)

    async def _let_begin(self) -> None:
        try:
            if self.pane.is_attached:  # it may be that the screen has been left meanwhile
                await self.begin()
        finally:
            self.begun = True

    async def begin(self) -> None:
        """Show the first position."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        """Show the board if there is room for it, else how much it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self.pane.take_keys)
            self.refresh_bindings()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self.pane.apply_settings(settings)

    def say(self, notice: str) -> None:
        """Show a notice below the board, unless the pane is being removed."""
        if self.pane.is_complete:
            self.pane.show(notice)

    async def play(self, move: Move) -> None:
        """Play or otherwise use a picked move."""
        raise NotImplementedError

    def plays_for(self, side: Side) -> bool:
        """Whether the person picking moves here plays a given side."""
        return True

    # Text

    def action_type_move(self) -> None:
        """Open the move entry."""
        self.pane.type()

    async def take_paste(self, text: str) -> None:
        """Put one pasted line into the move entry; play several in order, or none of them."""
        if self.pane.prompt.question is None and not self.has_class("-too-small"):
            await self.pane.paste(text, self.plays_for)

    # Keys

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        if action in ("take_all", "back") and not self.picker.selection.picked:
            return False
        return self.check_action(action, parameters) is True

    def take_any_key(self, key: str) -> bool:
        """Finish the board's animation; return whether the key is used up by that."""
        self.pane.board.settle()
        return False

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor."""
        await self.pane.choose(self.pane.board.cursor)

    async def action_take_all(self) -> None:
        """Put the picked piece down under the cursor and capture everything there."""
        if self.picker.selection.picked:
            await self.pane.choose(self.pane.board.cursor, all_there=True)

    async def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the picked piece."""
        self.pane.back()

    def action_threats(self) -> None:
        """Toggle the threat map: what could be captured next move, and from where."""
        self.pane.picker = self.picker.toggle_threats()
        self.pane.show(self.pane.notice)

    def action_flip(self) -> None:
        """Turn the board round."""
        self.pane.board.flip()
        self.pane.show(self.pane.notice)
        self.pane.ask_captures()

    def action_explain(self) -> None:
        """Show the moves of the piece under the cursor."""
        if not self.pane.explain():
            self.say("There is no piece under the cursor.")

    @property
    def at_hand(self) -> Selection:
        """What help is on."""
        return self.picker.selection

    @property
    def topic(self) -> str:
        """The topic of the rules that fits now: that of the picked piece, if any."""
        from thud.rulebook.chapters import topic_at_hand

        variant, position, _, picked = self.at_hand
        return topic_at_hand(variant, position, list(picked.moves) if picked else [])

    def action_help(self) -> None:
        """Show help on what is at hand, linked to all other rules and to the keys."""
        from thud.tui.help.screen import HelpScreen

        bindings = (*Board.BINDINGS, *self.BINDINGS)
        self.app.push_screen(HelpScreen(self.picker.selection.variant, bindings, self.topic))
