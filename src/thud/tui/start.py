"""The app's first screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from thud.exercises.puzzles.book import Daily
    from thud.exercises.puzzles.puzzle import Puzzle, PuzzleFilter
    from thud.records.record import Record
    from thud.rules.match import Match
    from thud.rules.position import Side
    from thud.rules.setup import Setup
    from thud.rules.variant import Variant
    from thud.session.view import SessionView


class PlayMatch(NamedTuple):
    """A match to play."""

    session: SessionView
    notice: str = ""
    """Message to show at the start."""
    mention_unfinished: bool = False
    """Whether to mention another unfinished match at the start."""


class Replay(NamedTuple):
    """A record to replay."""

    record: Record
    notice: str = ""
    """Message to show at the start."""
    name: str = ""
    """The name of its saved match, if any."""
    learn: tuple[int, Side] | None = None
    """The battle and side whose mistakes to drill at once, if any."""


class Explore(NamedTuple):
    """The explorer, from a match's position."""

    match: Match


class Front(NamedTuple):
    """The front page, or a club's lobby; the next five open on top of it."""


class Lessons(NamedTuple):
    """The lessons, all or from a given one on."""

    first: str = ""


class Puzzles(NamedTuple):
    """Puzzles to solve."""

    puzzles: Sequence[Puzzle]
    choice: PuzzleFilter | None = None
    """The filter they were chosen with, if any."""
    daily: Daily | None = None
    """The puzzle of the day, if they are the book's."""


class Models(NamedTuple):
    """Model battles to choose from."""


class Practise(NamedTuple):
    """Mistakes and missed puzzles to practise."""


class Edit(NamedTuple):
    """The editor of positions."""

    setup: Setup


class Rules(NamedTuple):
    """The rules alone, until they are closed."""

    variant: Variant | None
    """The variant to begin with; None is what all variants share."""
    topic: str
    """The topic to begin with."""


OnFront: TypeAlias = Front | Lessons | Puzzles | Models | Practise | Edit
Start: TypeAlias = PlayMatch | Replay | Explore | OnFront | Rules
