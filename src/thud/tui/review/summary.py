"""The summary of a review: each player with each side, and the turning points."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import ClassVar, Final, TypeAlias

from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from thud.disk.directories import cache_directory
from thud.records.record import Record
from thud.review.judgement import Mark
from thud.review.known import left_known
from thud.review.sentences import accuracy_figure, cost_figure, figure, turning_line
from thud.review.summary import Effort, Progress, Reviewed
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.text import YOU
from thud.tui.actions import ACTIONS, bindings
from thud.tui.delivery import save_review
from thud.tui.deployment import deployment_of
from thud.tui.help.screen import HelpScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.looks.fitted import fitted
from thud.tui.review.judging import dots, drawn
from thud.tui.textual_fixes import FixedScreen
from thud.tui.widgets.margin_graph import MarginGraph, scale
from thud.tui.widgets.match_line import match_line
from thud.tui.widgets.prompt import Tappable, side_by_side
from thud.wording.remarks import FAULTS

_NAME: Final = 10
_WIDE_NAME: Final = 22
_TALL: Final = 40
_LABEL: Final = 28
_BOTH: Final = 79
"""Fewest columns for both battles side by side."""
_MARGINS: Final = 4
_SCROLLBAR: Final = 2
_NONE: Final = "–"


Chosen: TypeAlias = tuple[int, Side]
"""The battle and the side whose mistakes to drill."""


class BattleGraph(Vertical):
    """The graph of a battle, with its turning point above.

    Args:
        caption: the text above the graph.
    """

    def __init__(self, caption: str) -> None:
        super().__init__()
        self._caption = caption
        self.known = Static(classes="known", markup=False)
        """How far the computer's battles go along, if there is room."""
        self._graph = MarginGraph()

    def compose(self) -> ComposeResult:
        """Lay out the caption above the graph."""
        yield Static(self._caption, markup=False)
        yield self.known
        yield self._graph

    def show(self, reviewed: Reviewed, leads: list[float]) -> None:
        """Draw the leads and the expected results."""
        self._graph.show(leads, -1)
        self._graph.expect(drawn(reviewed, scale(leads)), dots(reviewed.mistakes))


