"""The choice of puzzles: by game, difficulty and theme."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from thud.exercises.puzzles.book import PUZZLED
from thud.exercises.puzzles.puzzle import BANDS, PuzzleFilter
from thud.exercises.puzzles.score import PuzzleCourse, in_words
from thud.exercises.puzzles.themes import THEMES
from thud.rules.variants import VARIANTS
from thud.text import capitalised, counted
from thud.tui.actions import bindings
from thud.tui.dialog_fixes import FixedModalScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.menu import Choice, Command


class ChoosingScreen(FixedModalScreen[PuzzleFilter | None]):
    """Asks which puzzles to solve; the answer is None to keep the current choice.

    Args:
        course: the puzzles, with the score.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("list")

    DEFAULT_CSS = """
    ChoosingScreen {
        align: center middle;
        #choosing {
            width: 56;
            max-width: 100%;
            height: auto;
            padding: 1 2;
            background: $surface;
            border: round $primary;
        }
        #choosing > Static { height: auto; }
        #title { text-style: bold; margin-bottom: 1; }
        #count { margin: 1 0; color: $foreground-muted; }
    }
    """

    def __init__(self, course: PuzzleCourse) -> None:
        super().__init__()
        self._course = course

    def compose(self) -> ComposeResult:
        """Lay out a row for each choice."""
        game, band, theme, _ = self._course.choice
        games = [(name, VARIANTS[name].short) for name in PUZZLED]
        bands = [(each, each) for each in BANDS]
        rows = (
            Choice("Game", [("", "any"), *games], game, id="game"),
            Choice("Difficulty", [("", "any"), *bands], band, id="band"),
            Choice("Theme", [("", "any"), *THEMES.items()], theme, id="theme"),
            Command("Solve these", id="solve"),
            Command("The puzzle of the day", id="daily"),
        )
        with Vertical(id="choosing"):
            yield Static("Puzzles", id="title")
            for row in rows[:3]:
                row.ascii_only = settings_of(self.app).ascii
                yield row
            yield Static(id="count", markup=False)
            yield rows[3]
            if self._course.daily:
                yield rows[4]
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the first row."""
        self._count()
        self.query_one("#game").focus()

    @property
    def _wanted(self) -> PuzzleFilter:
        game, band, theme = (
            str(self.query_one(f"#{row}", Choice).value) for row in ("game", "band", "theme")
        )
        return PuzzleFilter(game, band, theme)

    @on(Choice.Changed)
    def _count(self) -> None:
        """Show the number of matching puzzles, and the score."""
        found = self._course.found(self._wanted)
        solved = sum(each.id in self._course.score.ids for each in found)
        number = capitalised(counted(len(found), "puzzle")) if found else "No such puzzle"
        told = f"{number}, {solved} solved." if solved else f"{number}."
        score = self._course.score
        self.query_one("#count", Static).update(f"{told}\n{in_words(score)}" if score.ids else told)

    def action_go(self, row: str) -> None:
        """Answer with the chosen puzzles, if there are any, or with that of the day."""
        if row == "daily":
            assert self._course.daily
            self.dismiss(PuzzleFilter(only=self._course.daily.puzzle.id))
        elif self._course.found(self._wanted):
            self.dismiss(self._wanted)
