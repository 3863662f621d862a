"""The layout of a replay: board over graph, moves beside."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Static

from thud.records.record import Record
from thud.records.tree import Cursor, at_board
from thud.rules.position import Position
from thud.settings.values import Settings
from thud.tui.looks.fitted import in_items
from thud.tui.picking.screen import BoardPane, Play
from thud.tui.replay.analysis import Analysis
from thud.tui.replay.move_tree import MoveTree
from thud.tui.review.judging import ReviewTask
from thud.tui.widgets.margin_graph import MarginGraph, scale
from thud.tui.widgets.standing import Standing

_TRYING: Final = "[ and ] step through the moves; Esc goes back."


class Comment(NamedTuple):
    """A comment as it is shown.

    Attributes:
        title: what it is on.
        words: its text.
        asked: the question asked there, if it is open.
        verdict: what is to be said of an answer.
        places: which of the notes it is, the longest text first.
    """

    title: str
    words: str
    asked: str = ""
    verdict: str = ""
    places: Sequence[str] = ("",)


class ReplayPane(BoardPane):
    """Shows a place in a match; moves can be picked on its board.

    The keys step through the match, except while the board has them to try moves.

    Args:
        cursor: the place to show first.
        play: callback for a complete move.
        review_task: the match's judgements.
        model: whether it is a model battle, whose graph grows with the moves shown.

    Attributes:
        analysis: the analysis of the current position.
        trying: whether the board has the keys.
    """

    def __init__(self, cursor: Cursor, play: Play, review_task: ReviewTask, *, model: bool) -> None:
        super().__init__(at_board(cursor, cursor.commanders), play)
        self._cursor = cursor
        self._review_task = review_task
        self._is_model = model
        self._leads: dict[Sequence[Position], Sequence[float]] = {}
        """The dwarfs' lead in each position of the lines seen so far."""
        counts = cursor.record.variant.counts_points
        self._graphs = MarginGraph(scaled=counts), MarginGraph(scaled=counts)
        """One below the board, and one in the panel for when the first would shrink the board."""
        self._moves = MoveTree()
        self.analysis = Analysis()
        self.trying = False
        self._told: list[str] = []
        self._comment = Static(id="comment", classes="section", markup=False)
        self._standing = Standing()
        self.board.let_point(False)

    def compose(self) -> ComposeResult:
        """Lay out the board above the graph, and the panel."""
        with self._left:
            yield self.board
            yield self._graphs[0]
        with Vertical(id="panel"):
            yield self._comment
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
        self,
        cursor: Cursor,
        record: Record,
        told: list[str],
        comment: Comment | None = None,
        *,
        until: int,
        questions: Collection[int] = (),
    ) -> None:
        """Show a place: its comment, the standing, the moves, the graphs and the judgements.

        Args:
            cursor: the place.
            record: the match, with the players' names to display.
            told: lines of text about the place.
            comment: the comment to show, if any.
            until: the number of the battle's moves to list.
            questions: the places of the battle's open questions, by their plies.
        """
        self._told = told
        self._show_comment(comment)
        self._write()
        self._cursor = cursor
        self._standing.show(
            record,
            cursor.number,
            cursor.position,
            over=cursor.outcome is not None,
            programs=cursor.record.programs,
            alone=self._is_model,
        )
        self._moves.show(cursor, self._review_task.marks(cursor.number), until, questions)
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
        here, ply = self._cursor, self._cursor.ply
        dots = self._review_task.dots(here)
        if self._is_model:  # what is to come is for the reader to find
            last = max(len(here.battle.moves), here.last)  # as wide in a variation
            leads = [*leads[: ply + 1], *[0.0] * (last - ply)]
            dots = {played: mark for played, mark in dots.items() if played <= ply}
        expected = self._review_task.expected(here, scale(leads))
        for graph in self._graphs:
            graph.show(leads, ply)
            graph.expect(expected[: ply + 1] if self._is_model else expected, dots)

    def _show_comment(self, comment: Comment | None) -> None:
        self.set_class(self.trying and comment is not None and bool(comment.asked), "-answering")
        self._comment.display = comment is not None
        if comment is None:
            return
        framed, title = self.screen.has_class("-wide"), Text()
        if not framed:
            title.append(comment.title, "bold")
            room = self._comment.content_size.width - title.cell_len
            beside = next((each for each in comment.places if len(each) < room), "")
            title.append(beside.rjust(room))
        self._comment.border_title, self._comment.border_subtitle = comment.title, comment.places[0]
        parts = [title, Text(comment.words), Text(comment.asked, "bold")]
        # A wrong answer is judged below the question, a right one above what follows.
        parts.insert(3 if comment.asked else 1, Text(comment.verdict, "bold"))
        self._comment.update(Text("\n").join(part for part in parts if part))

    def tell(self, line: str, notice: str = "", legend: str = "", advice: str = "") -> None:
        """Show what can be done on the board, a notice or advice, and a legend."""
        self._said = line, notice or advice, legend, ""
        self._write()

    def _write(self) -> None:
        line, notice, legend, _ = self._said
        doing = self.trying or self.typing or self.prompt.question
        # With a piece in hand, Esc lets go of it.
        steps = self.trying and not self.picker.selection.picked
        board = f"{line}\n{_TRYING}" if steps else line if doing else ""
        # The last parts are cut off where there is no room.
        shown = Text(in_items(legend, self.message.content_size.width))
        # The comment that asks says which move was the last.
        told = [] if self.has_class("-answering") else self._told
        parts = [Text(notice, "bold"), Text(board), shown, Text("\n".join(told))]
        if not doing:
            parts.insert(0, parts.pop())
        self._show_message(Text("\n").join(part for part in parts if part), layout=True)
