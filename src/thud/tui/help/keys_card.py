"""The card of keys: what each key does on the screen below, as things are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import ClassVar, Final, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from thud.text import capitalised
from thud.tui.actions import BY_ID, GROUPS, SECTIONS, Action, bindings
from thud.tui.deployment import Deployment
from thud.tui.dialog_fixes import FixedModalScreen
from thud.tui.help.screen import Page
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.keymap import Keymap, key_name, keys_of
from thud.tui.palette import does_something
from thud.tui.picking.screen import PickingScreen
from thud.tui.textual_fixes import OrderedScreen

_COLUMN: Final = 36
"""Most columns of a column of the card, without its gap."""
_GAP: Final = 2
"""Columns between keys and what they do."""
_BETWEEN: Final = 4
"""Columns between columns of the card."""
_KEYS: Final = 15
"""Most columns of the keys in it."""
_MOST: Final = 3
"""Most columns of the card."""
_AROUND: Final = 6
"""Columns around the text: border and padding."""
_FRAME: Final = 3
"""Lines around the text: border and key bar."""
_ARROWS: Final = ("left", "down", "up", "right")
_NUMPAD: Final = "12346789"
_WITH: Final = {"review": "replay"}
"""Groups of actions that are in the section of another one."""
_TOGETHER: Final = Counter((each.id.partition(".")[0], each.together) for each in BY_ID.values())
"""How many actions of a group the card tells of in the same words."""


class Line(NamedTuple):
    """The keys of an action, by name, and what it does."""

    keys: str
    does: str
    waits: bool = False
    """Whether it waits for one's turn; it is dimmed, as in the footer."""


Sections: TypeAlias = dict[str, list[Line]]

_QUESTION: Final = "Here"
"""The section of what is asked, or listed."""
_STEPS: Final = ("cursor_up", "cursor_down", "first", "last", "page_up", "page_down")
"""What is told of a list's own keys."""


def keys_now(
    screen: Screen[object], own: Keymap, deployment: Deployment, *, ascii_only: bool
) -> Sections:
    """Return what the keys of a screen do now, by the titles of the card's sections."""
    bound = screen.active_bindings
    there = {each.binding.id for each in bound.values()}
    active = {each.binding.id for each in bound.values() if each.enabled}
    offers: Mapping[str, bool | None] = getattr(screen, "offers", {})
    relabelled = {**getattr(screen, "labels_now", dict)(), **getattr(screen, "labels_on_card", {})}
    rows: dict[tuple[str, str], list[Action]] = {}
    waiting = set[tuple[str, str]]()
    for action in BY_ID.values():
        waits = action.id in there and offers.get(action.runs, True) is None
        if waits or (action.id in active and does_something(screen, action, deployment)):
            group = action.id.partition(".")[0]
            title = action.section or capitalised(GROUPS[_WITH.get(group, group)])
            does = action.together or relabelled.get(action.runs) or _alone(action, deployment)
            rows.setdefault((title, does), []).append(action)
            if waits:
                waiting.add((title, does))
    ours = [title for title, _ in rows if title not in SECTIONS]
    sections: Sections = {_QUESTION: answers_in(screen, ascii_only=ascii_only)}
    sections |= {title: [] for title in (*ours, *SECTIONS)}
    for (title, told), alike in rows.items():
        # Without the keys that do something else where the focus is.
        keys = [
            [
                key
                for key in keys_of(each, own)
                if key not in bound or bound[key].binding.id == each.id
            ]
            for each in alike
        ]
        does = told
        if len(alike) < _TOGETHER[alike[0].id.partition(".")[0], told]:
            does = ", ".join(_alone(each, deployment) for each in alike)
        named = _names(_shown(keys, ascii_only=ascii_only))
        sections[title].append(Line(named, does, waits=(title, told) in waiting))
    return {title: lines for title, lines in sections.items() if lines}


def _alone(action: Action, deployment: Deployment) -> str:
    """Return what the card says of an action, if not together with others."""
    return action.card or capitalised(deployment.label(action.id))


def _shown(keys: Sequence[Sequence[str]], *, ascii_only: bool) -> list[str]:
    """Return the names of the keys of actions on one line.

    Of several actions, they are the keys that point, by kinds, or the first key of each.
    """
    every = [key for each in keys for key in each]
    if len(keys) > 1 and any(key.rpartition("+")[2] in _ARROWS for key in every):
        return _pointing(every, ascii_only=ascii_only)
    shown = keys[0] if len(keys) == 1 else [each[0] for each in keys]
    return [key_name(key, ascii_only=ascii_only) for key in shown]


def _pointing(keys: Collection[str], *, ascii_only: bool) -> list[str]:
    """Return the names of keys that point: the arrows, by what is held with them, letters, digits.

    >>> _pointing(("8", "up", "k", "2", "down", "j", "ctrl+up", "ctrl+down"), ascii_only=False)
    ['↓↑', 'Ctrl+↓↑', 'jk', '28']
    """
    found = list[str]()
    for held in dict.fromkeys(key.rpartition("+")[:2] for key in keys):
        prefix = "".join(held)
        arrows = [
            key_name(each, ascii_only=ascii_only) for each in _ARROWS if prefix + each in keys
        ]
        if arrows:
            if ascii_only:
                arrows = ["Arrows"] if len(arrows) == len(_ARROWS) else [" ".join(arrows)]
            found.append(key_name(f"{prefix}x")[:-1] + "".join(arrows))
    letters = sorted(key for key in keys if len(key) == 1 and key.isalpha())
    digits = "".join(sorted(key for key in keys if len(key) == 1 and key.isdigit()))
    return [each for each in (*found, "".join(letters), digits.replace(_NUMPAD, "1-9")) if each]


