"""A list of matches that are kept, to choose one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text
from textual.widgets.option_list import Option

from thud.records.summary import Summary
from thud.rules.handicaps import in_short
from thud.tui.looks.phrases import points
from thud.tui.widgets.list_screen import ListScreen


def match_list(title: str, matches: Sequence[Summary], without: str) -> ListScreen:
    """List matches, the latest first; the answer is the id of one, or None.

    Args:
        title: what is to be chosen.
        matches: those that there are.
        without: what to say if there is none.
    """
    return ListScreen(title, [Option(_line(each), id=each.id) for each in matches], without)


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
    cells = f"{match.saved:%d %b %H:%M}", match.variant.short, players, place
    # As plain strings, names in brackets would be taken for markup.
    line.add_row(*map(Text, cells))
    return line
