"""The table of a match: the board, how the battle stands, and the moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from thud.rules.match import Match
from thud.rules.position import Position, Side
from thud.settings.values import Settings
from thud.tui.battle.evaluation_bar import EvaluationBar
from thud.tui.battle.leads import BattleLeads
from thud.tui.battle.picking_table import PickingTable
from thud.tui.board.look import View, last_marks
from thud.tui.widgets.clocks import Clocks
from thud.tui.widgets.heard import Heard, first_rows
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.prompt import Prompt
from thud.tui.widgets.standing import Standing
from thud.wording.clocks import left_then
from thud.wording.hints import expectation
from thud.wording.moves import told_short

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.records.cursor import Cursor
    from thud.rules.clock import Clock
    from thud.session.session import Session


class Table(PickingTable):
    """Shows what it is told of a match and asks what it is told to ask.

    Args:
        position: what stands on the board at first.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.bar = EvaluationBar()
        self.standing = Standing()
        self.graph = MarginGraph()
        self._leads = BattleLeads()

    def compose_between(self) -> ComposeResult:
        """Lay out the bar."""
        yield self.bar

    def compose_panel(self) -> ComposeResult:
        """Lay out the points and the moves."""
        yield self.standing
        yield Clocks()
        yield self.graph
        yield MoveList()
        yield Heard()

    @property
    def whole(self) -> bool:
        """Whether all its parts are there, and it is not being taken down."""
        parts = (Clocks, EvaluationBar, MoveList, Prompt, Standing)
        return self.is_attached and all(self.query(part) for part in parts)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self.bar.ascii_only = settings.ascii
        self.bar.refresh()
        self.standing.apply_settings(settings)

    def show_standing(self, session: Session) -> None:
        """Show how the battle stands."""
        match, battle = session.match, session.battle
        self.standing.show(
            match,
            match.number,
            battle.position,
            over=battle.outcome is not None,
            programs=session.seats.programs,
            free=session.company.free,
        )
        self.graph.show(self.leads(match), battle.played)

    def leads(self, match: Match) -> Sequence[float]:
        """Return how far the dwarfs were ahead after each move of the battle."""
        return self._leads.of(match.battle)

    def show_clock(self, clock: Clock | None) -> None:
        """Show what both players have left, if there is a clock."""
        self.query_one(Clocks).show(clock)

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show what a computer expects for the player to move, who commands a side."""
        self.bar.show(side, thought)
        self.standing.expect(expectation(side, thought) if thought else "")

    def show_moves(self, match: Match, played: int | None = None) -> None:
        """List the moves; `played` of them count as played, if not as many as are shown."""
        self.query_one(MoveList).show(match.battle, self.past if played is None else played)

    def show_talk(self, said: Sequence[str]) -> None:
        """Show what was said last."""
        self.query_one(Heard).show(said)

    def room_for(self, notice: str) -> str:
        """Return a notice as far as there is room for it below the board, with a line above."""
        room = self.message.content_size
        return first_rows(notice, self.app.console, room.width, room.height - 1)

    def show_past(self, match: Match, cursor: Cursor) -> None:
        """Show an earlier place of the battle now, until a key is pressed."""
        marks, variant = last_marks(cursor.move), match.variant
        self.board.show(View(cursor.position, marks, goals=variant.goals, stone=variant.stone))
        self.past = cursor.ply
        self.graph.show(self.leads(match), cursor.ply)
        self.show_moves(match)
        before = "the battle begins"
        if cursor.before and cursor.move:
            before = told_short(match, cursor.before, cursor.move, cursor.number)
            before += left_then(cursor.time_left, cursor.record.control)
        stepping = "[ and ] step; any other key returns to now."
        self.tell(f"Move {cursor.ply} of {cursor.last}: {before}", stepping)
