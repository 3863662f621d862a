"""A screen that steps through a match, battle after battle, and into its variations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual import on, work

from thud.records.cursor import Cursor
from thud.records.record import Record
from thud.tui.battle.match_screen import MatchScreen
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.runner import Runner
from thud.tui.replay.table import ReplayTable
from thud.tui.replay.words import Leads, at_board, told_of
from thud.tui.widgets.margin_graph import MarginGraph


class WalkingScreen(MatchScreen):
    """Shows one place of a record after the other; what is done there is up to who extends it.

    Args:
        record: what is replayed.
        notice: what to say at the start.

    Attributes:
        cursor: the place that is shown.
    """

    table: ReplayTable

    def __init__(self, record: Record, notice: str = "") -> None:
        self.cursor = Cursor.at(record, 1, 0)
        super().__init__(at_board(self.cursor), ReplayTable(self.cursor.position))
        self._people = record.match_at_start()
        self._notice = notice
        self._leads = Leads(record.variant)
        self._runner = Runner(self.table, self._run_on)
        self._typed = ""

    def _begin(self) -> None:
        """Show the place that is shown first."""
        self._show()

    def _restore(self) -> None:
        """Give the keys back to what had them, and fill lines to their new width."""
        super()._restore()
        self.table.show_place(self.cursor)
        self.refresh_bindings()

    # Showing

    def _show(self, *, stepped: bool = False) -> None:
        """Show the place, with nothing in hand and nothing else open."""
        self._runner_told()
        self.table.withdraw()
        self.picker.begin(at_board(self.cursor), self.picker.number + 1, step=stepped)
        self.table.show_place(self.cursor)
        self.picker.show(self._notice)
        self.refresh_bindings()
        self._draw_leads()

    def _runner_told(self) -> None:
        """Say where this is and what goes on."""
        told = self._told()
        if self._runner.running:
            told.append(f"Running, {self._runner.seconds:g} s a move; + and - change that.")
        if self._typed:
            told.append(f"Go to turn {self._typed}: Enter")
        self.table.tell_of(told)

    def _told(self) -> list[str]:
        """Return what there is to say of the place, line by line."""
        return told_of(self._people, self.cursor)

    @work(group="leads", exclusive=True)
    async def _draw_leads(self) -> None:
        """Draw who was ahead when, worked out beside what people do."""
        cursor = self.cursor
        leads = self._leads.known(cursor)
        if leads is None:
            leads = await asyncio.to_thread(self._leads.of, cursor)
        if self.is_attached and self.cursor.positions is cursor.positions:
            self.query_one(MarginGraph).show(leads, self.cursor.ply)
            self._leads_drawn()

    def _leads_drawn(self) -> None:
        """Add to the graph what else is known."""

    # Going elsewhere

    def go_to(self, cursor: Cursor) -> None:
        """Show another place."""
        before, self.cursor = self.cursor, cursor
        self._notice = ""
        one_on = cursor.ply == before.ply + 1
        self._show(stepped=one_on and cursor.number == before.number)

    def _jump_to(self, cursor: Cursor) -> None:
        """Show another place, and run no longer."""
        self._runner.stop()
        self.go_to(cursor)

    @on(MarginGraph.Picked)
    def _go_to_ply(self, event: MarginGraph.Picked) -> None:
        self._jump_to(self.cursor.to(event.played))

    @on(MoveTree.Picked)
    def _go_to_clicked(self, event: MoveTree.Picked) -> None:
        cursor = self.cursor
        self._jump_to(Cursor.at(cursor.record, cursor.number, event.ply, event.trail))

    def action_go(self, by: int) -> None:
        """Go some moves on, or back."""
        self._jump_to(self.cursor.to(self.cursor.ply + by))

    def action_first(self) -> None:
        """Go to where the battle begins."""
        self._jump_to(self.cursor.to(0))

    def action_last(self) -> None:
        """Go to the end of the line."""
        self._jump_to(self.cursor.to(self.cursor.last))

    def action_battle(self) -> None:
        """Go to the beginning of the other battle."""
        self._jump_to(self.cursor.to_battle(self.cursor.number + 1))

    def action_into(self) -> None:
        """Go into the variation that begins here, or else to another move than the last."""
        varied = self.cursor.varied
        self._jump_to(self.cursor.into(varied[0]) if varied else self.cursor.across())

    def action_out(self) -> None:
        """Go to where the variation begins."""
        self._jump_to(self.cursor.out())

    def action_across(self) -> None:
        """Go to another move in place of the last, or else to the next variation ahead."""
        across = self.cursor.across()
        self._jump_to(self.cursor.to_next_variation() if across == self.cursor else across)

    # Running by itself

    def action_run(self) -> None:
        """Let the line run by itself, from its beginning where this is its end, or stop it."""
        if self._runner.running:
            self._runner.stop()
        else:
            if self.cursor.ply == self.cursor.last:
                self.cursor = self.cursor.to_beginning()
            self._runner.start()
        self._show()

    def action_speed(self, by: int) -> None:
        """Change the speed of running by itself."""
        self._runner.faster(by)
        self._show()

    def _run_on(self) -> bool:
        last = self.cursor.ply + 1 >= self.cursor.last
        if last:
            self._runner.stop()
        self.go_to(self.cursor.to_next())
        return not last

    # Going to a turn by its number

    def action_digit(self, digit: int) -> None:
        """Type the number of a turn to go to."""
        self._typed = f"{self._typed}{digit}"[-4:]
        self._runner_told()

    @property
    def going_on(self) -> bool:
        """Whether there is anything to let go of: digits, a piece, or picking moves."""
        return bool(self._typed or self.picker.hand.grip or self.table.trying)

    def action_back(self) -> None:
        """Take back the last digit typed, let go of a piece, or pick no more moves."""
        if self._typed:
            self._typed = self._typed[:-1]
            self._runner_told()
        elif self.picker.hand.grip:
            self.picker.back()
        else:
            self.table.try_moves(False)
            self._show()

    def action_jump(self) -> None:
        """Go to the turn whose number was typed; where none was, pick a move on the board."""
        if self._typed:
            typed, self._typed = int(self._typed), ""
            self._jump_to(self.cursor.to_turn(typed))
        else:
            self._runner.stop()
            self.table.try_moves(True)
            self._show()

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Say whether an action would do something now, and is worth offering."""
        if action == "back" and (self._typed or self.table.trying):
            return True
        here = self.cursor
        leads: dict[str, Callable[[], Cursor]] = {
            "go": lambda: here.to(here.ply + int(str(parameters[0]))),
            "first": lambda: here.to(0),
            "last": lambda: here.to(here.last),
            "out": here.out,
            "into": lambda: here.into(here.varied[0]) if here.varied else here.across(),
            "across": lambda: here.to_next_variation() if here.across() == here else here.across(),
            "battle": lambda: here.to_battle(here.number + 1),
        }
        if action in leads and leads[action]() == here:
            return False
        varied = here.left is not None or action not in ("delete", "promote")
        return varied and super().does_something(action, parameters)

    def action_explain(self) -> None:
        """Tell what the piece under the cursor may do; where there is no cursor, show the help."""
        if self.table.trying:
            super().action_explain()
        else:
            self.action_help()
