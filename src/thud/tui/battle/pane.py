"""The pane of a match: the board, the standing and the moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from thud.records.record import Record
from thud.records.tree import Cursor
from thud.rules.position import Position, Side
from thud.settings.values import Settings
from thud.text import stopped
from thud.tui.battle.evaluation_bar import EvaluationBar, share
from thud.tui.board.look import View, last_marks
from thud.tui.picking.pane import BoardPane, Play
from thud.tui.widgets.chat_log import ChatLog, first_rows
from thud.tui.widgets.clocks import Clocks
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.standing import Standing
from thud.wording.clocks import left_then
from thud.wording.hints import expectation
from thud.wording.moves import describe_last, describe_short
from thud.wording.session import idle

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.session.view import SessionView


class BattlePane(BoardPane):
    """Shows a session's match and its questions.

    Args:
        session: the session played.
        play: callback for a complete move.
    """

    def __init__(self, session: SessionView, play: Play) -> None:
        # A remote match may have advanced before it is first shown here.
        super().__init__(session.with_display_names, play, session.revision)
        self._session = session
        self._bar = EvaluationBar()
        self._standing = Standing()
        self._moves = MoveList()
        self._clocks = Clocks()
        self._graph = MarginGraph()
        self._chat_log = ChatLog()
        self._leads: list[tuple[Position, float]] = []
        """The dwarfs' lead in each position of the battle, computed once each."""
        self._looked_at = ""

    def compose_between(self) -> ComposeResult:
        """Lay out the evaluation bar."""
        yield self._bar

    def compose_panel(self) -> ComposeResult:
        """Lay out the points and the moves."""
        yield self._standing
        yield self._moves

    async def complete(self) -> None:
        """Lay out the rest of the panel, which nobody sees in the first frame."""
        if self.is_complete:
            # Mount both before awaiting either: meanwhile the app may begin to exit.
            above = self._panel.mount(self._clocks, self._graph, after=self._standing)
            below = self._panel.mount(self._chat_log, after=self._moves)
            await above
            await below

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self._bar.apply_settings(settings)
        self._standing.apply_settings(settings)

    # The battle

    def show_behind(self, notice: str = "") -> None:
        """Show the current position, with nothing in hand, behind any open question."""
        self.begin(self._session.with_display_names, self._session.revision)
        self.show_around(notice)

    def show_around(self, notice: str = "") -> None:
        """Update everything around the position; the piece in hand stays in hand."""
        self.picker = self.picker._replace(blocked=idle(self._session))
        self.show_standing()
        self._moves.show(self._session.battle, self.past_ply)
        self.screen.refresh_bindings()
        self.show(notice or describe_last(self._session.with_display_names))

    def show_standing(self) -> None:
        """Show the standing, the margin graph and the clocks, if any."""
        session, battle = self._session, self._session.battle
        self._standing.show(
            self._session.with_display_names,
            session.match.number,
            battle.position,
            over=battle.outcome is not None,
            programs=session.seats.programs,
            free=session.participants.free,
        )
        self._graph.show(self.leads, battle.played)
        self.show_clock()

    @property
    def leads(self) -> Sequence[float]:
        """The dwarfs' lead after each move of the battle; a new list each time."""
        battle = self._session.battle
        # What was taken back and played differently since is computed anew.
        pairs = zip(self._leads, battle.positions, strict=False)
        self._leads = [known for known, _ in takewhile(lambda each: each[0][0] is each[1], pairs)]
        rest = battle.positions[len(self._leads) :]
        self._leads += [(position, battle.variant.lead(position)) for position in rest]
        return [lead for _, lead in self._leads]

    def show_clock(self) -> None:
        """Show the players' remaining time, if there is a clock."""
        self._clocks.show(self._session.clock)

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show a computer's evaluation for the given side, which is to move."""
        battle = self._session.battle
        known = battle.variant, battle.position._replace(to_move=side)
        self._bar.show(None if thought is None else share(*known, thought))
        self._standing.expect(expectation(*known, thought) if thought else "")

    # Chat

    def show_talk(self) -> None:
        """Show the latest chat messages; where only a computer speaks, its last one."""
        participants = self._session.participants
        said = participants.conversation
        self._chat_log.show(said if participants.met else said[-1:])

    def hush(self) -> None:
        """Take away what a computer has said, if only computers speak."""
        if not self._session.participants.met:
            self._chat_log.show(())

    def room_for(self, notice: str) -> str:
        """Truncate a notice to the rows below the board, less one for the line above it."""
        room = self.message.content_size
        return first_rows(notice, self.app.console, room.width, room.height - 1)

    # Looking back

    @property
    def shown(self) -> int:
        """The number of moves after which the battle is shown."""
        return self._session.battle.played if self.past_ply is None else self.past_ply

    def show_past(self, played: int) -> None:
        """Show the battle after the given number of moves, until a key is pressed."""
        match = self._session.with_display_names
        cursor = Cursor.at(Record.of(match), match.number, played)
        marks, variant = last_marks(cursor.move), match.variant
        self.board.show(View(cursor.position, marks, goals=variant.goals, stone=variant.stone))
        self.past_ply = played
        self._graph.show(self.leads, played)
        self._moves.show(self._session.battle, self.past_ply)
        before = "the battle begins"
        if cursor.before and cursor.move:
            before = describe_short(match, cursor.before, cursor.move, cursor.number)
            before += left_then(cursor.time_left, cursor.record.control)
        self._looked_at = f"Move {cursor.ply} of {cursor.last}: {before}"
        self.tell(self._looked_at, "[ and ] step; any other key returns to the game.")

    def tell_meanwhile(self, notice: str) -> None:
        """Show what has happened while the player looks back."""
        if notice:
            self.tell(
                self._looked_at,
                f"{stopped(notice)} Only [ and ] step; any other key returns to the game.",
            )
