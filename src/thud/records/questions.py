"""Questions in a record: "what would you play?", asked before a move is shown.

A comment's note `[%ask dF1-F5 dG1-F5]` asks it at the comment's place.  It gives the moves that
are as good as the one played, which is among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

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


def hints_in_words(here: Cursor) -> Sequence[str]:
    """Return the hints to the question at a place: what the move does, then the piece that moves.

    Of a move that does nothing visible, there is only the piece.
    """
    from thud.words.remarks import merits  # not for a list of battles

    move, position, variant = here.next_move, here.position, here.record.variant
    assert move
    piece = f"Look at the {piece_at(position, move.origin, variant.stone)}"
    piece = f"{piece} on {square_name(move.origin)}."
    does = merits(variant, position, move, most=1)
    if not does:
        return (piece,)
    kind = variant.kind(position, move).value
    if move.origin == position.stone:
        kind = f"move of the {variant.stone}"
    return f"Look for a {kind}. {does} Ask again for the piece.", piece


def score_in_words(answers: Sequence[bool], later: int, asked: int) -> str:
    """Say how many of the questions asked were answered, and how many rightly.

    It is empty without an answer.

    Args:
        answers: whether the first answer to each question was right.
        later: the number of those answered rightly at a later try.
        asked: the number of questions.

    >>> score_in_words([True, False], 0, 3), score_in_words([True, False], 1, 2)
    ('2 of 3 answered, 1 right at first', '1 of 2 right at first, 1 at a later try')
    """
    if not answers:
        return ""
    then = f", {later} at a later try" if later else ""
    if len(answers) < asked:
        return f"{len(answers)} of {asked} answered, {sum(answers)} right at first{then}"
    return f"{sum(answers)} of {asked} right at first{then}"


class Answers(NamedTuple):
    """What is kept of a reader's way through a record of one battle.

    Attributes:
        first: whether the first answer to each question was right, by its ply.
        found: the questions answered rightly since they were asked last, by their plies.
        later: the questions ever answered rightly after a wrong first answer, by their plies.
        place: the number of moves at which the reader left off; 0 begins anew.
    """

    first: Mapping[int, bool] = MappingProxyType({})
    found: frozenset[int] = frozenset()
    later: frozenset[int] = frozenset()
    place: int = 0


class Questions:
    """The questions of a record, each open until its reader has answered it rightly.

    A reader who left off in the middle goes on there.  Once all questions are found and the battle
    is read to its end, it asks them again.

    Args:
        kept: what is kept of one's way through the record.
        keep: keeps that; it may raise an `OSError`.

    Attributes:
        complaint: why the last answer is not kept, empty if it is.
        begins: the number of moves at which to begin.
    """

    def __init__(
        self, kept: Answers | None = None, keep: Callable[[Answers], object] = lambda _: None
    ) -> None:
        kept = kept or Answers()
        self._keep = keep
        self.complaint = ""
        self._first = {(1, ply): good for ply, good in kept.first.items()}
        """Whether the first answer to a question was right, by its battle and ply."""
        self._found = {(1, ply) for ply in kept.found}
        self._later = {(1, ply) for ply in kept.later}
        self.begins = kept.place

    def open_at(self, here: Cursor) -> bool:
        """Whether a question is open at a place."""
        return not here.parent and here.ply in self.open_in(here)

    def open_in(self, here: Cursor) -> list[int]:
        """Return the places of a battle whose questions are open, by their plies."""
        return [ply for ply in asked_in(here.battle) if (here.number, ply) not in self._found]

    def first_open(self, here: Cursor) -> Cursor | None:
        """Return the place of a battle's first open question, None if none is open."""
        plies = self.open_in(here)
        return Cursor.at(here.record, here.number, plies[0]) if plies else None

    def all_found(self, here: Cursor) -> bool:
        """Whether a battle asks questions, and all have been found, so that it may ask again."""
        return bool(asked_in(here.battle)) and not self.open_in(here)

    def ask_again(self, here: Cursor) -> Cursor:
        """Open all of a battle's questions; return the place of the first."""
        plies = asked_in(here.battle)
        self._found -= {(here.number, ply) for ply in plies}
        return Cursor.at(here.record, here.number, plies[0])

    def answer(self, here: Cursor, move: Move) -> bool:
        """Answer the question open at a place; return whether the move is as good as the played."""
        good = move == here.next_move or move_text(here.position, move) in good_moves(here)
        self.complaint = ""
        question = here.number, here.ply
        first = self._first.setdefault(question, good)
        if good:
            self._found.add(question)
            if not first:
                self._later.add(question)
        try:
            self._keep(self._answers(here.ply))
        except OSError as error:
            self.complaint = f"Your answer cannot be saved: {why(error)}."
        return good

    def _answers(self, place: int) -> Answers:
        """Return what to keep if the reader leaves off at a place."""
        first = {ply: good for (_, ply), good in self._first.items()}
        found, later = (frozenset(ply for _, ply in each) for each in (self._found, self._later))
        return Answers(first, found, later, place)

    def end_at(self, here: Cursor, key: str) -> str:
        """Say at a battle's end how many questions were answered rightly, and what is asked still.

        Args:
            here: the place.
            key: what leads to the first open question, or asks all again.
        """
        if here.parent or here.ply < here.last:
            return ""
        first = [good for (number, _), good in self._first.items() if number == here.number]
        later = sum(number == here.number for number, _ in self._later)
        score = score_in_words(first, later, len(asked_in(here.battle)))
        told = [f"Questions: {score}."] if score else []
        if left := len(self.open_in(here)):
            are = "questions are" if left > 1 else "question is"
            told.append(f"{capitalised(spelled(left))} {are} open: {key} goes there.")
        elif self.all_found(here):
            told.append(f"All are found: {key} asks again.")
        return " ".join(told)

    def back_at(self, here: Cursor, key: str) -> str:
        """Say before a battle's end, to who is back, that no question is left, and where to go.

        Args:
            here: the place.
            key: what leads to the end.
        """
        if here.ply == here.last or not self.all_found(here):
            return ""
        return f"All questions are found: at the end ({key}) they can be asked again."

    def leave(self, here: Cursor) -> None:
        """Keep the place at which the reader leaves off; a battle read to its end begins anew."""
        over = here.ply_in_battle == len(here.battle.moves) and not self.open_in(here)
        if over and self.all_found(here):
            self.ask_again(here)
        with suppress(OSError):
            self._keep(self._answers(0 if over else here.ply_in_battle))

    def next_open(self, here: Cursor) -> int:
        """Return the ply of the first question open at or after a place, else the battle's last."""
        ahead = (ply for ply in self.open_in(here) if ply >= here.ply_in_battle)
        return next(ahead, len(here.battle.moves))
