"""The layout of a replay: board over graph, moves beside."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical

from thud.records.tree import Cursor
from thud.settings.values import Settings
from thud.tui.battle.picker import PickingTable, Play
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.thoughts import Thoughts
from thud.tui.replay.words import at_board
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.standing import Standing

_TRYING: Final = "[ and ] step, Esc ends picking."


class ReplayTable(PickingTable):
    """Shows a place in a match; moves can be picked on its board.

    The keys go through the match, unless somebody tries moves on the board with them.

    Args:
        cursor: the place that is shown at first.
        play: what to do with a complete move.
    """

    def __init__(self, cursor: Cursor, play: Play) -> None:
        super().__init__(at_board(cursor), play)
        self.trying = False
        """Whether the keys are the board's."""
        self._told: list[str] = []
        self._line = self._notice = ""
        self._standing = Standing()
        self.board.let_point(False)

    def compose(self) -> ComposeResult:
        """Lay out the board above the graph, and the panel."""
        with self._left:
            yield self.board
            yield MarginGraph()
        with Vertical(id="panel"):
            yield self._standing
            yield MoveTree()
            yield Thoughts()
            yield self.message
            yield self.prompt

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self._standing.apply_settings(settings)

    def try_moves(self, trying: bool) -> None:
        """Let the keys pick moves on the board, or go through the match."""
        self.trying = trying
        self.board.let_point(trying)
        self.take_keys()

    def take_keys(self) -> None:
        """Give the keys to whatever people are doing."""
        if self.trying or self.typing or self.prompt.question:
            super().take_keys()
        else:
            self.screen.set_focus(None)

    def show_place(self, cursor: Cursor) -> None:
        """Show how the battle stands at a place, and where that is."""
        over = cursor.outcome is not None
        self._standing.show(
            cursor.record,
            cursor.number,
            cursor.position,
            over=over,
            programs=cursor.record.programs,
        )
        self.query_one(MoveTree).show(cursor)

    def tell_of(self, told: list[str]) -> None:
        """Say something about the place, line by line."""
        self._told = told
        self._write()

    def tell(self, line: str, notice: str = "") -> None:
        """Say what can be done on the board, and a notice."""
        self._line, self._notice = line, notice
        self._write()

    def _write(self) -> None:
        text = Text("\n".join(self._told))
        doing = self.trying or self.typing or self.prompt.question
        said_of_board = [self._line] if doing else []
        if self.trying:
            said_of_board.append(_TRYING)
        for said, style in (("\n".join(said_of_board), ""), (self._notice, "bold")):
            if said:
                text.append(f"\n{said}" if text else said, style)
        self._show_message(text, layout=True)