def answers_in(screen: Screen[object], *, ascii_only: bool) -> list[Line]:
    """Return the keys that answer what a screen asks, or those of a dialog, which have no ids."""
    found: dict[str, list[str]] = {}
    if isinstance(screen, PickingScreen) and (question := screen.pane.prompt.question):
        found = {capitalised(each.label): [*each.keys] for each in question.answers if each.label}
    elif isinstance(screen, ModalScreen):
        bound = screen.active_bindings
        stands_for = {f"app.simulate_key('{key}')": key for key in bound}
        for key, (_, binding, enabled, _) in bound.items():
            if binding.action in stands_for:
                binding = bound[stands_for[binding.action]].binding  # noqa: PLW2901
            told = binding.show or binding.action in _STEPS
            if enabled and told and not binding.id:
                does = binding.tooltip or binding.description
                found.setdefault(capitalised(does.lower()), []).append(key)
    return [
        Line(_names([key_name(key, ascii_only=ascii_only) for key in keys], " or "), does)
        for does, keys in found.items()
        if does
    ]


def _names(keys: Sequence[str], between: str = " ") -> str:
    """Return the names of keys that fit, the first one always."""
    names = ""
    for name in keys:
        longer = f"{names}{between}{name}" if names else name
        if names and cell_len(longer) > _KEYS:
            break
        names = longer
    return names


def _in_columns(sections: Sections, number: int) -> list[Sections]:
    """Return the sections in so many columns, in order within each, as low as can be."""

    def columns(places: Sequence[int]) -> list[Sections]:
        placed = list(zip(places, sections, strict=True))
        return [
            {title: sections[title] for place, title in placed if place == column}
            for column in range(number)
        ]

    ways = map(columns, product(range(number), repeat=len(sections)))
    best = min(ways, key=lambda way: max(map(_height, way)))
    return [each for each in best if each]


def _height(column: Sections) -> int:
    """Return the lines of a column, with empty ones between its sections."""
    return sum(len(lines) + 2 for lines in column.values()) - 1


def _widths(column: Sections) -> tuple[int, int]:
    """Return the columns of the keys' names, and of what they do."""
    lines = [line for lines in column.values() for line in lines]
    keys = max((cell_len(line.keys) for line in lines), default=0)
    does = max((cell_len(line.does) for line in lines), default=0)
    titles = max(map(cell_len, column), default=0) - keys - _GAP
    return keys, max(titles, min(does, _COLUMN - keys))


def _laid_out(column: Sections, key: Style, heading: Style, *, airy: bool) -> Group:
    """Lay out a column of the card, with its keys' names in one column of their own."""
    keys, does = _widths(column)
    parts: list[RenderableType] = []
    for title, lines in column.items():
        section = Table.grid(padding=(0, _GAP, 0, 0))
        section.add_column(width=keys)
        section.add_column(width=does)
        for line in lines:
            dimmed = "dim" if line.waits else ""
            section.add_row(Text(line.keys, key), Text(line.does), style=dimmed)
        parts += [Text()] * (airy and bool(parts)) + [Text(title, heading), section]
    return Group(*parts)


class KeysCard(FixedModalScreen[str], OrderedScreen):
    """Shows keys by section until a key closes it; the answer is the action to run then, if any.

    Args:
        sections: what to show.
        keys: the keys of the screen below, which close the card and do what they do there.
        to_help: the action of the screen below that shows help, empty if it has none.
    """

    begun = True

    BINDINGS: ClassVar[list[BindingType]] = bindings("card")

    DEFAULT_CSS = """
    KeysCard {
        align: center middle;
        Page {
            width: auto;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 1 2 0 2;
            background: $surface;
            border: round $primary;
            border-title-style: bold;
            scrollbar-size-vertical: 1;
            &.-low { padding: 0 2; }
        }
        & > .keys-card--key { color: $footer-key-foreground; text-style: bold; }
        & > .keys-card--title { color: $primary; text-style: bold; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys-card--key", "keys-card--title"}

    def __init__(self, sections: Sections, keys: Collection[str], to_help: str) -> None:
        super().__init__()
        self._to_help = to_help
        self._sections = sections
        self._keys = keys
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
        """Lay the sections out in as many columns as fit, and leave air if all can be seen."""
        for number in range(_MOST, 0, -1):
            columns = _in_columns(self._sections, number)
            widths = [sum(_widths(each)) + _GAP for each in columns]
            width = sum(widths) + _BETWEEN * (len(columns) - 1)
            if width + _AROUND <= event.size.width:
                break
        key, heading = (
            self.get_component_rich_style(f"keys-card--{name}", partial=True)
            for name in ("key", "title")
        )
        table = Table.grid(padding=(0, _BETWEEN, 0, 0))
        for each in widths:
            table.add_column(width=each)
        # Of its padding and its empty lines, as many as there is room for.
        room = event.size.height - _FRAME
        airy = max(map(_height, columns)) <= room
        table.add_row(*(_laid_out(column, key, heading, airy=airy) for column in columns))
        self._card.styles.width = width
        self._card.update(table)
        self._page.set_class(max(map(_height, columns)) >= room, "-low")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something: F1 only where there is help."""
        return action != "help" or bool(self._to_help)

    def take_any_key(self, key: str) -> bool:
        """Close the card for a key of the screen below, and press it there."""
        meant_below = key in self._keys and key not in self.active_bindings
        if meant_below:
            self.dismiss("")
            self.app.simulate_key(key)
        return meant_below

    def action_help(self) -> None:
        """Close the card, and show the help."""
        self.dismiss(self._to_help)

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self._page.scroll_relative(y=by, animate=False, immediate=True)
