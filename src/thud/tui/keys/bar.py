"""The key bar, on the last line of a screen.

Textual's own `Footer` has a widget for each key, recreates them whenever one changes, and leaks the
old ones: hundreds after a battle.  This is one widget, repainted when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, ClassVar, Final

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import App
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from thud.tui.actions import BY_ID
from thud.tui.deployment import deployment_of
from thud.tui.keys.keymap import key_name, keymap_of, keys_of
from thud.tui.widgets.appearance import settings_of

_ALWAYS: Final = 2
"""Most keys at the end that are always shown, after that of the card of keys."""
_ENDS: Final = {"help", "leave", "quit", "back", "step_out", "restore", "close", "dismiss"}
"""The actions of those keys: help, then the way back."""
_ROOMY: Final = 100
"""Fewest columns for a gap of two between keys."""
_FOR_FINGERS: Final = 3
"""Columns between keys on a touch screen."""


class BarEntry(Struct, frozen=True):
    """A key, its label, and its action."""

    key: str
    shown: str
    description: str
    enabled: bool = True
    ends: bool = False
    """Whether it stands at the end, as help and the way back do."""

    @property
    def width(self) -> int:
        """Its width in columns."""
        name = f"{self.shown} " if self.shown else ""
        return cell_len(name) + cell_len(self.description)


_MORE: Final = BarEntry("ctrl+p", "^P", "More")

_CARD: Final = "app.keys"
_EVERYWHERE: Final = {"app.palette": "More", _CARD: "Keys"}
"""What every screen has, by id: the palette is shown where there is room, the card always."""


def key_of(app: App[Any], action: str) -> str:
    """Return the name of an action's first key by its id, as remapped by the player."""
    return key_name(keys_of(BY_ID[action], keymap_of(app))[0], ascii_only=settings_of(app).ascii)


def entry_of(app: App[Any], action: str, label: str = "") -> BarEntry:
    """Return an action's entry by its id, as remapped by the player."""
    keys = keys_of(BY_ID[action], keymap_of(app))
    # Of several keys, prefer Space: it is nearest to the thumb.
    key = "space" if "space" in keys else keys[0]
    name = key_name(key, ascii_only=settings_of(app).ascii)
    row, called = BY_ID[action], label or deployment_of(app).label(action)
    return BarEntry(key, name, called, ends=row.name in _ENDS)


def laid_out(
    entries: tuple[BarEntry, ...],
    width: int,
    always: int = _ALWAYS,
    gap: int = 1,
) -> list[tuple[int, BarEntry]]:
    """Return the entries that fit, each with its column; the last ones are always included.

    Those are at the right end, and the gaps are constant: an entry that comes or goes moves neither
    the entries before it nor those at the end.  A single entry is at the left.

    >>> keys = BarEntry("u", "u", "Undo"), BarEntry("q", "q", "Quit"), BarEntry("f1", "F1", "Help")
    >>> [(x, entry.shown) for x, entry in laid_out(keys, 24)]
    [(0, 'u'), (10, 'q'), (17, 'F1')]
    >>> [(x, entry.shown) for x, entry in laid_out(keys, 18)]
    [(4, 'q'), (11, 'F1')]
    """
    if len(entries) == 1:
        return [(0, entries[0])]
    split = max(0, len(entries) - always)
    here, ends = entries[:split], entries[split:]
    right = width + gap - sum(entry.width + gap for entry in ends)

    def row(entries: Sequence[BarEntry], start: int) -> list[tuple[int, BarEntry]]:
        columns = accumulate((entry.width + gap for entry in entries), initial=start)
        return list(zip(columns, entries, strict=False))

    room = right
    fit: list[BarEntry] = []
    for entry in here:
        if entry.width + gap <= room:
            room -= entry.width + gap
            fit.append(entry)
    return row(fit, 0) + row(ends, right)


def _ending(entries: Sequence[BarEntry]) -> int:
    """Return how many of the last entries are always shown."""
    others = (number for number, each in enumerate(reversed(entries)) if not each.ends)
    return min(next(others, len(entries)), _ALWAYS)


