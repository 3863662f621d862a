"""The tables that `thud resume --list` and `thud history` print."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from thud.records.history import filtered, totals
from thud.records.store import Store
from thud.records.summary import Summary
from thud.rules.variant import Variant


def print_unfinished(store: Store) -> None:
    """Print the matches that can be played on, the latest first."""
    table = Table("id", "saved", "game", "players", "battle", "move", "score", box=None)
    for each in store.unfinished():
        table.add_row(
            each.id,
            f"{each.saved:%Y-%m-%d %H:%M}",
            each.variant.name,
            _players(each),
            f"{each.battle} of 2",
            str(each.turn),
            _score(each),
        )
    _print(table, "There is no unfinished match.")
    _tell_broken(store)


def print_history(store: Store, name: str | None, variant: Variant | None) -> None:
    """Print the finished matches of a player and a variant, or all, and the players' totals."""
    found = filtered(store.finished(), name, variant)
    table = Table("id", "date", "game", "players", "score", "winner", box=None)
    for each in found:
        winner = "drawn" if each.winner is None else each.players[each.winner]
        table.add_row(each.id, each.date, each.variant.name, _players(each), _score(each), winner)
    _print(table, "There is no such finished match.")
    if found:
        print()
        _print(_totals(found), "")
    _tell_broken(store)


def _totals(found: list[Summary]) -> Table:
    table = Table("player", "played", "won", "drawn", "lost", "points", "against", box=None)
    for name, total in totals(found).items():
        table.add_row(name, *(f"{number:g}" for number in total))
    return table


def _players(summary: Summary) -> str:
    return " – ".join(summary.players)


def _score(summary: Summary) -> str:
    """Return the points so far, and what counts in the battle that goes on."""
    sums = " : ".join(f"{points:g}" for points in summary.tally)
    return "; ".join((sums, *(f"{label} {value}" for label, value in summary.progress)))


def _print(table: Table, instead: str) -> None:
    """Print a table as plain text where nobody looks at it, never cut short."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not table.row_count:
        print(instead)
        return
    console.print(table, soft_wrap=not console.is_terminal, crop=False)


def _tell_broken(store: Store) -> None:
    for broken in store.broken():
        print(f"thud: {broken.path} is passed over: {broken.reason}", file=sys.stderr)
