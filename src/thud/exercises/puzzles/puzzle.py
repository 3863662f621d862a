"""A puzzle, and its moves as exercises."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import zip_longest
from math import floor
from typing import Final, NamedTuple

from thud.ai.scores import LIMIT
from thud.engines.refutation import refutation
from thud.exercises.drill import Verdict
from thud.exercises.puzzles.themes import A_WIN, NOT_LOSING, Theme
from thud.rules.position import Move, Position
from thud.rules.symmetry import Symmetry
from thud.rules.tactics import only_these_save, only_these_win, surely_wins_in
from thud.rules.variant import Variant
from thud.words.moves import described

BANDS: Final = ("easy", "medium", "hard")
"""Difficulties, easiest first."""


class PuzzleFilter(NamedTuple):
    """A filter for puzzles; an empty field matches all."""

    game: str = ""
    """The name of a variant."""
    band: str = ""
    """Difficulty."""
    theme: str = ""
    only: str = ""
    """The id of the one puzzle wanted."""

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle matches."""
        known = (puzzle.variant.name, puzzle.band, puzzle.theme, puzzle.id)
        return all(wanted in ("", value) for wanted, value in zip(self, known, strict=True))


class Puzzle(NamedTuple):
    """A position in which some moves are much better than every other."""

    id: str
    """The variant's name and a number, such as `"koom-12"`."""
    variant: Variant
    position: Position
    band: str
    theme: Theme
    solutions: tuple[tuple[Move, ...], ...]
    """The best moves, for each move to find."""
    replies: tuple[Move, ...]
    """The best defence between them: one fewer."""
    tempting: tuple[Move, ...]
    """The best of the other moves, and its refutation."""
    gain: float | str
    """The solution's advantage: in points, or one of `thud.exercises.puzzles.themes.GAINS`."""

    @property
    def number(self) -> int:
        """Its number among the puzzles of its variant."""
        return int(self.id.rpartition("-")[2])

    def turned(self, turn: Symmetry) -> Puzzle:
        """Return its image."""
        replies, tempting = (tuple(map(turn.move, each)) for each in (self.replies, self.tempting))
        return self._replace(
            position=turn.position(self.position),
            solutions=tuple(tuple(map(turn.move, each)) for each in self.solutions),
            replies=replies,
            tempting=tempting,
        )

    def gain_in_words(self) -> str:
        """Say the first solutions' advantage over any other move; nothing if that is not known.

        Points are what the computer's search says; of wins and losses only what the rules prove is
        said.
        """
        position, best = self.position, self.solutions[0]
        other = position.to_move.other.plural
        if not isinstance(self.gain, str):
            if not self.variant.counts_points:
                return ""
            from thud.review.judgement import is_coarse, spread

            coarse = is_coarse(spread(self.variant, position))
            points = floor(self.gain) if coarse else self.gain
            return f"By the computer's search nothing else comes within {points:g} points."
        if self.gain == NOT_LOSING:
            saves = only_these_save(self.variant, position, best)
            return f"After every other move the {other} win at once." if saves else ""
        if only_these_win(self.variant, position, best):
            return "No other move wins at once."
        if surely_wins_in(self.variant, position, best) == 2:
            return f"It wins in two moves, whatever the {other} play."
        return ""


class PuzzleTask(NamedTuple):
    """One move of a puzzle, to find for the side to move; it is a `thud.exercises.drill.Task`."""

    puzzle: Puzzle
    place: int
    """Number of moves found so far."""
    position: Position

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.puzzle.variant

    @property
    def solutions(self) -> tuple[Move, ...]:
        """The right moves."""
        return self.puzzle.solutions[self.place]

    @property
    def solution(self) -> Move:
        """The move shown as a hint."""
        return self.solutions[0]

    @property
    def line(self) -> tuple[Move, ...]:
        """The solution from here to the end of the puzzle, with the replies."""
        best = (each[0] for each in self.puzzle.solutions[self.place :])
        pairs = zip_longest(best, self.puzzle.replies[self.place :])
        return tuple(move for pair in pairs for move in pair if move)

    @property
    def played(self) -> None:
        """No move: nobody has played from here."""

    @property
    def words(self) -> str:
        """The instruction."""
        if self.place:
            return "That was the reply. What now?"
        return f"You have the {self.position.to_move.plural}. Find the best move."

    async def judge(self, move: Move | None) -> Verdict:
        """Judge a move; a wrong one is refuted on the board."""
        if move is None:
            return Verdict(False, "It is too early to end the battle: there is more to win.")
        if move in self.solutions:
            if self.place < len(self.puzzle.replies):
                reply = self.puzzle.replies[self.place]
                return Verdict(True, "Right. Find the next move too.", (reply,))
            gain = await asyncio.to_thread(self.puzzle.gain_in_words)
            return Verdict(True, f"Right. {gain}".rstrip())
        for best in self.solutions:
            if move[:2] == best[:2] and move.captures & best.captures == move.captures:
                return Verdict(False, "The right move, but it can capture more.")
        return await self._refuted(move)

    async def _refuted(self, move: Move) -> Verdict:
        """Judge a wrong move: it is refuted, or wins too, but later."""
        after, known = self.position.after(move), self.puzzle.tempting
        if self.place == 0 and move == known[0]:
            answer = known[1] if known[1:] else None
        else:
            decision = await refutation(self.variant, after)
            answer, thought = decision and decision.move, decision and decision.thought
            if self.puzzle.gain == A_WIN and thought and thought.score < -LIMIT:
                return Verdict(False, "That wins too, but later. Find the faster win.", miss=False)
        if answer is None:
            ends = " That ends the battle." if self.variant.outcome(after) else ""
            return Verdict(False, f"There is a better move.{ends}")
        answered = described(self.variant, after, answer)
        return Verdict(False, f"There is a better move. Now the {answered}.", (answer,))


def tasks(puzzle: Puzzle) -> Iterator[PuzzleTask]:
    """Yield a puzzle's tasks in order."""
    position = puzzle.position
    for place, best in enumerate(puzzle.solutions):
        yield PuzzleTask(puzzle, place, position)
        if place < len(puzzle.replies):
            position = position.after(best[0]).after(puzzle.replies[place])
