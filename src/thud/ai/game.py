"""The interface between the search and a game: moves, evaluation, selection.

A game is stateless, made once for each variant; one class implements all three protocols.  The
search calls its methods some hundred thousand times a second, so they take and return plain ints
and tuples.

A state is a tuple `(dwarfs, trolls, side, ...)` of ints: two masks, then `DWARFS` or `TROLLS` for
the side to move, then whatever else the game needs (the stone's square, say).  Equal positions have
equal states, which are the keys of the transposition table.

A move is an int: its low 16 bits are `origin | destination << 8` (squares of `thud.rules`), higher
bits are the game's own.  The same int moves the same squares in every state, so that it can be
tried first elsewhere (killer and history heuristics).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from thud.ai.scores import Score
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

State: TypeAlias = tuple[int, ...]
"""A position in the search: `(dwarfs, trolls, side, ...)`."""

DWARFS: Final = 0
TROLLS: Final = 1
SIDE: Final = 2
"""Index of the side to move in a state."""


class Options(NamedTuple):
    """Options of a search: what it may leave out; `FULL` leaves out nothing."""

    selective: bool = True
    """Search only the game's selection of quiet moves."""
    reduce_after: tuple[int, int] = (3, 6)
    """Quiet moves searched at full depth before the rest are reduced, for dwarfs and trolls."""
    caps: tuple[tuple[int, ...], tuple[int, ...]] = ((0, 20, 20, 24, 40), (0, 12, 20, 30, 40))
    """Most quiet moves of each side by plies to go; the last number applies beyond, too."""
    tried: tuple[tuple[int, ...], tuple[int, ...]] = (
        (1000, 1000, 1000, 120, 60),
        (1000, 1000, 1000, 120, 40),
    )
    """Most root moves of each side by depth; the last number applies beyond, too."""
    passing: int = 2
    """Null-move reduction in plies; 0 for no null moves."""
    delta: bool = True
    """Delta pruning: skip captures in quiescence that cannot reach alpha."""
    extensions: int = 1
    """Most extensions by a ply in one line."""
    rescues: bool = True
    """Try flights in quiescence, too."""
    repetitions: bool = True
    """Score a repeated state without searching on."""
    futility: int = 90
    """Futility margin below alpha, with one ply to go; 0 for no pruning."""
    exact_depth: bool = False
    """Use only table entries of exactly the same depth, not deeper ones."""
    table: int = 120_000
    """Most states in either half of the table."""


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
        """The variant that the game implements."""

    def state(self, position: Position) -> State:
        """Return the state of a position."""

    def rules_move(self, state: State, move: int) -> Move:
        """Return a search move as a move of the rules."""

    def captures(self, state: State) -> Sequence[tuple[Score, int]]:
        """List the moves for quiescence, each with its gain, highest first.

        These are all captures that the search should know, and, where a goal decides, moves that
        reach it.  The gain is roughly the immediate rise of the evaluation.
        """

    def all_quiets(self, state: State) -> Sequence[int]:
        """List every legal move not in `captures`: for the root and for proofs.

        Where a capture may take different subsets, only those the game considers.
        """

    def make(self, state: State, move: int) -> State:
        """Return the state after a move, with the other side to move."""


class Evaluator(Protocol):
    """Evaluation for the side to move, and decided states."""

    def evaluate(self, state: State) -> Score:
        """Return the evaluation of an undecided state, for the side to move."""

    def decided(self, state: State) -> Score | None:
        """Return the score of a battle that has ended, None while it goes on.

        `GOAL` or `-GOAL` for a goal, 0 for a draw, anything within `LIMIT` where points count.
        """

    def stuck(self, state: State) -> Score:
        """Return the score for the side to move if it has no legal move."""

    def repeated(self, state: State) -> Score:
        """Return the score of a repeated state: the battle's result without progress.

        A draw, 0, in Koom Valley; the evaluation in Classic.
        """

    def shown(self, state: State, evaluation: Score, score: Score) -> Score:
        """Return a score as `Thought.score` has it: hundredths of a point.

        Args:
            state: the root of the search.
            evaluation: its static evaluation.
            score: its score by the search.
        """


class Policy(Protocol):
    """Selection and ordering: what the search tries first, extends or leaves out."""

    @property
    def options(self) -> Options:
        """The search options that suit the game best."""

    @property
    def swing(self) -> Score:
        """Margin for delta pruning: how far an evaluation may rise beyond a capture's gain.

        Quiescence skips a capture whose gain plus this does not reach alpha.
        """

    def quiets(self, state: State, depth: int) -> Sequence[int]:
        """List the promising quiet moves with `depth` plies to go, the most promising first.

        It may leave out moves that rarely matter, more of them at low depths; may be empty.
        """

    def rescues(self, state: State) -> Sequence[int]:
        """List the few quiet moves that quiescence tries, too, because pieces hang."""

    def passed(self, state: State) -> State | None:
        """Return the state after a null move, None where it would mislead.

        If passing still leaves a score above beta, the search cuts off.
        """

    def pressed(self, state: State) -> bool:
        """Whether threats to the side to move call for an extension by a ply.

        Called only just before quiescence, and at most a few times in one line.
        """


class Game(Mover, Evaluator, Policy, Protocol):
    """A variant implemented for the search."""

    def seen_from(self, state: State, quiet: int) -> Game:
        """Return the game for a search from a state, on which its evaluation may depend.

        Args:
            state: the root of the search.
            quiet: turns since the last capture.
        """
