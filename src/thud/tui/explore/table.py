"""The table at which one walks through what others played: the board, and the list beside it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from thud.explore.library import Played, State
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.tui.battle.picking_table import PickingTable
from thud.tui.explore.played_list import PlayedList
from thud.wording.explore import FLEETING, NO_MATCHES, NOBODY_WENT_ON, TITLE, faults, reading
from thud.wording.text import capitalised, counted


class ExploreTable(PickingTable):
    """Shows what was played beside the board.

    Args:
        position: what stands on the board at first.

    Attributes:
        played: the list of moves.
        on_board: whether the keys go to the board, and not to the list.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.played = PlayedList()
        self.on_board = False

    def compose_panel(self) -> ComposeResult:
        """Lay out where one is, what was played there, and how far the index is."""
        yield Static(id="where")
        yield self.played
        yield Static(id="told")

    def take_keys(self) -> None:
        """Give the keys to whatever people are doing."""
        if self.occupied or self.on_board:
            super().take_keys()
        else:
            self.screen.set_focus(self.played)

    def show_where(self, battle: Battle, played: Sequence[Played] | None) -> None:
        """Write where one is, and how many have been there; None is not known yet."""
        text = Text(TITLE, "bold")
        text.append(f"\n{battle.variant.title}", "not bold")
        moves = battle.moves
        if moves:
            last = move_text(battle.positions[-2], moves[-1])
            text.append(f", move {len(moves)}: {last}", "not bold")
        text.append(f"\n{_told(battle, played)}", "not bold")
        self.query_one("#where", Static).update(text)

    def show_state(self, state: State) -> None:
        """Write how far the index is."""
        told = (
            "" if state.files else NO_MATCHES,
            reading(state.read, state.files),
            faults(state.faulty, state.fault),
            "" if state.lasts else FLEETING,
        )
        self.query_one("#told", Static).update(Text("\n".join(filter(None, told))))


def _told(battle: Battle, played: Sequence[Played] | None) -> str:
    if battle.outcome:
        return capitalised(battle.outcome.told)
    if played is None:
        return "…"
    if not played:
        return NOBODY_WENT_ON
    battles = sum(each.number for each in played)
    return f"{counted(len(played), 'move')} in {counted(battles, 'battle')}".capitalize()
