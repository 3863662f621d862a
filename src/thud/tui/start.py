"""What the app begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from thud.puzzles.puzzle import Puzzle
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
    """A record is gone through, move by move."""

    record: Record
    notice: str = ""
    """What to say at the start."""
    name: str = ""
    """That of its match, if it is a saved one."""
    learn: tuple[int, Side] | None = None
    """Go over the mistakes of a side in a battle of it at once."""


class Explore(NamedTuple):
    """What others played from where a match stands."""

    match: Match


class Front(NamedTuple):
    """The front page, or the lobby of a club; all of the following are opened above it."""


class Lessons(NamedTuple):
    """The list of lessons, or those from one on."""

    first: str = ""


class Puzzles(NamedTuple):
    """Some puzzles."""

    puzzles: Sequence[Puzzle]


class Edit(NamedTuple):
    """The editor of positions."""

    setup: Setup


class Rules(NamedTuple):
    """The rules by themselves, until they are closed."""

    variant: Variant | None
    """The game to begin with; None is what all games share."""
    topic: str
    """What of the variant to begin with."""


OnFront: TypeAlias = Front | Lessons | Puzzles | Edit
Start: TypeAlias = Play | Replay | Explore | OnFront | Rules
