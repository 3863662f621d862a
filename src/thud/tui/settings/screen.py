"""The settings screen: a change applies at once, and is saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import DescendantFocus, Resize
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Static

from thud.settings.values import AUTO, SETTINGS_INFO, Settings, Value
from thud.terminal.cells import CELLS, WIDE, Cell
from thud.tui.actions import bindings
from thud.tui.board.drawing import Surface
from thud.tui.board.look import Look, SquareMark
from thud.tui.dialog_fixes import FixedModalScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.looks.fitted import fitted_path
from thud.tui.screens import ThudScreen
from thud.tui.widgets.appearance import dress_surface
from thud.tui.widgets.menu import Choice, Row

_DRAWN: Final = (
    Look("d"),
    Look("T", dark=True),
    Look("R"),
    Look("d", SquareMark.VICTIM, dark=True),
)
_LARGEST: Final = Cell(9, 4)


class Preview(Surface):
    """A dwarf, a troll, the stone and a victim, as large as fits.

    A scroll bar leaves room for the same size: with a smaller one, it would come and go for ever.
    """

    DEFAULT_CSS = "Preview { height: auto; margin: 0 0 0 1; }"

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the full width."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of a square."""
        return self._cell(width).height

    def _cell(self, width: int) -> Cell:
        limit = min(self.largest or _LARGEST, _LARGEST)
        fits = (cell for cell in CELLS if cell <= limit and len(_DRAWN) * cell.width <= width)
        return next(fits, CELLS[-1])

    def render_line(self, y: int) -> Strip:
        """Draw one line of the squares."""
        width, base = self.size.width, self.rich_style
        cell = self._cell(width)
        if y >= cell.height:
            return Strip.blank(width, base)
        painter = self._new_painter(cell)
        line = [segment for look in _DRAWN for segment in painter[look][y]]
        return Strip(line).adjust_cell_length(width, base)


_LABEL_WIDTH: Final = 11
_NAMES: Final = {True: "yes", False: "no"}
_PREVIEWED: Final = ("theme", "pieces", "ascii", "cell")
"""The settings whose effect is previewed."""
_TALL: Final = 28
"""Fewest rows for both the preview and the path of the settings file."""


class _FileLine(Static):
    """A file's path on one line, shortened to fit.

    Args:
        path: the file.
    """

    DEFAULT_CSS = "_FileLine { height: 1; }"

    def __init__(self, path: Path) -> None:
        super().__init__(markup=False)
        self._path = from_home(path)

    def on_resize(self, event: Resize) -> None:
        """Shorten it to the width."""
        self.update(fitted_path(self._path, event.size.width))


class SettingsScreen(FixedModalScreen[None], ThudScreen):
    """Every setting, a row each.

    It covers the panel but not the board, where most changes can be seen.

    Args:
        settings: the current settings.
        themes: the names of the themes.
        path: the settings file, None if it is not shown.
        saved: whether they are saved.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("settings")

    DEFAULT_CSS = """
    SettingsScreen {
        align: right top;
        background: transparent;
        VerticalScroll {
            width: 31;
            height: 1fr;
            background: $surface;
            border-left: vkey $primary;
            scrollbar-size-vertical: 1;
        }
        &.-wide VerticalScroll { width: 38; }
        &.-tall Preview { margin: 0 0 1 1; }
        &.-wide Preview { margin: 0 0 1 0; }
        .title { text-style: bold; margin: 0 0 1 1; display: none; }
        &.-tall .title { display: block; }
        #about { margin: 0 1; height: auto; min-height: 4; }
        &.-tall #about { margin: 1; }
        #where { color: $foreground-muted; height: auto; margin: 0 1; }
        Preview { display: none; }
        &.-looks Preview { display: block; }
        &.-looks #where { display: none; }
        &.-looks.-tall #where { display: block; }
    }
    """

    class Changed(Message):
        """A setting was changed."""

        def __init__(self, name: str, value: Value) -> None:
            super().__init__()
            self.name = name
            self.value = value

    def __init__(
        self, settings: Settings, themes: Sequence[str], path: Path | None, *, saved: bool
    ) -> None:
        super().__init__()
        self._settings = settings
        self._themes = themes
        self._path = path
        self._saved = saved
        self._preview = Preview()

    def compose(self) -> ComposeResult:
        """Lay out the rows, the explanation of one, the preview, and the file's path."""
        if self._path:
            where = "K shows and changes the keys. All is saved in"
        elif self._saved:
            where = "Saved for your next visit."
        else:
            where = "Changes last until you leave."
        with VerticalScroll(can_focus=False):
            yield Static("Settings", classes="title")
            for name, about in SETTINGS_INFO.items():
                choices = about.choices or (AUTO, *self._themes)
                values = [(each, _called(each)) for each in choices]
                yield Choice(about.label, values, getattr(self._settings, name), id=name)
            yield Static(id="about", markup=False)
            yield self._preview
            with Vertical(id="where"):
                yield Static(where, markup=False)
                if self._path:
                    yield _FileLine(self._path)
        yield KeyBar()

    def on_resize(self, event: Resize) -> None:
        """Cover the panel beside the board."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.height >= _TALL, "-tall")
        self.call_after_refresh(self._cover_panel)

    def _cover_panel(self) -> None:
        """Be at least as wide as the panel below, so that none of it shows."""
        if self not in (stack := self.app.screen_stack):
            return  # the screen has been left meanwhile
        panels = stack[stack.index(self) - 1].query("#panel").results()
        self.query_one(VerticalScroll).styles.min_width = max(
            (panel.outer_size.width for panel in panels), default=0
        )

    def on_mount(self) -> None:
        """Show the settings, and focus the first row."""
        self.apply_settings(self._settings)
        self.query(Choice).first().focus()

    def apply_settings(self, settings: Settings) -> None:
        """Show the current settings."""
        self._settings = settings
        dress_surface(self._preview, settings)
        for row in self.query(Row):
            row.ascii_only, row.label_width = settings.ascii, _LABEL_WIDTH
            if isinstance(row, Choice):
                row.set_value(getattr(settings, str(row.id)))

    @on(Choice.Changed)
    def _change_setting(self, event: Choice.Changed) -> None:
        self.post_message(self.Changed(str(event.row.id), event.row.value))
        self._tell(event.row)

    @on(DescendantFocus)
    def _tell_focused(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, Choice):
            self._tell(event.widget)

    def _tell(self, row: Choice) -> None:
        self.set_class(row.id in _PREVIEWED, "-looks")
        about = SETTINGS_INFO[str(row.id)]
        text = f"{about.label}: {row.name_of_value}\n"
        note = about.notes.get(row.value, "")
        self.query_one("#about", Static).update(text + (note or about.explanation))


def from_home(path: Path) -> str:
    """Return a path with the home directory shortened to `~`."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _called(choice: Value) -> str:
    if isinstance(choice, bool):
        return _NAMES[choice]
    return choice.replace("x", "×") if choice[:1].isdigit() else choice
