"""The table of a match: the board with what is said beneath it, and the panel beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from thud.records.cursor import Cursor
from thud.rules.match import Match
from thud.rules.position import Position, Side
from thud.settings.values import Settings
from thud.tui.battle.evaluation_bar import EvaluationBar
from thud.tui.battle.move_entry import MoveEntry
from thud.tui.board.look import View, last_marks
from thud.tui.board.widget import Board
from thud.tui.looks.phrases import expectation, told
from thud.tui.widgets.appearance import dress
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.prompt import Prompt, Question
from thud.tui.widgets.standing import Standing

if TYPE_CHECKING:
    from thud.ai.player import Thought


class Table(Horizontal):
    """Shows what it is told of a match and asks what it is told to ask.

    Args:
        position: what stands on the board at first.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(id="play")
        self.board = Board(position)
        self.bar = EvaluationBar()
        self.prompt = Prompt()
        self.past: int | None = None
        """After how many moves the battle is shown, while people look back."""

    def compose(self) -> ComposeResult:
        """Lay out the board with its message, and the panel."""
        with Vertical(id="table"):
            yield self.board
            yield Static(id="message")
        yield self.bar
        with Vertical(id="panel"):
            yield Standing()
            yield MoveList()
            yield self.prompt

    @property
    def whole(self) -> bool:
        """Whether all its parts are there, and it is not being taken down."""
        parts = (EvaluationBar, MoveList, Prompt, Standing)
        return self.is_attached and all(self.query(part) for part in parts)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self.board, settings)
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
        self.board.show(View(cursor.position, last_marks(cursor.move), goals=match.variant.goals))
        self.past = cursor.ply
        self.show_moves(match)
        if cursor.before and cursor.move:
            before = told(match, cursor.before, cursor.move)
            self.tell(f"Move {cursor.ply} of {cursor.last}: {before}", "Any key returns to now.")

    def tell(self, line: str, notice: str = "") -> None:
        """Say something beneath the board, and a notice in bold below it."""
        text = Text(line)
        text.append(f"\n{notice}", "bold")
        self.query_one("#message", Static).update(text, layout=False)

    def ask(self, question: Question) -> None:
        """Ask a question beside the board; it takes the keys until it is answered."""
        self.prompt.ask(question)

    def withdraw(self) -> None:
        """Withdraw the question, return from the past, and give the keys to the board."""
        self.past = None
        self.prompt.close()
        self.close_entry()
        self.take_keys()

    @property
    def occupied(self) -> bool:
        """Whether people are doing something else than looking at the board as it is now."""
        return self.typing or self.past is not None or self.prompt.question is not None

    @property
    def typing(self) -> bool:
        """Whether the line in which a move is typed is open."""
        return self.has_class("-typing")

    def take_keys(self) -> None:
        """Give the keys to whatever people are doing."""
        if self.typing:
            # One that was closed a moment ago may still be there before it.
            self.screen.set_focus(self.query(MoveEntry).last())
        else:
            self.screen.set_focus(self.prompt if self.prompt.question else self.board)

    def open_entry(self, entry: MoveEntry) -> None:
        """Open the line in which a move is typed."""
        self.add_class("-typing")
        self.query_one("#table").mount(entry)
        self.screen.set_focus(entry)

    def write(self, text: str) -> None:
        """Write a text into the line in which a move is typed."""
        self.query(MoveEntry).last().insert_text_at_cursor(text)

    @on(MoveEntry.Going)
    def _tell_ways(self, event: MoveEntry.Going) -> None:
        if self.typing:
            self.tell("  ".join(event.ways))

    def close_entry(self) -> None:
        """Close the line in which a move is typed."""
        if self.typing:
            self.remove_class("-typing")
            self.query(MoveEntry).remove()
            self.take_keys()
