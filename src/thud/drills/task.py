"""The contract of a task: a position, what is to be done there, and a judgement of what is."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from thud.rules.position import Move, Position
from thud.rules.variant import Variant


class Verdict(NamedTuple):
    """What is said of an attempt."""

    right: bool
    words: str
    """What the move did, and where it is not right, what was wanted: a few sentences."""
    answers: tuple[Move, ...] = ()
    """The moves that are shown then, the other side's first; both sides in turn."""


class Task(Protocol):
    """Something to be done by the side to move."""

    @property
    def variant(self) -> Variant:
        """The game."""

    @property
    def position(self) -> Position:
        """Where it is to be done."""

    @property
    def words(self) -> str:
        """What is to be done, in one to three sentences."""

    @property
    def solution(self) -> Move | None:
        """A move that does it, for a hint; None where the end is to be proposed."""

    def judge(self, move: Move | None) -> Verdict:
        """Judge a legal move, or the proposal to end the battle, which is None."""
