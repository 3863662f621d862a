"""The screen on which a match is replayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from thud.records.cursor import Cursor
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.reasons import capital
from thud.rules.setup import Setup
from thud.settings.values import Settings
from thud.tui.board.look import View, last_marks
from thud.tui.board.widget import Board
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import REPLAY_KEYS
from thud.tui.looks.phrases import result_of, told
from thud.tui.replay.margin_graph import MarginGraph
from thud.tui.widgets.appearance import dress
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.room import show_if_room
from thud.tui.widgets.standing import Standing

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25)
"""Seconds for each move while the replay runs by itself."""


class ReplayScreen(Screen[None]):
    """Steps through a match, battle after battle.

    Args:
        record: what is replayed.
        play_from: called with a match that is to be played on.
        notice: what to say at the start.

    Attributes:
        cursor: the place that is shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*REPLAY_KEYS]

    def __init__(
        self, record: Record, play_from: Callable[[Match], None], notice: str = ""
    ) -> None:
        super().__init__()
        self.cursor = Cursor.at(record, 1, 0)
        self._match = record.match()
        self._notice = notice
        self._play_from = play_from
        self._leads: dict[int, list[float]] = {}
        self._board = Board(self.cursor.position, has_cursor=False)
        self._typed = ""
        self._speed = SPEEDS.index(1.0)
        self._runner: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the board above the graph, the panel and the footer."""
        with Horizontal(id="play"):
            with Vertical(id="table"):
                yield self._board
                yield MarginGraph()
            with Vertical(id="panel"):
                yield Standing()
                yield MoveList()
                yield Static(id="message")
        yield Static(id="too-small")
        yield KeyBar()

    @property
    def at_hand(self) -> Setup:
        """What is shown, to be changed elsewhere."""
        return Setup(self._match.variant, self.cursor.position)

    def on_mount(self) -> None:
        """Show the first position as soon as there is room for it."""
        self.call_after_refresh(self._show)

    def on_resize(self, event: events.Resize) -> None:
        """Show the match where there is room for it."""
        show_if_room(self, event.size)
        self.call_after_refresh(self._show)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self._board, settings)

    def _show(self, *, stepped: bool = False) -> None:
        cursor = self.cursor
        battle = self._match.battles[cursor.number - 1]
        view = View(cursor.position, last_marks(cursor.move), goals=self._match.variant.goals)
        self._board.show(view, move=cursor.move if stepped else None)
        over = cursor.outcome is not None
        self.query_one(Standing).show(self._match, cursor.number, cursor.position, over=over)
        self.query_one(MoveList).show(battle, cursor.ply)
        self.query_one(MarginGraph).show(self._leads_now(), cursor.ply)
        self.query_one("#message", Static).update(self._message())

    def _leads_now(self) -> list[float]:
        """Return how far the dwarfs are ahead in each position of the battle."""
        number, lead = self.cursor.number, self._match.variant.lead
        if number not in self._leads:
            self._leads[number] = list(map(lead, self.cursor.positions))
        return self._leads[number]

    def _message(self) -> Text:
        cursor, lines = self.cursor, []
        if cursor.before and cursor.move:
            lines.append(told(self._match, cursor.before, cursor.move, cursor.number))
        if cursor.outcome:
            ending = result_of(self._match, cursor.outcome, cursor.number)
            lines.append(f"{capital(cursor.outcome.because)}. {ending}.")
        lines += cursor.comments
        if self._notice:
            lines.append(self._notice)
        if self._runner:
            lines.append(f"Running, {SPEEDS[self._speed]:g} s a move; + and - change that.")
        if self._typed:
            lines.append(f"Go to turn {self._typed}: Enter")
        return Text("\n".join(lines))

    def _go_to(self, cursor: Cursor) -> None:
        before, self.cursor = self.cursor, cursor
        self._notice = ""
        self._show(stepped=cursor.number == before.number and cursor.ply == before.ply + 1)

    @on(MarginGraph.Picked)
    @on(MoveList.Picked)
    def _go_to_clicked(self, event: MarginGraph.Picked | MoveList.Picked) -> None:
        self.stop()
        self._go_to(self.cursor.to(event.played))

    def action_go(self, by: int) -> None:
        """Go some moves on, or back."""
        self.stop()
        self._go_to(self.cursor.to(self.cursor.ply + by))

    def action_first(self) -> None:
        """Go to where the battle begins."""
        self.action_go(-self.cursor.last)

    def action_last(self) -> None:
        """Go to where the battle ends."""
        self.action_go(self.cursor.last)

    def action_battle(self) -> None:
        """Go to the beginning of the other battle."""
        self.stop()
        self._go_to(self.cursor.to_battle(self.cursor.number + 1))

    def action_run(self) -> None:
        """Let the battle run by itself, or stop it."""
        if self._runner:
            self.stop()
            self._show()
            return
        if self.cursor.ply == self.cursor.last:
            self.cursor = self.cursor.to(0)
        self._start()
        self._show()

    def action_speed(self, by: int) -> None:
        """Change the speed of running by itself."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        if self._runner:
            self.stop()
            self._start()
        self._show()

    def _start(self) -> None:
        self._runner = self.set_interval(SPEEDS[self._speed], self._run_on)

    def stop(self) -> None:
        """Let the battle run by itself no longer."""
        if self._runner:
            self._runner.stop()
            self._runner = None

    def _run_on(self) -> None:
        if self.cursor.ply + 1 >= self.cursor.last:
            self.stop()
        self._go_to(self.cursor.to(self.cursor.ply + 1))

    def action_digit(self, digit: int) -> None:
        """Type the number of a turn to go to."""
        self._typed = f"{self._typed}{digit}"[-4:]
        self._show()

    def action_erase(self) -> None:
        """Take back the last digit typed."""
        self._typed = self._typed[:-1]
        self._show()

    def action_jump(self) -> None:
        """Go to the turn whose number was typed, after both of its moves."""
        if self._typed:
            self.stop()
            self._go_to(self.cursor.to_turn(int(self._typed)))
            self._typed = ""
            self._show()

    def action_help(self) -> None:
        """Show the keys, and the way to the rules."""
        from thud.tui.help.screen import HelpScreen

        self.app.push_screen(HelpScreen(self._match.variant, self.BINDINGS))

    def action_flip(self) -> None:
        """Turn the board round."""
        self._board.flip()

    def action_play_from(self) -> None:
        """Go on playing from the position shown."""
        self.stop()
        self._play_from(self.match_so_far)

    @property
    def match_so_far(self) -> Match:
        """A match of its own that has come as far as is shown."""
        return self._match.until(self.cursor.number, self.cursor.ply)
