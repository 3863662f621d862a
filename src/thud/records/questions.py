"""Questions in a record: "what would you play?", asked before a move is shown.

A comment's note `[%ask dF1-F5 dG1-F5]` asks it at the comment's place.  It gives the moves that
are as good as the one played, which is among them.
"""

from __future__ import annotations

from collections.abc import Sequence

from thud.records.tgn.notes import notes_in
from thud.records.tree import Cursor, NodePath
from thud.rules.notation import move_text
from thud.rules.position import Move


def good_moves(here: Cursor) -> Sequence[str]:
    """Return the moves that answer the question asked at a place, none if none is asked."""
    if here.next_move is None:
        return ()
    return tuple(notes_in(" ".join(here.node.comments)).get("ask", "").split())


class Questions:
    """The questions of a record that its reader has neither answered nor passed."""

    def __init__(self) -> None:
        self._passed = set[tuple[int, NodePath]]()

    def open_at(self, here: Cursor) -> bool:
        """Whether a question is open at a place."""
        return _key(here) not in self._passed and bool(good_moves(here))

    def answer(self, here: Cursor, move: Move) -> bool:
        """Answer the question open at a place; return whether the move is as good as the played."""
        good = move == here.next_move or move_text(here.position, move) in good_moves(here)
        if good:
            self.leave(here)
        return good

    def leave(self, here: Cursor) -> None:
        """Ask nothing at a place any more."""
        self._passed.add(_key(here))


def _key(here: Cursor) -> tuple[int, NodePath]:
    return here.number, here.path
