"""The tables of matches, puzzles and visitors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table

from thud.puzzles.puzzle import Puzzle
from thud.puzzles.score import PuzzleScore, in_words
from thud.records.store import Broken, Store
from thud.records.summary import Summary, filtered, totals
from thud.rules.variant import Variant
from thud.strength.people import Strength, person, strengths_in
from thud.wording.records import addressed_in_list
from thud.wording.standing import handicap_in_short

if TYPE_CHECKING:
    from thud.club.storage import Known

_ID_WIDTH: Final = 20
_PLAYERS_WIDTH: Final = 14
_WIDE: Final = 400


def print_unfinished(store: Store) -> None:
    """Print the unfinished matches, the latest first."""
    table = _table("id", "saved", "game", "players", "battle", "turn", "score")
    listing = store.listing()
    for each in map(addressed_in_list, listing.unfinished):
        table.add_row(
            each.id,
            f"{each.saved:%d %b %H:%M}",
            _game(each),
            _players(each),
            f"{each.battle}",
            f"{each.turn}",
            _score(each),
        )
    _print(table, "No unfinished matches.")
    _tell(listing.broken)


def print_history(store: Store, name: str | None, variant: Variant | None) -> None:
    """Print the finished matches, filtered by player and variant, and the players' totals.

    The players' strengths are computed from all their matches.
    """
    listing = store.listing()
    found = filtered(listing.finished, name, variant)
    table = _table("id", "date", "game", "players", "score", "winner")
    shown = list(map(addressed_in_list, found))
    for each in shown:
        winner = "drawn" if each.winner is None else each.players[each.winner]
        table.add_row(each.id, each.date, _game(each), _players(each), _score(each), winner)
    nothing = "No finished matches yet."
    _print(table, "No such finished match." if listing.finished else nothing)
    if found:
        print()
        _print(_totals([each for each in shown if not each.looked_on]), "")
        _print_strengths(found, shown, strengths_in(store, listing.finished))
    _tell(listing.broken)


def print_puzzles(puzzles: Sequence[Puzzle], score: PuzzleScore) -> None:
    """Print puzzles with how each was solved, and the score."""
    table = _table("puzzle", "how hard", "theme", "solved")
    done = {each.id: "first try" if each.clean else "with help" for each in score.solved}
    done |= {each.id: "shown" for each in score.solved if each.shown}
    for puzzle in puzzles:
        solved = done.get(puzzle.id, "")
        table.add_row(puzzle.id, puzzle.band, puzzle.theme, solved)
    _print(table, "No such puzzle.")
    print(f"\n{in_words(score)}")


def print_visitors(known: Sequence[Known]) -> None:
    """Print the visitors of a club."""
    table = _table("id", "name", "here last", "matches", "seats")
    for each in known:
        here = f"{datetime.fromtimestamp(each.last):%d %b %H:%M}"
        name = each.name or "no name yet"
        table.add_row(each.id[:8], name, here, f"{each.matches}", f"{each.seats}")
    _print(table, "No visitors yet.")


def _totals(found: list[Summary]) -> Table:
    table = _table("player", "played", "won", "drawn", "lost", "points", "against")
    for name, total in totals(found).items():
        table.add_row(name, *(f"{number:g}" for number in total))
    return table


def _print_strengths(
    found: list[Summary], shown: list[Summary], known: dict[str, Strength]
) -> None:
    """Print the strength of each rated player, if any; `shown` are the matches as displayed."""
    names = {
        person(name): as_shown
        for summary, displayed in zip(found, shown, strict=True)
        for name, as_shown in zip(summary.players, displayed.players, strict=True)
    }
    table = _table("player", "rated matches", "strength")
    for key in sorted(names.keys() & known):
        table.add_row(names[key], f"{known[key].matches}", f"{known[key]}")
    if table.row_count:
        print()
        _print(table, "")


def _game(summary: Summary) -> str:
    """Return the game with its handicap, if any: `"classic, 2 by Ann"`."""
    handicap, name = summary.handicap, summary.variant.name
    return f"{name}, {handicap_in_short(summary.players, handicap)}" if handicap else name


def _players(summary: Summary) -> str:
    players = " – ".join(summary.players)
    return f"watched: {players}" if summary.looked_on else players


def _score(summary: Summary) -> str:
    """Return both players' points in the finished battles."""
    return " : ".join(f"{points:g}" for points in summary.tally)


def _table(first: str, *others: str) -> Table:
    """Return a table whose first column is never wrapped."""
    table = Table(box=None, pad_edge=False)
    table.add_column(first, no_wrap=True, min_width=_ID_WIDTH if first == "id" else None)
    for heading in others:
        least = _PLAYERS_WIDTH if heading == "players" else None
        table.add_column(heading, no_wrap=heading != "players", min_width=least)
    return table


def _print(table: Table, instead: str) -> None:
    """Print a table, at full width if the output is not a terminal."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDE
    if not table.row_count:
        print(instead)
        return
    console.print(table)


def _tell(files: list[Broken]) -> None:
    for broken in files:
        print(f"thud: {broken.path} is skipped: {broken.reason}", file=sys.stderr)
