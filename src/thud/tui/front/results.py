"""What finished matches show of each person, in frames side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import ItemGrid, VerticalScroll
from textual.widgets import Static
from textual.widgets.option_list import Option

from thud.history import History, blocks, history_lines
from thud.tui.actions import bindings
from thud.tui.deployment import deployment_of
from thud.tui.dialog_fixes import FixedModalScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.marked_list import MarkedList
from thud.tui.widgets.match_line import match_line

_COLUMN = 50
"""Fewest columns of a frame, if there are as many."""


class After(Enum):
    """What to do after the results, with a match that is chosen there."""

    REPLAY = "replay"
    REVIEW = "review"
    PRACTISE = "practise"


class ResultsScreen(FixedModalScreen[tuple[After, str] | None]):
    """Shows results, ratings and accuracy; the answer is what to do, and with which match.

    Args:
        people: the history of each person.
        matches: their matches as options, the latest first.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("results")

    DEFAULT_CSS = """
    ResultsScreen {
        background: $surface;
        .said { padding: 0 1; color: $foreground-muted; height: 1; }
        .who { padding: 0 2; text-style: bold; color: $accent; }
        VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
        MarkedList {
            height: auto;
            max-height: 25%;
            border: round $foreground 25%;
            border-title-color: $foreground;
            border-title-style: bold;
            background: $surface;
            padding: 0;
        }
        MarkedList:focus { border: round $primary; }
        ItemGrid { height: auto; }
        .block {
            height: 100%;
            border: round $foreground 25%;
            border-title-color: $foreground;
            border-title-style: bold;
            padding: 0 1;
        }
    }
    """

    def __init__(self, people: Mapping[str, History], matches: Sequence[Option]) -> None:
        super().__init__()
        self._people = people
        self._listed = MarkedList(*matches)
        self._listed.border_title = "Matches"

    def compose(self) -> ComposeResult:
        """Lay out a frame for each table, under its person's name."""
        drawn = not settings_of(self.app).ascii
        yield from match_line(self)
        yield Static("Results", classes="said", markup=False)
        yield self._listed
        with VerticalScroll():
            for name, history in self._people.items():
                yield Static(name, classes="who", markup=False)
                with ItemGrid(min_column_width=_COLUMN, stretch_height=True):
                    for lines in blocks(history, drawn=drawn):
                        yield Static("\n".join(lines), classes="block", markup=False)
        yield KeyBar()

    @on(MarkedList.OptionSelected)
    def _replay(self, event: MarkedList.OptionSelected) -> None:
        if self.is_current:
            self.dismiss((After.REPLAY, str(event.option_id)))

    def action_review(self) -> None:
        """Review the highlighted match."""
        if chosen := self._listed.highlighted_option:
            self.dismiss((After.REVIEW, str(chosen.id)))

    def action_practise(self) -> None:
        """Practise what the matches show."""
        self.dismiss((After.PRACTISE, ""))

    def action_copy(self) -> None:
        """Copy the text to the terminal's clipboard."""
        drawn = not settings_of(self.app).ascii
        self.app.copy_to_clipboard("\n".join(history_lines(self._people, drawn=drawn)))
        told = f"It was sent to {deployment_of(self.app).clipboard}."
        self.query_one(".said", Static).update(told)
