"""The table of a match: the board, how the battle stands, and the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult

from thud.records.cursor import Cursor
from thud.rules.match import Match
from thud.rules.position import Position, Side
from thud.settings.values import Settings
from thud.tui.battle.evaluation_bar import EvaluationBar
from thud.tui.battle.picking_table import PickingTable
from thud.tui.board.look import View, last_marks
from thud.tui.looks.phrases import expectation, told
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.prompt import Prompt
from thud.tui.widgets.standing import Standing

if TYPE_CHECKING:
    from thud.ai.player import Thought


class Table(PickingTable):
    """Shows what it is told of a match and asks what it is told to ask.

    Args:
        position: what stands on the board at first.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.bar = EvaluationBar()

    def compose_between(self) -> ComposeResult:
        """Lay out the bar."""
        yield self.bar

    def compose_panel(self) -> ComposeResult:
        """Lay out the points and the moves."""
        yield Standing()
        yield MoveList()

    @property
    def whole(self) -> bool:
        """Whether all its parts are there, and it is not being taken down."""
        parts = (EvaluationBar, MoveList, Prompt, Standing)
        return self.is_attached and all(self.query(part) for part in parts)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self.bar.ascii_only = settings.ascii
        self.bar.refresh()

    def show_standing(self, match: Match) -> None:
        """Show how the battle stands."""
        battle = match.battle
        over = battle.outcome is not None
        self.query_one(Standing).show(match, match.number, battle.position, over=over)

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show what a computer expects for the player to move, who commands a side."""
        self.bar.show(side, thought)
        self.query_one(Standing).expect(expectation(side, thought) if thought else "")

    def show_moves(self, match: Match, played: int | None = None) -> None:
        """List the moves; `played` of them count as played, if not as many as are shown."""
        self.query_one(MoveList).show(match.battle, self.past if played is None else played)

    def show_past(self, match: Match, cursor: Cursor) -> None:
        """Show an earlier place of the battle now, until a key is pressed."""
        marks, variant = last_marks(cursor.move), match.variant
        self.board.show(View(cursor.position, marks, goals=variant.goals, stone=variant.stone))
        self.past = cursor.ply
        self.show_moves(match)
        before = "the battle begins"
        if cursor.before and cursor.move:
            before = told(match, cursor.before, cursor.move)
        stepping = "[ and ] step; any other key returns to now."
        self.tell(f"Move {cursor.ply} of {cursor.last}: {before}", stepping)
