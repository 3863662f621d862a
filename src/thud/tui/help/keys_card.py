"""The card of keys: what each key does on the screen below, as things are now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from thud.text import capitalised
from thud.tui.actions import BY_ID, GROUPS, SECTIONS, Action, bindings
from thud.tui.deployment import Deployment
from thud.tui.help.screen import Page
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.keymap import Keymap, key_name, keys_of
from thud.tui.palette import does_something
from thud.tui.textual_fixes import FixedModalScreen

_COLUMN: Final = 36
"""Columns of a column of the card."""
_KEYS: Final = 14
"""Columns of the keys in it."""
_MOST: Final = 3
"""Most columns of the card."""
_AROUND: Final = 6
"""Columns around the text: border, padding and scroll bar."""
_ARROWS: Final = ("up", "left", "right", "down")


class Line(NamedTuple):
    """The keys of an action, by name, and what it does."""

    keys: str
    does: str


Sections: TypeAlias = dict[str, list[Line]]


def keys_now(
    screen: Screen[object], own: Keymap, deployment: Deployment, *, ascii_only: bool
) -> Sections:
    """Return what the keys of a screen do now, by the titles of the card's sections."""
    active = {each.binding.id for each in screen.active_bindings.values() if each.enabled}
    rows: dict[tuple[str, str], list[Action]] = {}
    for action in BY_ID.values():
        if action.id in active and does_something(screen, action, deployment):
            rows.setdefault(_placed(action, deployment), []).append(action)
    ours = [title for title, _ in rows if title not in SECTIONS]
    sections: Sections = {title: [] for title in (*ours, *SECTIONS)}
    for (title, does), alike in rows.items():
        names = (key_name(key, ascii_only=ascii_only) for key in _shown(alike, own))
        sections[title].append(Line(_fitted(names), does))
    return {title: lines for title, lines in sections.items() if lines}


def _placed(action: Action, deployment: Deployment) -> tuple[str, str]:
    """Return an action's section and what it does; actions with the same share a line."""
    title = action.section or capitalised(GROUPS[action.id.partition(".")[0]])
    return title, action.card or capitalised(deployment.label(action.id))


def _shown(alike: list[Action], own: Keymap) -> list[str]:
    """Return the keys to show of the actions on a line: of several, the arrows or the first."""
    keys = [keys_of(each, own) for each in alike]
    if len(keys) == 1:
        return keys[0]
    pointing = [key for each in keys for key in each if key.rpartition("+")[2] in _ARROWS]
    return pointing or [each[0] for each in keys]


def _fitted(names: Iterable[str]) -> str:
    """Join as many names as fit."""
    joined = ""
    for name in names:
        longer = f"{joined} {name}".strip()
        if joined and cell_len(longer) > _KEYS:
            break
        joined = longer
    return joined


class KeysCard(FixedModalScreen[bool]):
    """Shows keys by section until a key closes it; the answer is whether to show the help.

    Args:
        sections: what to show.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("card")

    DEFAULT_CSS = """
    KeysCard {
        align: center middle;
        Page {
            width: auto;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 0 1;
            background: $surface;
            border: round $primary;
            border-title-style: bold;
        }
    }
    """

    def __init__(self, sections: Sections) -> None:
        super().__init__()
        self._sections = sections
        self._card = Static()
        self._page = Page()

    def compose(self) -> ComposeResult:
        """Lay out the card above its own keys."""
        with self._page:
            yield self._card
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the card."""
        self._page.border_title = "Keys here, now"
        self._page.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the sections out in as many columns as fit."""
        most = max(1, min((event.size.width - _AROUND) // _COLUMN, _MOST))
        columns: list[list[tuple[str, list[Line]]]] = [[] for _ in range(most)]
        for section in self._sections.items():
            min(columns, key=_height).append(section)
        table = Table.grid()
        for _ in columns:
            table.add_column(width=_COLUMN)
        table.add_row(*map(_column, columns))
        self._card.styles.width = most * _COLUMN
        self._card.update(table)

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self._page.scroll_relative(y=by, animate=False, immediate=True)


def _height(column: list[tuple[str, list[Line]]]) -> int:
    return sum(len(lines) + 2 for _, lines in column)


def _column(sections: list[tuple[str, list[Line]]]) -> Group:
    parts: list[RenderableType] = []
    for title, lines in sections:
        table = Table.grid(padding=(0, 1))
        table.add_column(width=_KEYS)
        table.add_column(width=_COLUMN - _KEYS - 2)
        for line in lines:
            table.add_row(Text(line.keys, "bold"), Text(line.does))
        parts += [Text(title, "bold underline"), table, Text()]
    return Group(*parts[:-1])