class KeyBar(Widget):
    """The enabled keys of a screen; a click on one presses it.

    Args:
        only: returns entries that replace all others, if any.
        first: returns entries to show first.
        relabel: returns the labels of actions that are called otherwise for now.
    """

    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: 1;
        color: $footer-foreground;
        background: $footer-background;
        & > .key-bar--key { color: $footer-key-foreground; text-style: bold; }
        & > .key-bar--disabled { text-style: dim; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-bar--key", "key-bar--disabled"}

    ALLOW_SELECT = False

    def __init__(
        self,
        only: Callable[[], tuple[BarEntry, ...]] = tuple,
        first: Callable[[], tuple[BarEntry, ...]] = tuple,
        relabel: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        super().__init__()
        self._only, self._first, self._relabel = only, first, relabel
        self.auto_links = False
        self._entries: tuple[BarEntry, ...] = ()
        self._labels: Mapping[str, str] = {}
        """The labels of the deployment, by the actions' ids."""
        self._always = _ALWAYS
        """How many keys at the end are always shown."""
        self._more = False
        """Whether to show the palette's key, for players without a keyboard."""

    def on_mount(self) -> None:
        """Follow the screen's bindings."""
        deployment = deployment_of(self.app)
        self._labels = deployment.labels
        self._more = deployment.taps and not isinstance(self.screen, ModalScreen)
        self.screen.bindings_updated_signal.subscribe(self, self._follow, immediate=True)

    def _follow(self, screen: Screen[object]) -> None:
        if screen.app.app_focus:
            self.call_after_refresh(self.show_keys)

    def show_keys(self) -> None:
        """Show the keys of the screen as they are now, one for each action."""
        if not self.is_attached:
            return  # the screen has been removed meanwhile
        entries = self._only()
        further: dict[str, BarEntry] = {}
        if not entries:
            screen, relabelled, labels = self.screen, self._relabel(), self._labels
            ascii_only = settings_of(self.app).ascii
            # None dims a key, on screens where some wait for a turn.
            offers: Mapping[str, bool | None] = getattr(screen, "offers", {})
            found: dict[str, BarEntry] = {}
            everywhere = {} if self._more else _EVERYWHERE
            for _, binding, enabled, _ in screen.active_bindings.values():
                action = binding.action
                if enabled and (label := everywhere.get(name := str(binding.id))):
                    shown = key_name(binding.key, ascii_only=ascii_only)
                    further[name] = BarEntry(binding.key, shown.replace("Ctrl+P", "^P"), label)
                offered = offers.get(action, True)
                if not binding.show or offered is False or action in found:
                    continue
                shown = binding.key_display or key_name(binding.key, ascii_only=ascii_only)
                label = relabelled.get(action) or labels.get(str(binding.id), binding.description)
                name = action.partition("(")[0].rpartition(".")[2]
                shows = enabled and bool(offered)
                found[action] = BarEntry(binding.key, shown, label, shows, name in _ENDS)
            first = self._first()
            here = (*(each for each in first if not each.ends), *found.values())
            here += tuple(each for each in first if each.ends)
            entries = tuple(sorted(here, key=lambda each: each.ends))
            split = len(entries) - _ending(entries)
            also = (further[name] for name in _EVERYWHERE if name in further)
            entries = (*entries[:split], *also, *entries[split:])
        always = _ending(entries) + (_CARD in further)
        if self._more:
            entries, always = (*entries, _MORE), always + 1
        if getattr(self.app, "touched", False):  # fingers have no keys to press
            entries = tuple(
                BarEntry(each.key, "", each.description, each.enabled) for each in entries
            )
        if (entries, always) != (self._entries, self._always):
            self._entries, self._always = entries, always
            self.refresh()

    @property
    def _laid_out(self) -> list[tuple[int, BarEntry]]:
        gap = _FOR_FINGERS if self._for_fingers else 2 if self.size.width >= _ROOMY else 1
        return laid_out(self._entries, self.size.width, self._always, gap)

    @property
    def _for_fingers(self) -> bool:
        """Whether taps beside a key count, too."""
        return self.app.has_class("-upright")

    def render(self) -> Text:
        """Draw the keys that fit."""
        key = self.get_component_rich_style("key-bar--key", partial=True)
        disabled = self.get_component_rich_style("key-bar--disabled", partial=True)
        line = Text(no_wrap=True, end="")
        for column, entry in self._laid_out:
            line.append(" " * (column - line.cell_len))
            look = key if entry.enabled else key + disabled
            if entry.shown:
                line.append(f"{entry.shown} ", look)
                look = Style() if entry.enabled else disabled
            line.append(entry.description, look)
        return line

    def on_click(self, event: events.Click) -> None:
        """Press the clicked key."""
        event.stop()
        for column, entry in self._laid_out:
            end = column + entry.width + self._for_fingers
            if column - self._for_fingers <= event.x < end and entry.enabled:
                self.app.simulate_key(entry.key)
                return
