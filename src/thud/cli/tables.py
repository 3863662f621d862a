"""The tables of matches and puzzles."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, chop_cells

from thud.cli.progress import Bar
from thud.exercises.puzzles.themes import THEMES
from thud.records.store import Listing, Store, UnreadableFile
from thud.records.summary import Summary, filtered, totals
from thud.records.words import addressed_in_list
from thud.rules.variant import Variant
from thud.strength.people import Strength, person, strengths_in
from thud.terminal.streams import report
from thud.words.match import handicap_in_short

if TYPE_CHECKING:
    from thud.exercises.puzzles.puzzle import Puzzle
    from thud.exercises.puzzles.score import PuzzleScore

_BETWEEN: Final = "  "
_NAMES: Final = ("player", "players", "winner", "name")
"""Columns that are wrapped where the terminal is too narrow, to no less than `_NARROWEST`."""

_NARROWEST: Final = 14
_MANY: Final = 200
"""Matches to be read that take long enough for a bar."""

_BOLD: Final = "\x1b[1m{}\x1b[0m"


class AlignedTable:
    """Lines of aligned cells: Rich's tables take a millisecond for each.

    Args:
        headings: the columns' headings.
    """

    def __init__(self, *headings: str) -> None:
        self._headings = headings
        self.rows: list[Sequence[str]] = []

    def add_row(self, *cells: str) -> None:
        """Add a line."""
        self.rows.append(cells)

    def print(self) -> None:
        """Print it, wrapping names where a terminal is too narrow."""
        at_terminal = sys.stdout.isatty()
        room = None
        if at_terminal:
            import shutil  # it takes a while to load

            room = shutil.get_terminal_size().columns
        heading, *lines = self._lines(room)
        bold = at_terminal and sys.platform != "win32" and os.environ.get("TERM") != "dumb"
        print(_BOLD.format(heading) if bold else heading)
        print("\n".join(lines))

    def _lines(self, room: int | None) -> Iterator[str]:
        """Yield the lines, for so many columns of a terminal."""
        columns = [_Column(cells) for cells in zip(self._headings, *self.rows, strict=True)]
        widths = self._narrowed([column.width for column in columns], room or sys.maxsize)
        padded = [column.padded(width) for column, width in zip(columns, widths, strict=True)]
        line = _BETWEEN.join(pattern for pattern, _ in padded)
        long = {
            row
            for column, width in zip(columns, widths, strict=True)
            for row in column.longer(width)
        }
        for row, cells in enumerate(zip(*(cells for _, cells in padded), strict=True)):
            if row in long:
                yield from _wrapped([column.cells[row] for column in columns], widths)
            else:
                yield (line % cells).rstrip()

    def _narrowed(self, widths: Sequence[int], room: int) -> list[int]:
        """Return the columns' widths, where the columns of names make room for the others."""
        excess = sum(widths) + len(_BETWEEN) * (len(widths) - 1) - room
        narrowed = []
        for width, heading in zip(widths, self._headings, strict=True):
            least = _NARROWEST if heading in _NAMES else width
            narrowed.append(max(min(width, least), width - max(0, excess)))
            excess -= width - narrowed[-1]
        return narrowed


class _Column:
    """A column of cells, and its width."""

    def __init__(self, cells: Sequence[str]) -> None:
        self.cells = cells
        text = "".join(cells)
        self._narrow = text.isascii() or all(cell_len(each) == 1 for each in set(text))
        self._len = len if self._narrow else cell_len
        self.width = max(map(self._len, cells))

    def padded(self, width: int) -> tuple[str, Sequence[str]]:
        """Return a pattern and what to put there, so that each cell is padded to a width."""
        if self._narrow:
            return f"%-{width}s", self.cells
        return "%s", [cell + " " * (width - cell_len(cell)) for cell in self.cells]

    def longer(self, width: int) -> list[int]:
        """Return the rows whose cells are longer than a width."""
        if self.width <= width:
            return []
        return [row for row, cell in enumerate(self.cells) if self._len(cell) > width]


def _wrapped(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a row with cells that are too long."""
    columns = [list(_broken(*each)) for each in zip(cells, widths, strict=True)]
    for line in zip_longest(*columns, fillvalue=""):
        padded = (
            cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)
        )
        yield _BETWEEN.join(padded).rstrip()


def _broken(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text of bounded width, broken between words where that is possible."""
    line = ""
    for word in text.split(" ") if cell_len(text) > width else (text,):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) > width:
            if line:
                yield line
            *full, longer = chop_cells(word, width)
            yield from full
        line = longer
    yield line


