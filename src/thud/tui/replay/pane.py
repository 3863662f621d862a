"""The layout of a replay: board over graph, moves beside."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from thud.records.record import Record
from thud.records.tree import Cursor, at_board
from thud.rules.position import Position
from thud.settings.values import Settings
from thud.tui.picking.screen import BoardPane, Play
from thud.tui.replay.analysis import Analysis
from thud.tui.replay.move_tree import MoveTree
from thud.tui.review.judging import ReviewTask
from thud.tui.widgets.margin_graph import MarginGraph, scale
from thud.tui.widgets.standing import Standing

_TRYING: Final = "[ and ] step through the moves; Esc goes back."


class ReplayPane(BoardPane):
    """Shows a place in a match; moves can be picked on its board.

    The keys step through the match, except while the board has them to try moves.

    Args:
        cursor: the place to show first.
        play: callback for a complete move.
        review_task: the match's judgements.

    Attributes:
        analysis: the analysis of the current position.
        trying: whether the board has the keys.
    """

    def __init__(self, cursor: Cursor, play: Play, review_task: ReviewTask) -> None:
        super().__init__(at_board(cursor, cursor.commanders), play)
        self._cursor = cursor
        self._review_task = review_task
        self._leads: dict[Sequence[Position], Sequence[float]] = {}
        """The dwarfs' lead in each position of the lines seen so far."""
        self._graphs = MarginGraph(), MarginGraph()
        """One below the board, and one in the panel for when the first would shrink the board."""
        self._moves = MoveTree()
        self.analysis = Analysis()
        self.trying = False
        self._told: list[str] = []
        self._standing = Standing()
        self.board.let_point(False)

    def compose(self) -> ComposeResult:
        """Lay out the board above the graph, and the panel."""
        with self._left:
            yield self.board
            yield self._graphs[0]
        with Vertical(id="panel"):
            yield self._standing
            yield self._graphs[1]
            yield self._moves
            yield self.analysis
            yield self.message
            yield self.prompt

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self._standing.apply_settings(settings)

    def try_moves(self, trying: bool) -> None:
        """Turn trying moves on the board on or off."""
        self.trying = trying
        self.board.let_point(trying)
        self.take_keys()

    def focus_now(self) -> Widget | None:
        """Return the move entry, the question or the board if in use, else None."""
        return super().focus_now() if self.trying or self.typing or self.prompt.question else None

    def show_place(
        self, cursor: Cursor, record: Record, told: list[str], *, ahead: bool = True
    ) -> None:
        """Show a place: the standing, the move in the list, the graphs and the judgements.

        Args:
            cursor: the place.
            record: the match, with the players' names to display.
            told: lines of text about the place.
            ahead: whether to list the moves after it.
        """
        self._told = told
        self._write()
        self._cursor = cursor
        self._standing.show(
            record,
            cursor.number,
            cursor.position,
            over=cursor.outcome is not None,
            programs=cursor.record.programs,
        )
        self._moves.show(cursor, self._review_task.marks(cursor.number), ahead=ahead)
        if leads := self._leads.get(cursor.positions):
            self._draw(leads)
        else:
            self._work_out_leads(cursor)

    @work(group="leads", exclusive=True)
    async def _work_out_leads(self, cursor: Cursor) -> None:
        leads = await asyncio.to_thread(self._leads_on, cursor)
        if self.is_complete and self._cursor.positions is cursor.positions:
            self._draw(leads)

    def _leads_on(self, cursor: Cursor) -> Sequence[float]:
        """Return the lead in each position from the battle's beginning to the line's end."""
        leads = self._leads.get(cursor.positions)
        if leads is None:
            before = self._leads_on(cursor.parent)[: cursor.first] if cursor.parent else ()
            rest = cursor.positions[len(before) :]
            leads = (*before, *map(cursor.record.variant.lead, rest))
            self._leads[cursor.positions] = leads
        return leads

    def _draw(self, leads: Sequence[float]) -> None:
        """Draw the leads, and the expected results as far as known."""
        expected = self._review_task.expected(self._cursor, scale(leads))
        for graph in self._graphs:
            graph.show(leads, self._cursor.ply)
            graph.expect(expected, self._review_task.dots(self._cursor))

    def tell(self, line: str, notice: str = "", legend: str = "", advice: str = "") -> None:
        """Show what can be done on the board, a notice or advice, and a legend."""
        self._said = line, notice or advice, legend, ""
        self._write()

    def _write(self) -> None:
        line, notice, legend, _ = self._said
        doing = self.trying or self.typing or self.prompt.question
        board = f"{line}\n{_TRYING}" if self.trying else line if doing else ""
        # The last parts are cut off where there is no room.
        parts = [Text(board), Text(notice, "bold"), Text(legend), Text("\n".join(self._told))]
        if not doing:
            parts.insert(0, parts.pop())
        self._show_message(Text("\n").join(part for part in parts if part), layout=True)
