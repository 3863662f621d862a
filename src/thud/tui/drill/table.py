"""The table at which tasks are done: the board, and the task beside it."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from thud.drills.drill import Drill
from thud.tui.battle.picking_table import PickingTable


class DrillTable(PickingTable):
    """Shows a task beside the board."""

    def compose_panel(self) -> ComposeResult:
        """Lay out the task."""
        yield Static(id="task")

    def show_task(self, drill: Drill) -> None:
        """Write what is to be done, and how far one has come."""
        number, of = drill.place + 1, len(drill.tasks)
        text = Text(drill.title, "bold")
        if of > 1:
            text.append(f"\n{number} of {of}", "dim")
        text.append(f"\n\n{drill.task.words}", "not bold")
        self.query_one("#task", Static).update(text)
