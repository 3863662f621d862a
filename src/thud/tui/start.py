"""The app's first screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from thud.namedtuple import NamedTuple

if TYPE_CHECKING:
    from thud.puzzles.puzzle import Puzzle, Wanted
    from thud.records.record import Record
    from thud.rules.match import Match
    from thud.rules.position import Side
    from thud.rules.setup import Setup
    from thud.rules.variant import Variant
    from thud.session.view import SessionView


class Play(NamedTuple):
    """A match is played."""

    session: SessionView
    notice: str = ""
    """What to say at the start."""
    mention_unfinished: bool = False
    """Say at the start if another match waits to be resumed."""


class Replay(NamedTuple):
    """A record to go through."""

    record: Record
    notice: str = ""
    """What to say at the start."""
    name: str = ""
    """That of its match, if it is a saved one."""
    learn: tuple[int, Side] | None = None
    """Go over the mistakes of a side in a battle of it at once."""


class Explore(NamedTuple):
    """The explorer, from a position of a match."""

    match: Match


class Front(NamedTuple):
    """The front page, or a club's lobby; all of the following open above it."""


class Lessons(NamedTuple):
    """The lessons, all or from one on."""

    first: str = ""


class Puzzles(NamedTuple):
    """Puzzles to solve."""

    puzzles: Sequence[Puzzle]
    choice: Wanted | None = None
    """Which of them are wanted, if not all."""


class Edit(NamedTuple):
    """The editor of positions."""

    setup: Setup


class Rules(NamedTuple):
    """The rules alone, until they are closed."""

    variant: Variant | None
    """The game to begin with; None is what all games share."""
    topic: str
    """What of the variant to begin with."""


OnFront: TypeAlias = Front | Lessons | Puzzles | Edit
Start: TypeAlias = Play | Replay | Explore | OnFront | Rules
