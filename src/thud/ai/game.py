"""The contract between the search and a game: moves, evaluation, selection.

A game is a value without state of its own, made once for each variant; one class, or what it
inherits from, fulfils all three contracts.  The search calls its methods some hundred thousand
times a second, so they take and return plain ints and tuples.

A state is a tuple `(dwarfs, trolls, side, ...)` of ints: two masks, then `DWARFS` or `TROLLS` for
the side to move, then whatever else the game needs (the stone's square, say).  Equal positions are
equal states: the transposition table is keyed by them.

A move is an int: its low 16 bits are `origin | destination << 8` (squares of `thud.rules`), what
is above belongs to the game.  The same int means the same move in every state, as far as the
pieces that move are concerned, so that it can be tried first elsewhere ("killer", "history").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from thud.ai.scores import Score
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

State: TypeAlias = tuple[int, ...]
"""A position as the search sees it: `(dwarfs, trolls, side, ...)`."""

DWARFS: Final = 0
TROLLS: Final = 1
SIDE: Final = 2
"""Where a state says whose turn it is."""


class Options(NamedTuple):
    """What a search may leave out; `FULL` leaves out nothing."""

    selective: bool = True
    """Look at the game's selection of quiet moves only."""
    reduce_after: tuple[int, int] = (3, 6)
    """Quiet moves searched at full depth before the rest are reduced, for dwarfs and trolls."""
    caps: tuple[tuple[int, ...], tuple[int, ...]] = ((0, 20, 20, 24, 40), (0, 12, 20, 30, 40))
    """The most quiet moves of either side by plies to go; the last number serves above, too."""
    tried: tuple[tuple[int, ...], tuple[int, ...]] = (
        (1000, 1000, 1000, 120, 60),
        (1000, 1000, 1000, 120, 40),
    )
    """The most root moves of either side by depth; the last number serves above, too."""
    passing: int = 2
    """Null move: plies saved; 0 for none."""
    delta: bool = True
    """Pass over captures in quiescence that cannot reach alpha."""
    extensions: int = 1
    """Extensions by a ply in one line where dwarfs hang."""
    rescues: bool = True
    """In quiescence, look at flights, too."""
    repetitions: bool = True
    """Value a state that comes back without looking further."""
    futility: int = 90
    """With one ply to go, leave out quiet moves so far below alpha; 0 for never."""
    exact_depth: bool = False
    """Take from the table only what was searched just as deep, not deeper."""
    table: int = 120_000
    """The most states in either half of the table."""


SELECTIVE: Final = Options()
FULL: Final = Options(
    selective=False,
    reduce_after=(10_000, 10_000),
    caps=((10_000,), (10_000,)),
    passing=0,
    delta=False,
    extensions=0,
    rescues=False,
    repetitions=False,
    futility=0,
    exact_depth=True,
)


class Mover(Protocol):
    """Move generation."""

    @property
    def variant(self) -> Variant:
        """The rules that it is the quick form of."""

    def state(self, position: Position) -> State:
        """Return the state of a position."""

    def rules_move(self, state: State, move: int) -> Move:
        """Return a move of the search as the rules have it."""

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves that quiescence looks at, each with its gain, the highest gain first.

        The gain is what the evaluation rises by at once, roughly.  Those are the captures and,
        where a goal decides, moves that reach it.  Every capture the search shall know is here.
        """

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move that `captures` does not list: for the root and for proofs.

        Where a capture may take several subsets, the game keeps to the ones it considers.
        """

    def make(self, state: State, move: int) -> State:
        """Return the state after a move, with the other side to move; the old one is as it was."""


class Evaluator(Protocol):
    """Evaluation for the side to move, and decided states."""

    def evaluate(self, state: State) -> Score:
        """Return how good an undecided state is, for the side to move."""

    def decided(self, state: State) -> Score | None:
        """Return the score of a battle that has ended here, None while it goes on.

        `GOAL` or `-GOAL` if a goal has been reached or lost, 0 for a draw, anything within
        `LIMIT` where points are counted.
        """

    def stuck(self, state: State) -> Score:
        """Return the score for the side to move if it has no legal move at all."""

    def repeated(self, state: State) -> Score:
        """Return the score of a state that comes back: what the battle is worth without progress.

        In Koom Valley a draw, 0; in Classic what stands on the board.
        """

    def shown(self, state: State, evaluation: Score, score: Score) -> Score:
        """Return a score as `Thought.score` has it: hundredths of a point.

        Args:
            state: where the search starts.
            evaluation: what that is worth at a glance.
            score: what it is worth to the search.
        """


class Policy(Protocol):
    """Selection and ordering: what the search tries first, extends or leaves out."""

    @property
    def options(self) -> Options:
        """What a search may leave out where it is to play its best."""

    @property
    def swing(self) -> Score:
        """How much an evaluation may change by a capture beyond the capture's gain.

        A capture in quiescence whose gain and this do not reach alpha is passed over.
        """

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the other moves worth a look with `depth` plies to go, the most promising first.

        A selection: may leave out what rarely matters, more so at low depths.  May be empty.
        """

    def rescues(self, state: State) -> Sequence[int]:
        """List the few quiet moves that quiescence tries too, because something hangs."""

    def passed(self, state: State) -> State | None:
        """Return the state with the other side to move, None where passing would mislead.

        If passing still leaves a score above beta, the search cuts off ("null move").
        """

    def pressed(self, state: State) -> bool:
        """Say whether the side to move is under such threats that the search goes a ply deeper.

        Asked only just before quiescence, and at most a few times in one line of play.
        """


class Game(Mover, Evaluator, Policy, Protocol):
    """A variant in a form made for the search."""

    def seen_from(self, state: State, quiet: int) -> Game:
        """Return the game for a search from a state: what it evaluates may depend on that.

        Args:
            state: where the search starts.
            quiet: the turns since the last capture.
        """
