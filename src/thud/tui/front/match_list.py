"""A list of matches that are kept, to choose one, or to delete some."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.binding import BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from thud.records.store import Discarded, Store
from thud.records.summary import Summary
from thud.rules.handicaps import in_short
from thud.rules.reasons import capital
from thud.tui.keys.bindings import MATCH_LIST_KEYS
from thud.tui.looks.phrases import points
from thud.tui.widgets.list_screen import ListScreen


class MatchList(ListScreen):
    """Lists matches, the latest first; the answer is the id of one, or None.

    Args:
        title: what is to be chosen.
        matches: those that there are.
        without: what to say if there is none.
        store: where they are kept.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*MATCH_LIST_KEYS]

    def __init__(self, title: str, matches: Sequence[Summary], without: str, store: Store) -> None:
        super().__init__(title, [Option(_line(each), id=each.id) for each in matches], without)
        self._matches = {each.id: each for each in matches}
        self._store = store
        self._asked: str | None = None
        self._deleted: list[tuple[Discarded, int]] = []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        possible = {
            "delete": self._asked is None and self._chosen_id is not None,
            "confirm": self._asked is not None,
            "keep": self._asked is not None,
            "undo": self._asked is None and bool(self._deleted),
        }
        return possible.get(action, True)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    @property
    def _chosen_id(self) -> str | None:
        place = self._list.highlighted if self.is_mounted else None
        return None if place is None else self._list.get_option_at_index(place).id

    @property
    def may_choose(self) -> bool:
        """Whether what is chosen now is the answer: not while a match is about to be deleted."""
        return self._asked is None

    def say(self, text: str) -> None:
        """Say something above the list."""
        self.query_one("#said", Static).update(text)
        self.refresh_bindings()

    def _say_title(self, said: str = "") -> None:
        self._asked = None
        self.say(said or (self._title if self._list.option_count else self._without))

    def action_delete(self) -> None:
        """Ask whether to delete the match that is chosen."""
        if name := self._chosen_id:
            self._asked = name
            players = " – ".join(self._matches[name].players)
            self.say(f"Delete the match of {players}? y deletes it, n keeps it.")

    def action_keep(self) -> None:
        """Delete nothing."""
        self._say_title()

    async def action_confirm(self) -> None:
        """Delete the match that was asked about."""
        name, self._asked = self._asked, None
        if name is None:
            return
        try:
            discarded = await asyncio.to_thread(self._store.discard, name)
        except ValueError as error:
            self._say_title(f"{capital(str(error))}.")
            return
        place = self._list.get_option_index(name)
        self._deleted.append((discarded, place))
        self._list.remove_option(name)
        if self._list.option_count:
            self._list.highlighted = min(place, self._list.option_count - 1)
        self._say_title("The match is deleted; u brings it back.")

    async def action_undo(self) -> None:
        """Bring back the match that was deleted last."""
        discarded, place = self._deleted[-1]
        try:
            await asyncio.to_thread(self._store.put_back, discarded)
        except ValueError as error:
            self._say_title(f"{capital(str(error))}.")
            return
        self._deleted.pop()
        self._bring_back(self._matches[discarded.id], place)
        self._say_title("The match is back.")

    def _bring_back(self, match: Summary, place: int) -> None:
        there = [str(option.id) for option in self._list.options]
        there.insert(place, match.id)
        self._list.clear_options()
        self._list.add_options([Option(_line(self._matches[name]), id=name) for name in there])
        self._list.highlighted = place


def _line(match: Summary) -> Table:
    """Return what there is to say of a match: when, what, who, how it stands or ended."""
    line = Table.grid(padding=(0, 2), expand=True)
    for width in (12, 15):
        line.add_column(width=width, no_wrap=True)
    line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    line.add_column(justify="right", no_wrap=True)
    score = " : ".join(map(points, match.tally))
    place = score if match.over else f"battle {match.battle}, turn {match.turn}"
    players = " – ".join(match.players)
    if match.handicap:
        players = f"{players}, {in_short(match.players, match.handicap)}"
    if match.looked_on:
        players = f"looked on: {players}"
    cells = f"{match.saved:%d %b %H:%M}", match.variant.short, players, place
    # As plain strings, names in brackets would be taken for markup.
    line.add_row(*map(Text, cells))
    return line
