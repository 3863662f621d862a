"""Questions in a record: "what would you play?", asked before a move is shown.

A comment's note `[%ask dF1-F5 dG1-F5]` asks it at the comment's place.  It gives the moves that
are as good as the one played, which is among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from thud.records.annotation import annotation_in
from thud.records.record import BattleRecord, Record
from thud.records.tgn.notes import notes_in, prose
from thud.records.tree import Cursor
from thud.rules.geometry import square_name
from thud.rules.notation import move_text
from thud.rules.position import Move
from thud.text import capitalised, spelled, why
from thud.words.moves import piece_at


def good_moves(here: Cursor) -> Sequence[str]:
    """Return the moves that answer the question asked at a place, none if none is asked."""
    if here.next_move is None:
        return ()
    return tuple(notes_in(" ".join(here.node.comments)).get("ask", "").split())


def is_model(record: Record) -> bool:
    """Whether a record asks questions, as model battles do."""
    return any(
        "ask" in notes_in(comment)
        for battle in record.battles
        for node in battle.line
        for comment in node.comments
    )


def noted(battle: BattleRecord) -> list[int]:
    """Return the places of a battle with a comment, a mark or a question, by their plies."""
    return [
        ply
        for ply, node in enumerate(battle.line)
        if any(map(prose, node.comments))
        or annotation_in(node.comments).mark
        or "ask" in notes_in(" ".join(node.comments))
    ]


def asked_in(battle: BattleRecord) -> list[int]:
    """Return the places of a battle that ask a question, by their plies."""
    return [
        ply
        for ply, node in enumerate(battle.line[:-1])
        if "ask" in notes_in(" ".join(node.comments))
    ]


def hint_in_words(here: Cursor, given: int) -> str:
    """Return a hint to the question at a place: the kind of move, then the piece that moves.

    Args:
        here: the place.
        given: how many hints were given before.
    """
    move, position, variant = here.next_move, here.position, here.record.variant
    assert move
    if given:
        piece = piece_at(position, move.origin, variant.stone)
        return f"Look at the {piece} on {square_name(move.origin)}."
    if move.origin == position.stone:
        return f"It is a move of the {variant.stone}."
    kind, victims = variant.kind(position, move).value, move.captures.bit_count()
    taken = f" that captures {victims} {position.to_move.other.named(victims)}" if victims else ""
    return f"Look for a {kind}{taken}. Ask again for the piece."


def score_in_words(answers: Sequence[bool], asked: int) -> str:
    """Say how many of the questions asked were answered, and how many rightly at the first try.

    It is empty without an answer.

    >>> score_in_words([True, False], 3), score_in_words([True, False], 2)
    ('2 of 3 answered, 1 right', '1 of 2 right at first')
    """
    if 0 < len(answers) < asked:
        return f"{len(answers)} of {asked} answered, {sum(answers)} right"
    return f"{sum(answers)} of {asked} right at first" if answers else ""


class Kept(Protocol):
    """Where the answers to a record's questions are kept, and where its reader left off."""

    @property
    def answers(self) -> Mapping[int, bool]:
        """Whether the first answer to each question was right, by its ply."""

    @property
    def place(self) -> int:
        """The number of moves at which the reader left off; 0 begins anew."""

    def keep(self, ply: int, *, good: bool) -> object:
        """Keep the answer to a question, unless there is one; it may raise an `OSError`."""

    def leave(self, ply: int) -> object:
        """Keep the place at which the reader leaves off; it may raise an `OSError`."""


class Questions:
    """The questions of a record, each open until its reader has answered it rightly.

    A reader who left off in the middle goes on there, without the questions already answered.

    Args:
        kept: where answers are kept, if anywhere.

    Attributes:
        complaint: why the last answer is not kept, empty if it is.
        begins: the number of moves at which to begin.
    """

    def __init__(self, kept: Kept | None = None) -> None:
        self._kept = kept
        self.complaint = ""
        self._first = {(1, ply): good for ply, good in kept.answers.items()} if kept else {}
        """Whether the first answer to a question was right, by its battle and ply."""
        self.begins = kept.place if kept else 0
        self._answered = set(self._first) if self.begins else set[tuple[int, int]]()

    def open_at(self, here: Cursor) -> bool:
        """Whether a question is open at a place."""
        return not here.parent and here.ply in self.open_in(here)

    def open_in(self, here: Cursor) -> list[int]:
        """Return the places of a battle whose questions are open, by their plies."""
        return [ply for ply in asked_in(here.battle) if (here.number, ply) not in self._answered]

    def first_open(self, here: Cursor) -> Cursor | None:
        """Return the place of a battle's first open question, None if none is open."""
        plies = self.open_in(here)
        return Cursor.at(here.record, here.number, plies[0]) if plies else None

    def answer(self, here: Cursor, move: Move) -> bool:
        """Answer the question open at a place; return whether the move is as good as the played."""
        good = move == here.next_move or move_text(here.position, move) in good_moves(here)
        self.complaint = ""
        self._first.setdefault((here.number, here.ply), good)
        try:
            if self._kept:
                self._kept.keep(here.ply, good=good)
        except OSError as error:
            self.complaint = f"Your answer cannot be saved: {why(error)}."
        if good:
            self._answered.add((here.number, here.ply))
        return good

    def end_at(self, here: Cursor, key: str) -> str:
        """Say at a battle's end how many questions were answered rightly, and how many are open.

        Args:
            here: the place.
            key: what leads to the first open question.
        """
        if here.parent or here.ply < here.last:
            return ""
        first = [good for (number, _), good in self._first.items() if number == here.number]
        score = score_in_words(first, len(asked_in(here.battle)))
        told = [f"Questions: {score}."] if score else []
        if left := len(self.open_in(here)):
            are = "questions are" if left > 1 else "question is"
            told.append(f"{capitalised(spelled(left))} {are} open: {key} goes there.")
        return " ".join(told)

    def leave(self, here: Cursor) -> None:
        """Keep the place at which the reader leaves off; a battle read to its end begins anew."""
        over = here.ply_in_battle == len(here.battle.moves) and not self.open_in(here)
        if self._kept:
            with suppress(OSError):
                self._kept.leave(0 if over else here.ply_in_battle)

    def next_open(self, here: Cursor) -> int:
        """Return the ply of the first question open at or after a place, else the battle's last."""
        ahead = (ply for ply in self.open_in(here) if ply >= here.ply_in_battle)
        return next(ahead, len(here.battle.moves))