def print_unfinished(store: Store) -> None:
    """Print the unfinished matches, the latest first."""
    table = AlignedTable("id", "saved", "game", "players", "battle", "turn", "score")
    listing = _listing(store)
    for each in map(addressed_in_list, listing.unfinished):
        table.add_row(
            each.id,
            f"{each.saved:%d %b %H:%M}",
            _game(each),
            _players(each),
            f"{each.battle}",
            f"{each.turn or 'over'}",
            _score(each),
        )
    _print(table, "No unfinished matches.")
    _tell(listing.broken)


def print_history(store: Store, name: str | None, variant: Variant | None) -> None:
    """Print the finished matches, filtered by player and variant, and the players' totals.

    The players' strengths are computed from all their matches.
    """
    listing = _listing(store)
    found = filtered(listing.finished, name, variant)
    table = AlignedTable("id", "date", "game", "players", "score", "winner")
    shown = list(map(addressed_in_list, found))
    for each in shown:
        winner = each.winner
        who = "drawn" if winner is None else each.players[winner]
        table.add_row(each.id, each.date, _game(each), _players(each), _score(each), who)
    nothing = "No finished matches yet."
    _print(table, "No such finished match." if listing.finished else nothing)
    if found:
        print()
        players = AlignedTable("player", "played", "won", "drawn", "lost", "points", "against")
        for who, total in totals([each for each in shown if not each.looked_on]).items():
            players.add_row(who, *(f"{number:g}" for number in total))
        players.print()
        _print_strengths(found, shown, strengths_in(store, listing.finished))
    _tell(listing.broken)


def _listing(store: Store) -> Listing:
    """List the matches, with a bar if many have to be read."""
    gc.disable()  # many small values, of which none are garbage
    with ExitStack() as open_bar:
        unread, bar = 0, None

        def told(done: int, files: int) -> None:
            nonlocal unread, bar
            unread += 1
            if unread == _MANY:
                bar = open_bar.enter_context(Bar("reading", files))
            if bar:
                bar.reach(done)

        return store.listing(told)


def print_puzzles(puzzles: Sequence[Puzzle], score: PuzzleScore) -> None:
    """Print puzzles with how each was solved, and what those are about."""
    table = AlignedTable("puzzle", "how hard", "theme", "solved")
    done = {each.id: "first try" if each.effort.clean else "with help" for each in score.solved}
    done |= {each.id: "shown" for each in score.solved if each.effort.shown}
    for puzzle in puzzles:
        solved = done.get(puzzle.id, "")
        table.add_row(puzzle.id, puzzle.band, THEMES[puzzle.theme] if solved else "", solved)
    _print(table, "No such puzzle.")


def _print_strengths(
    found: list[Summary], shown: list[Summary], known: dict[str, Strength]
) -> None:
    """Print the strength of each rated player, if any; `shown` are the matches as displayed."""
    players = {
        (summary.players, displayed.players)
        for summary, displayed in zip(found, shown, strict=True)
    }
    names = {
        person(name): as_shown
        for own, displayed in players
        for name, as_shown in zip(own, displayed, strict=True)
    }
    table = AlignedTable("player", "rated matches", "rating")
    for key in sorted(names.keys() & known):
        table.add_row(names[key], f"{known[key].matches}", f"{known[key]}")
    if table.rows:
        print()
        table.print()


def _game(summary: Summary) -> str:
    """Return the game with its handicap, if any: `"classic, Ann gives 2"`."""
    name = summary.variant.name
    handicap = summary.handicap if summary.starts else None
    return f"{name}, {handicap_in_short(summary.players, handicap)}" if handicap else name


def _players(summary: Summary) -> str:
    one, other = summary.players
    players = f"{one} – {other}"
    return f"watched: {players}" if summary.looked_on else players


def _score(summary: Summary) -> str:
    """Return both players' points in the finished battles."""
    one, other = summary.tally
    return f"{one:g} : {other:g}"


def _print(table: AlignedTable, instead: str) -> None:
    if table.rows:
        table.print()
    else:
        print(instead)


def _tell(files: list[UnreadableFile]) -> None:
    for broken in files:
        report(f"thud: {broken.path} is skipped: {broken.reason}", sys.stderr)
