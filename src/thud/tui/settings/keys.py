"""The page of all keys: what each does, by screen, and the way to change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from thud.settings.values import Settings
from thud.text import capitalised, joined, plural, stopped
from thud.tui.actions import BY_ID, GROUPS, TOGETHER, Action, bindings
from thud.tui.deployment import deployment_of
from thud.tui.dialog_fixes import FixedModalScreen, TextLine
from thud.tui.keys.bar import BarEntry, KeyBar
from thud.tui.keys.keymap import exchanged, key_name, keymap, why_not
from thud.tui.looks.fitted import fitted, fitted_path
from thud.tui.screens import ThudScreen
from thud.tui.settings.screen import from_home
from thud.tui.textual_fixes import OrderedScreen
from thud.tui.widgets.marked_list import MarkedList
from thud.tui.widgets.match_line import match_line

_DOES: Final = 32
"""Columns for what a key does."""
_KEYS: Final = 25
"""Columns for the keys."""
_BESIDE: Final = 9
"""Columns of a row besides its texts."""
_WIDE: Final = 100
"""Fewest columns for what each action means."""
_ESCAPE: Final = BarEntry("escape", "Esc", "Leave it")
_FINDING: Final = (
    BarEntry("enter", "Enter", "To the actions found"),
    BarEntry("escape", "Esc", "Show all", ends=True),
)
"""The footer of the search."""
_EXCHANGE: Final = BarEntry("enter", "Enter", "Exchange them")
_YES: Final = BarEntry("y", "y", "Yes, all of them")


class _KeyList(MarkedList):
    """The actions, a row each; Enter changes a key before the next key is handled."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("key")

    def bring_up(self, place: int) -> None:
        """Scroll so that an action is the second line, below its heading."""
        self.scroll_to(y=self._index_to_line.get(place, 1) - 1, animate=False)


