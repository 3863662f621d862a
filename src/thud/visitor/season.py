"""A club's season, everybody against everybody: the messages, and what is said of it.

The keeper works the standing out.  The board, the lines of text and the owner's command show it in
the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from msgspec import Meta
from rich.cells import cell_len

from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.session.participants import LONGEST_GIVEN_NAME
from thud.text import counted, joined, plural
from thud.visitor.message import Message
from thud.visitor.profile import clean
from thud.words.clocks import in_short
from thud.words.match import figure

MOST_PLAYERS: Final = 40
"""Most players of a season."""

FEWEST_PLAYERS: Final = 3
"""Fewest players: until so many have joined, joining does not end."""

TABLES_EACH: Final = 2
"""How many tables of a player are open at a time."""

Tally: TypeAlias = tuple[float, float]
"""A player's points in both battles of a match, and the opponent's."""


# Messages


class SeeSeason(Message, tag="season"):
    """Get the season, as `SeasonPage`."""


class JoinSeason(Message, tag="take part"):
    """Take part in the season, or leave it."""

    on: bool


class SeasonRow(NamedTuple):
    """A player of a season in its cross table."""

    name: str
    place: int
    """The same for those whom nothing tells apart; 0 for whom no result counts."""
    points: int
    """Match points: two for each match won, one for each drawn."""
    margin: float
    """The points won in battles, less those lost."""
    played: int
    results: tuple[Tally | None, ...]
    """The match against the player of each row; None before it is over, and if it does not count.
    """
    left: bool = False
    """Whether the player has left the season."""
    struck: bool = False
    """Whether no result of theirs counts, as they left before half of their matches."""


class SeasonNote(NamedTuple):
    """How a season stands, for the lobby."""

    name: str
    until: str
    """The last day on which one can join, as year, month and day."""
    drawn: bool
    """Whether its matches have been drawn: nobody can join any longer."""
    decided: int
    """How many of its matches are over, of those that count."""
    total: int
    joined: bool
    """Whether this visitor takes part, and has not left."""

    @property
    def over(self) -> bool:
        """Whether all its matches are."""
        return self.drawn and self.decided == self.total


class SeasonPage(Message, tag="season page"):
    """A season with its cross table, in the order of the standing."""

    note: SeasonNote
    variant: str
    days: Annotated[int, Meta(ge=1)]
    rows: tuple[SeasonRow, ...]


# In words

JOINED: Final = "You take part in the season. Its tables open when joining ends."
NOT_JOINED: Final = "You do not take part in the season any longer."
NO_SEASON: Final = "there is no season now"

_EMPTY, _SELF = ".", "x"
_SIGNS: Final = f"2 won, 1 drawn, 0 lost, {_EMPTY} to be played."


def note_in_words(note: SeasonNote) -> str:
    """Return how a season stands in a few words."""
    if note.over:
        return "over"
    if note.drawn:
        return f"{note.decided} of {note.total} played"
    return "joined" if note.joined else f"join until {date.fromisoformat(note.until):%d %b}"


def title_in_words(page: SeasonPage) -> str:
    """Return a season's name, game and clock."""
    clock = in_short(parse_control(f"{page.days}d"))
    return f"{clean(page.note.name)}: {VARIANTS[page.variant].title}, {clock}"


def season_in_words(page: SeasonPage) -> Iterator[str]:
    """Yield sentences about how a season stands, and what one can do."""
    note = page.note
    if not note.drawn:
        few = len(page.rows) < FEWEST_PLAYERS
        needs = f" It needs {counted(FEWEST_PLAYERS, 'player')}." if few else ""
        yield f"Join until {note.until}.{needs}"
        yield (
            f"Joined: {joined([clean(each.name) for each in page.rows])}."
            if page.rows
            else ("Nobody has joined yet.")
        )
        return
    yield f"{note.decided} of {note.total} matches have been played."
    first = [clean(each.name) for each in page.rows if each.place == 1]
    if note.over and first:
        yield f"It is over: {joined(first)} {'have' if len(first) > 1 else 'has'} won."


def leaving_in_words(page: SeasonPage) -> str:
    """Ask whether to leave a season, and say what that means."""
    if not page.note.drawn:
        return "Leave the season? You can join again until joining ends."
    return (
        "Leave the season? You resign at its tables, and cannot come back. Before half of your "
        "matches no result of yours counts; after that you lose those that are left."
    )


def row_in_words(row: SeasonRow) -> str:
    """Return a player's standing on one line."""
    name = clean(row.name)
    if row.struck:
        return f"{name}: has left, no result counts"
    points = f"{row.points} {plural(row.points, 'point')}"
    matches = f"{row.played} match{'' if row.played == 1 else 'es'}"
    left = ", has left" if row.left else ""
    return f"{row.place}. {name}: {points}, {matches}, margin {_signed(row.margin)}{left}"


def results_in_words(page: SeasonPage, row: SeasonRow) -> Iterator[str]:
    """Yield a player's matches, a line each."""
    for other, tally in zip(page.rows, row.results, strict=True):
        if other is row or other.struck or row.struck:
            continue
        ended = "to be played"
        if tally:
            own, against = tally
            how = "won" if own > against else "lost" if own < against else "drawn"
            ended = f"{how}, {figure(own)} : {figure(against)}"
        yield f"Against {clean(other.name)}: {ended}."


def cross_table(page: SeasonPage) -> list[str]:
    """Return the cross table in aligned lines, with a line that explains its signs."""
    if not page.note.drawn:
        return []
    numbers = [str(at) for at in range(1, len(page.rows) + 1)]
    rows = [["#", "player", *numbers, "points", "margin"]]
    for number, row in zip(numbers, page.rows, strict=True):
        pairs = zip(page.rows, row.results, strict=True)
        results = (_cell(row, other, tally) for other, tally in pairs)
        ends = ["-", "-"] if row.struck else [str(row.points), _signed(row.margin)]
        rows.append([number, clean(row.name)[:LONGEST_GIVEN_NAME], *results, *ends])
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = list[str]()
    for number, name, *cells in rows:
        first, second, *others = widths
        shown = [number.ljust(first), name + " " * (second - cell_len(name))]
        shown += [cell.rjust(width) for cell, width in zip(cells, others, strict=True)]
        lines.append(" ".join(shown))
    struck = " - does not count." if any(each.struck for each in page.rows) else ""
    return [*lines, "", f"{_SIGNS}{struck}"]


def _cell(row: SeasonRow, other: SeasonRow, tally: Tally | None) -> str:
    if row is other:
        return _SELF
    if row.struck or other.struck:
        return "-"
    return str(match_points(tally)) if tally else _EMPTY


def match_points(tally: Tally) -> int:
    """Return a player's match points: two for a match won, one for one drawn."""
    own, against = tally
    return 2 if own > against else 1 if own == against else 0


def _signed(margin: float) -> str:
    return f"+{figure(margin)}" if margin > 0 else figure(margin)


def as_lines(page: SeasonPage) -> Iterator[str]:
    """Yield a season as whoever runs the club sees it."""
    yield f"{title_in_words(page)}."
    yield from season_in_words(page)
    yield from cross_table(page)


def as_values(page: SeasonPage) -> dict[str, Any]:
    """Return a season as JSON has it."""
    return {
        **{name: value for name, value in page.note._asdict().items() if name != "joined"},
        "over": page.note.over,
        "game": page.variant,
        "days": page.days,
        "players": [each._asdict() for each in page.rows],
    }