class SummaryScreen(FixedScreen[Chosen | None]):
    """Shows both players' results; the answer is whose mistakes to drill.

    Args:
        record: the match.
        progress: its judgements.
        number: the current battle, whose mistakes can be drilled.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("summary")

    DEFAULT_CSS = """
    SummaryScreen {
        #summed { height: 1fr; padding: 0 2; overflow-y: auto; }
        Static { height: auto; }
        BattleGraph { height: auto; }
        BattleGraph MarginGraph { display: none; }
        BattleGraph.-now MarginGraph, &.-tall MarginGraph { display: block; }
        BattleGraph.-now Static { text-style: bold; }
        MarginGraph { height: 4; }
        .known { display: none; color: $foreground-muted; }
        &.-tall .known { display: block; }
        #legend { color: $foreground-muted; }
        #learn { display: none; margin: 1 0 0 0; link-style: none; }
        &.-tall { #summed { padding: 1 2; } MarginGraph { height: 8; } }
        &.-tall BattleGraph { margin: 1 0 0 0; }
    }
    """

    def __init__(self, record: Record, progress: Progress, number: int) -> None:
        super().__init__()
        self._record = record
        self._number = number
        self._reviewed = [progress.reviewed(each) for each in progress.numbers]
        self._graphs: list[BattleGraph] = []
        for each in self._reviewed:
            told = turning_line(each, record.commanders(each.number))
            self._graphs.append(BattleGraph(f"Battle {each.number}. {told}"))
        self._summed = Static(id="table")
        self._offered = Static(id="learn")

    def compose(self) -> ComposeResult:
        """Lay out the table and the battles below it."""
        yield from match_line(self)
        with VerticalScroll(id="summed"):
            yield self._summed
            yield from self._graphs
            yield Static(
                "The expected result after each move. Dots: mistakes and blunders.", id="legend"
            )
            yield self._offered
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the table, and draw the graphs."""
        self._show()
        self._draw()

    @work
    async def _draw(self) -> None:
        for graph, reviewed in zip(self._graphs, self._reviewed, strict=True):
            leads = await asyncio.to_thread(_leads, reviewed)
            graph.show(reviewed, leads)
        for graph, reviewed in zip(self._graphs, self._reviewed, strict=True):
            variant, battle = reviewed.variant, reviewed.battle
            if known := await asyncio.to_thread(left_known, variant, battle, cache_directory()):
                graph.known.update(known)

    def on_resize(self, event: events.Resize) -> None:
        """Show more if there is room."""
        self.set_class(event.size.height >= _TALL, "-tall")
        self._show()

    def _show(self) -> None:
        width = self.size.width
        # Both battles' columns, or only the current one's if columns are few.
        both = width >= _BOTH
        shown = [each for each in self._reviewed if both or each.number == self._number]
        columns, room = 2 * len(shown), width - _MARGINS
        # Names get what the labels leave, and labels give way to the shortest names.
        each_name = (room - _SCROLLBAR - _LABEL) // columns - 1
        name_width = max(_NAME, min(_WIDE_NAME, each_name))
        labels = min(_LABEL, room - columns * (name_width + 1))
        self._summed.update(summary_table(self._record, shown, name_width, labels))
        # To tap on screens whose footer has no room for the keys' labels.
        ways: list[Tappable] = []
        active = self.active_bindings
        for each in ACTIONS["summary"][:-2]:
            if each.keys in active:
                click = Style(meta={"@click": f"app.simulate_key('{each.keys}')"})
                key = (f" {each.keys} ", Style(bold=True, reverse=True) + click)
                ways.append(Tappable(Text.assemble(key, (f" {each.label}", click)), click))
        self._offered.update(side_by_side(ways, width - _MARGINS, 1, high=True))
        for number, graph in enumerate(self._graphs, 1):
            graph.set_class(number == self._number, "-now")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something."""
        if action in ("learn", "learn_own"):
            return (action == "learn_own") == (self._own is not None)
        return action != "battle" or len(self._reviewed) > 1

    @property
    def _own(self) -> Side | None:
        """The side of the one person who played, None if two did, or other people."""
        commanders = self._record.commanders(self._number)
        return next(
            (side for side, name in zip(Side, commanders, strict=True) if name == YOU), None
        )

    def action_battle(self) -> None:
        """Switch to the other battle."""
        self._number = self._number % len(self._reviewed) + 1
        self._show()

    def action_save(self) -> None:
        """Save the review as a page, or as text."""
        app = self.app
        save_review(app, self._record, self._reviewed, deployment_of(app).delivery)

    def action_learn_own(self) -> None:
        """Drill one's own mistakes."""
        assert self._own
        self.dismiss((self._number, self._own))

    def action_learn(self, side: str) -> None:
        """Drill the mistakes of a side."""
        chosen = Side.DWARFS if side == "dwarfs" else Side.TROLLS
        self.dismiss((self._number, chosen))

    def action_close(self) -> None:
        """Go back to the replay."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Show the keys, linked to the rules."""
        self.app.push_screen(HelpScreen(self._record.variant, self.BINDINGS))


def _leads(reviewed: Reviewed) -> list[float]:
    return list(map(reviewed.variant.lead, reviewed.battle.positions()))


def summary_table(
    record: Record, reviewed: list[Reviewed], width: int, of_labels: int = _LABEL
) -> Table:
    """Return a table with a column of the given width for each side of each battle."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(Text(f"Review: {record.variant.short}", "bold"), width=of_labels)
    efforts = list[Effort]()
    for battle in reviewed:
        for side, name in zip(Side, record.commanders(battle.number), strict=True):
            heading = f"{fitted(name, width)}\n{side.plural}"
            heading += f"\nbattle {battle.number}" if len(reviewed) > 1 else ""
            table.add_column(Text(heading, "bold"), width=width, justify="right", no_wrap=True)
            efforts.append(battle.effort(side))

    def add(label: str, cells: Iterable[object]) -> None:
        table.add_row(label, *map(str, cells))

    variant, nothing = record.variant, [""] * len(efforts)
    add("accuracy", map(accuracy_figure, efforts))
    add("moves judged", (each.moves for each in efforts))
    unit = "points" if variant.counts_points else "win chance"
    add(f"{unit} lost per move", (figure(variant, each) for each in efforts))
    add("", nothing)
    for mark in reversed(Mark):
        add(f"{mark.value:<2} {mark.plural}", (each.marks.get(mark, 0) for each in efforts))
    kinds = {words: [each.kinds.get(kind, 0) for each in efforts] for kind, words in FAULTS.items()}
    if any(map(any, kinds.values())):
        add("", nothing)
    for words, counts in kinds.items():
        if any(counts):
            add(words, counts)
    worst = [each.worst for each in efforts]
    if any(worst):
        add("", nothing)
        add(
            "worst move", (move_text(each.position, each.move) if each else _NONE for each in worst)
        )
        lost = (
            cost_figure(variant, each.position, each.judgement) if each else "" for each in worst
        )
        add("  lost", lost)
    return table