class KeysScreen(FixedModalScreen[None], ThudScreen, OrderedScreen):
    """Every action by screen, with its keys; those chosen by the player are marked.

    Args:
        settings: the current settings.
        change: gives actions other keys, or their usual ones; says later whether they are saved.
        file: the settings file; without one, keys are only shown.
        group: the group of actions to show first, those on the same screens next.
    """

    begun = True

    BINDINGS: ClassVar[list[BindingType]] = bindings("keys")

    DEFAULT_CSS = """
    KeysScreen {
        background: $surface;
        #head { height: 1; padding: 0 1; }
        #title { width: 1fr; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
        #changed { width: auto; color: $foreground-muted; }
        #find { height: 1; padding: 0 1; display: none; }
        #find Static { width: auto; }
        #find TextLine { width: 1fr; }
        OptionList { height: 1fr; border: none; background: $surface; }
        OptionList:focus { border: none; }
        #about { height: 2; padding: 0 1; background: $panel; }
        &.-asking #about { text-style: bold; background: $primary; color: $text; }
        & > .keys--key { color: $footer-key-foreground; text-style: bold; }
        & > .keys--heading { color: $primary; text-style: bold; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys--key", "keys--heading"}

    def __init__(
        self,
        settings: Settings,
        change: Callable[[Mapping[str, tuple[str, ...] | None]], Worker[bool]],
        file: Path | None,
        group: str,
    ) -> None:
        super().__init__()
        self._take(settings)
        self._change_keys = change
        self._file = from_home(file) if file else ""
        self._groups = _in_order(group)
        self._asks: Callable[[str], None] | None = None
        """What to do with the next key, while one is asked for."""
        self._entries: tuple[BarEntry, ...] = ()
        """The footer meanwhile."""
        self._told_of: Action | None = None
        self._wanted = ""
        self._listed = _KeyList()
        self._line = TextLine(compact=True, max_length=40, placeholder="a word, or a key such as u")

    def compose(self) -> ComposeResult:
        """Lay out the actions below their title, above what is said of the highlighted one."""
        yield from match_line(self)
        with Horizontal(id="head"):
            yield Static(id="title", markup=False)
            yield Static(id="changed", markup=False)
        with Horizontal(id="find"):
            yield Static("Find: ")
            yield self._line
        yield self._listed
        yield Static(id="about", markup=False)
        yield KeyBar(self._footer)

    def on_mount(self) -> None:
        """Begin with the keys of the screen below."""
        self._list()
        self.set_focus(self._listed)

    def _footer(self) -> tuple[BarEntry, ...]:
        """Return the footer while a key or a word is asked for."""
        return self._entries if self._asks else () if self.in_order else _FINDING

    def on_resize(self, event: events.Resize) -> None:
        """Say more where there is room."""
        self._write(*self._shown)
        self._tell()

    def apply_settings(self, settings: Settings) -> None:
        """Show the keys as they are now."""
        before = self._own
        self._take(settings)
        names = [each for each in before | self._own if before.get(each) != self._own.get(each)]
        self._write(*(BY_ID[each] for each in names))
        self._count()
        self._tell()

    def _take(self, settings: Settings) -> None:
        """Take the settings; of the keys in the file, those that are wrong do not hold."""
        self._settings, (_, self._wrong) = settings, keymap(settings.keys)
        self._own = {name: k for name, k in settings.keys.items() if name not in self._wrong}

    @property
    def in_order(self) -> bool:
        """Whether keys are the page's: a line of text handles its own."""
        return not isinstance(self.focused, Input)

    @property
    def _chosen(self) -> Action | None:
        place = self._listed.highlighted
        return None if place is None else BY_ID[str(self._listed.get_option_at_index(place).id)]

    def _keys_of(self, action: Action) -> tuple[str, ...]:
        return self._own.get(action.id) or _usual(action)

    def _named(self, keys: tuple[str, ...]) -> list[str]:
        return [key_name(each, ascii_only=self._settings.ascii) for each in keys]

    def _does(self, action: Action) -> str:
        """Say what an action does, as the card of keys does, but for the key that closes it."""
        if action.id == "app.keys":
            return action.meaning
        return capitalised(action.card or deployment_of(self.app).label(action.id))

    def _placed(self, action: Action) -> str:
        """Return what an action does with its screen."""
        return f"{self._does(action)} {GROUPS[_group(action)]}"

    # Showing

    def _list(self) -> None:
        """List what fits the search, as things are now; the same row stays highlighted."""
        chosen = self._chosen
        options = [*self._options()]
        self._listed.clear_options().add_options(options)
        ids = [each.id for each in options]
        if ids:
            there = chosen is not None and chosen.id in ids
            self._listed.highlighted = ids.index(chosen.id) if chosen and there else 1
        self._count()
        self._tell()

    def _count(self) -> None:
        number = len(self._own)
        told = f"{number} changed (*)   " if number else ""
        self.query_one("#changed", Static).update(f"{told}/ finds a word or a key")

    def _options(self) -> Iterator[Option]:
        heading, first = self.get_component_rich_style("keys--heading", partial=True), True
        allows = deployment_of(self.app).allows
        fitting = [each for each in BY_ID.values() if allows(each.runs) and self._fits(each)]
        for group in self._groups:
            if fit := [each for each in fitting if _group(each) == group]:
                above = "" if first else "\n"
                yield Option(Text(f"{above}{capitalised(GROUPS[group])}", heading), disabled=True)
                first = False
                for action in fit:
                    yield Option(self._row(action), id=action.id)

    def _fits(self, action: Action) -> bool:
        """Whether an action is one of those looked for; one character is a key."""
        wanted, names = self._wanted, self._named(self._keys_of(action))
        if len(wanted) < 2:
            return not wanted or wanted in names
        does = self._does(action)
        told = (does, action.label, action.meaning, action.id, GROUPS[_group(action)])
        return any(wanted.lower() in each.lower() for each in (*told, *names))

    def _row(self, action: Action) -> Text:
        """Return the row of an action; where it is highlighted, the keys' colour is not legible."""
        here = action is self._chosen
        key = "bold" if here else self.get_component_rich_style("keys--key", partial=True)
        own, does = self._own.get(action.id), self._does(action)
        told = f"usually {' '.join(self._named(_usual(action)))}" if own else action.meaning
        room = self.size.width - _DOES - _KEYS - _BESIDE
        return Text.assemble(
            ("* " if own else "  ", key),
            f"{does:{_DOES}}",
            (f"{' '.join(self._named(self._keys_of(action))):{_KEYS}}", key),
            (fitted(told, room) if own or self.size.width >= _WIDE else "", "" if here else "dim"),
            no_wrap=True,
            overflow="ellipsis",
        )

    def _write(self, *actions: Action | None) -> None:
        shown = self._shown
        for action in actions:
            if action in shown:
                self._listed.replace_option_prompt(action.id, self._row(action))

    @on(OptionList.OptionHighlighted)
    def _follow(self) -> None:
        """Tell of another action; what was said of the same one stays."""
        if self._chosen is not self._told_of:
            self._tell()

    def _tell(self, said: str = "") -> None:
        """Say something, or what the highlighted action is for and called in the file."""
        before, action = self._told_of, self._chosen
        self._told_of = action
        if before is not action:
            self._write(before, action)
        about = self.query_one("#about", Static)
        self.set_class(self._asks is not None, "-asking")
        self.refresh_bindings()
        if action is None:
            self.query_one("#title", Static).update("All keys")
            about.update(said or "No action has that word or that key.")
            return
        self.query_one("#title", Static).update(f"All keys: {GROUPS[_group(action)]}")
        told = action.meaning or f"{self._does(action)}, {GROUPS[_group(action)]}"
        if action.id in self._wrong:
            told = f"The file has other keys, which do not hold: {self._wrong[action.id]}"
        lines = [stopped(told)]
        if self._file:
            lines.append(self._in_file(f"In the file: {action.id}, in [keys] of "))
        about.update(said or "\n".join(lines))

    def _in_file(self, said: str) -> str:
        """Say something of the settings file, on one line."""
        return said + fitted_path(self._file, self.size.width - len(said) - 2)

    # Changing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something now: few in the search, none that changes without a file."""
        if action in ("change", "add", "reset", "reset_all") and not self._file:
            return False
        return self.in_order or action in ("back", "turn", "to_list")

    def _ask(self, said: str, then: Callable[[str], None], *entries: BarEntry) -> None:
        """Ask for a key, and say what it is for; Escape takes none."""
        self._asks, self._entries = then, (*entries, _ESCAPE)
        self._tell(said)

    def take_any_key(self, key: str) -> bool:
        """Take the key asked for."""
        if not (then := self._asks):
            return False
        self._asks = None
        if key == "escape":
            self._tell()
        else:
            then(key)
        return True

    def on_screen_suspend(self) -> None:
        """Ask for no key any more below another screen, as the palette."""
        if self._asks:
            self._asks = None
            self._tell()

    def _change(self, action: Action, keys: tuple[str, ...]) -> None:
        """Give an action other keys, or say why that is impossible."""
        own = None if keys == _usual(action) else keys
        if because := why_not(self._settings.keys, action.id, own):
            if len(keys) > 1 or not self._offer_exchange(action, keys[0]):
                self._tell(f"Not changed: {because}.")
            return
        named, number = joined(self._named(keys)), len(keys)
        which = f"{named} {'is' if number == 1 else 'are'} {'now' if own else 'again'}"
        does = f"the {plural(number, 'key')} for {self._does(action)}"
        self._save({action.id: own}, f"{which} {does}.")

    def _save(self, changed: Mapping[str, tuple[str, ...] | None], told: str) -> None:
        """Give actions other keys, and say so and, once it is known, whether they are saved."""
        saving = self._change_keys(changed)
        self._tell(told)
        self._tell_saved(told, saving)

    @work(group="saving", exclusive=True)
    async def _tell_saved(self, told: str, saving: Worker[bool]) -> None:
        saved = await saving.wait()
        if self.query_one("#about", Static).content == told:  # else another action is looked at
            self._tell(f"{told}\n{self._in_file('Saved in ' if saved else 'Not saved in ')}")

    def _offer_exchange(self, action: Action, key: str) -> bool:
        """Offer to exchange an action's key for that of others; return whether that is possible."""
        changed = exchanged(self._settings.keys, action.id, key)
        if not changed:
            return False
        (named, instead), others = self._named((key, self._keys_of(action)[0])), [*changed][1:]
        labels = joined([self._does(BY_ID[each]) for each in others])

        def take(pressed: str) -> None:
            if pressed != "enter":
                self._tell()
                return
            usual = {each: _usual(BY_ID[each]) for each in changed}
            own = {n: None if k == usual[n] else k for n, k in changed.items()}
            told = f"{named} is now the key for {self._does(action)}, {instead} for {labels}."
            self._save(own, told)

        asked = f"{named} is already a key for {labels}.\n"
        self._ask(f"{asked}Enter exchanges them: {labels} gets {instead}.", take, _EXCHANGE)
        return True

    @on(OptionList.OptionSelected)
    def _change_clicked(self) -> None:
        self.action_change()

    def action_change(self, *, adds: bool = False) -> None:
        """Ask for a key in place of those of the highlighted action."""
        if self._file and (action := self._chosen):
            now, which = self._keys_of(action), "another key" if adds else "the new key"

            def take(key: str) -> None:
                self._change(action, tuple(dict.fromkeys((*(now if adds else ()), key))))

            named = joined(self._named(now))
            leaves = f"Esc leaves it at {named}."
            if len(now) > 1 and not adds:
                leaves = f"It replaces {named}; Esc leaves them."
            self._ask(f"Press {which} for {self._does(action)}.\n{leaves}", take)

    def action_add(self) -> None:
        """Ask for one more key for the highlighted action."""
        self.action_change(adds=True)

    def action_reset(self) -> None:
        """Give the highlighted action its usual keys."""
        if action := self._chosen:
            if action.id in self._settings.keys:
                self._change(action, _usual(action))
            else:
                self._tell(f"{self._does(action)} has its usual keys.")

    def action_reset_all(self) -> None:
        """Give every action its usual keys, once that is confirmed."""
        changed = self._settings.keys
        if not changed:
            self._tell("Every action has its usual keys.")
            return

        def take(key: str) -> None:
            if key == "y":
                self._save(dict.fromkeys(changed), "Every action has its usual keys again.")
            else:
                self._tell()

        labels = (self._placed(BY_ID[each]) if each in BY_ID else each for each in changed)
        named = fitted(f"Changed: {', '.join(labels)}", self.size.width - 2)
        self._ask(f"Give every action its usual keys again?\n{named}", take, _YES)

    # Finding

    def action_turn(self, by: int) -> None:
        """Go to the keys of the next or previous screen."""
        groups = list(dict.fromkeys(map(_group, self._shown)))
        if groups and self._chosen:
            self._go_to(groups[(groups.index(_group(self._chosen)) + by) % len(groups)])
            self.set_focus(self._listed)

    @property
    def _shown(self) -> list[Action]:
        return [BY_ID[each.id] for each in self._listed.options if each.id]

    def _go_to(self, group: str) -> None:
        """Highlight the first action of a group, and show its heading above it."""
        first = next((each.id for each in self._shown if _group(each) == group), None)
        if first:
            place = self._listed.get_option_index(first)
            self._listed.highlighted = place
            self.call_after_refresh(self._listed.bring_up, place)

    def action_find(self) -> None:
        """Look for an action by words or by its key."""
        self.query_one("#find").display = True
        self.set_focus(self._line)

    @on(Input.Changed)
    def _look(self, event: Input.Changed) -> None:
        if (wanted := event.value.strip()) != self._wanted:
            self._wanted = wanted
            self._list()

    @on(Input.Submitted)
    def action_to_list(self) -> None:
        """Go from the search to what it found, if there is any."""
        if self._chosen:
            self.set_focus(self._listed)

    def action_back(self) -> None:
        """Show all keys again, or go back to where one came from."""
        if not self.query_one("#find").display:
            self.dismiss(None)
            return
        self._line.value = ""
        self.query_one("#find").display = False
        self.set_focus(self._listed)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the keys of what is focused."""
        self.refresh_bindings()


def _group(action: Action) -> str:
    return action.id.partition(".")[0]


def _in_order(first: str) -> list[str]:
    """Return the groups of actions: the first one, those on the same screens, all others."""
    screens = [[_group(each) for each in context if each.id] for context in TOGETHER]
    beside = [each for screen in screens if first in screen for each in screen]
    return [each for each in dict.fromkeys((first, *beside, *GROUPS)) if each]


def _usual(action: Action) -> tuple[str, ...]:
    return tuple(action.keys.split(","))
