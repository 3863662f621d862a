"""The app's first screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from thud.exercises.puzzles.book import Daily
    from thud.exercises.puzzles.puzzle import Puzzle, PuzzleFilter
    from thud.records.record import Record
    from thud.rules.match import Match
    from thud.rules.position import Side
    from thud.rules.setup import Setup
    from thud.rules.variant import Variant
    from thud.session.view import SessionView


class PlayMatch(Struct, frozen=True):
    """A match to play."""

    session: SessionView
    notice: str = ""
    """Message to show at the start."""
    mention_unfinished: bool = False
    """Whether to mention another unfinished match at the start."""


class Replay(Struct, frozen=True):
    """A record to replay."""

    record: Record
    notice: str = ""
    """Message to show at the start."""
    name: str = ""
    """The name of its saved match, if any."""
    learn: tuple[int, Side] | None = None
    """The battle and side whose mistakes to drill at once, if any."""


class Explore(Struct, frozen=True):
    """The explorer, from a match's position."""

    match: Match


class Front(Struct, frozen=True):
    """The front page, or a club's lobby; the next five open on top of it."""


class Lessons(Struct, frozen=True):
    """The lessons, all or from a given one on."""

    first: str = ""


class Puzzles(Struct, frozen=True):
    """Puzzles to solve."""

    puzzles: Sequence[Puzzle]
    choice: PuzzleFilter | None = None
    """The filter they were chosen with, if any."""
    daily: Daily | None = None
    """The puzzle of the day, if they are the book's."""


class Models(Struct, frozen=True):
    """Model battles to choose from."""


class Practise(Struct, frozen=True):
    """Mistakes and missed puzzles to practise."""

    early: bool = False
    """Whether to begin with those of tomorrow if nothing is left today, without asking."""


class Edit(Struct, frozen=True):
    """The editor of positions."""

    setup: Setup


class Rules(Struct, frozen=True):
    """The rules alone, until they are closed."""

    variant: Variant | None
    """The variant to begin with; None is what all variants share."""
    topic: str
    """The topic to begin with."""


OnFront: TypeAlias = Front | Lessons | Puzzles | Models | Practise | Edit
Start: TypeAlias = PlayMatch | Replay | Explore | OnFront | Rules
