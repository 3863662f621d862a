"""Questions in a record: "what would you play?", asked before a move is shown.

A comment's note `[%ask dF1-F5 dG1-F5]` asks it at the comment's place.  It gives the moves that
are as good as the one played, which is among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from thud.records.annotation import annotation_in
from thud.records.record import BattleRecord, Record
from thud.records.tgn.notes import notes_in, prose
from thud.records.tree import Cursor, NodePath
from thud.rules.notation import move_text
from thud.rules.position import Move
from thud.text import plural, why


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


class Questions:
    """The questions of a record, each open until its reader has answered it rightly.

    Args:
        keep: called with the ply of each question answered, and whether rightly; it may raise an
            `OSError`.

    Attributes:
        complaint: why the last answer is not kept, empty if it is.
    """

    def __init__(self, keep: Callable[[int, bool], object] = lambda *_: None) -> None:
        self._keep = keep
        self.complaint = ""
        self._first = dict[tuple[int, NodePath], bool]()
        """Whether the first answer to a question was right, by its place."""
        self._answered = set[tuple[int, NodePath]]()

    def open_at(self, here: Cursor) -> bool:
        """Whether a question is open at a place."""
        return _key(here) not in self._answered and bool(good_moves(here))

    def answer(self, here: Cursor, move: Move) -> bool:
        """Answer the question open at a place; return whether the move is as good as the played."""
        good = move == here.next_move or move_text(here.position, move) in good_moves(here)
        self.complaint = ""
        self._first.setdefault(_key(here), good)
        try:
            self._keep(here.ply_in_battle, good)
        except OSError as error:
            self.complaint = f"Your answer cannot be saved: {why(error)}."
        if good:
            self._answered.add(_key(here))
        return good

    def score_at(self, here: Cursor) -> str:
        """Say at a battle's end how many questions were answered rightly; else nothing.

        It is such as `"2 of 3 questions right at the first try."`
        """
        if here.parent or here.ply < here.last or not self._first:
            return ""
        asked = sum(bool(good_moves(here.to(ply))) for ply in range(here.last))
        right = sum(good for (number, _), good in self._first.items() if number == here.number)
        return f"{right} of {asked} {plural(asked, 'question')} right at the first try."

    def next_open(self, here: Cursor) -> int:
        """Return the ply of the first question open at or after a place, else the battle's last."""
        place = Cursor.at(here.record, here.number, here.ply_in_battle)
        while place.ply < place.last and not self.open_at(place):
            place = place.to_next()
        return place.ply


def _key(here: Cursor) -> tuple[int, NodePath]:
    return here.number, here.path
