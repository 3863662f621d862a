"""The list of a battle's moves and variations, to jump to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar, Final

from thud.records.record import BattleRecord
from thud.records.tree import Cursor, NodePath, outline
from thud.review.judgement import Mark
from thud.tui.widgets.move_list import ListedText, MoveRows

_NOTE: Final = '"'
"""The sign of a move with a comment."""
_OPEN: Final = "*"
"""The sign before a move that was asked for and not found: a question mark would judge it."""


class MoveTree(MoveRows):
    """The moves with their marks and signs of comments; variations indented and dim."""

    DEFAULT_CSS = """
    MoveTree {
        & > .moves--dubious { color: $mark-dubious; }
        & > .moves--mistake { color: $mark-mistake; }
        & > .moves--blunder { color: $mark-blunder; text-style: bold; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"moves--{mark.name.lower()}" for mark in Mark}

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[BattleRecord, Mapping[NodePath, Mark], list[int]] | None = None

    def show(
        self,
        cursor: Cursor,
        marks: Mapping[NodePath, Mark],
        until: int,
        questions: Collection[int] = (),
    ) -> None:
        """List the moves of a battle, scrolled to the one that led to a place.

        Args:
            cursor: the place.
            marks: the marks of some moves, each given by the place after it.
            until: the number of the battle's moves to list, with the variations that begin there
                unless a question does.
            questions: the places of open questions, by their plies.
        """
        battle = cursor.battle
        if until < len(battle.moves):
            end = battle.line[until]
            if until in questions and not (cursor.parent and cursor.ply_in_battle == until):
                end = end._replace(variations=())
            battle = battle._replace(line=(*battle.line[:until], end))
        passed = [ply for ply in questions if ply < until]
        self._now = cursor.path
        if self._shown == (battle, marks, passed):
            self.scroll_to_now()
            return
        self._shown = battle, marks, passed
        self._skipped = battle.turn(1) - 1
        self._moves = []
        for move in outline(battle):
            mark = marks.get(move.path)
            text = f"{move.text}{move.mark or (mark.value if mark else '')}"
            if not move.trail and move.ply - 1 in passed:
                text = f"{_OPEN}{text}"
            style = "moves--undone" if move.trail else ""
            self._moves.append(
                ListedText(
                    f"{text}{_NOTE}" if move.commented else text,
                    move.trail,
                    move.ply,
                    f"moves--{mark.name.lower()}" if mark else style,
                )
            )
        noted = any(each.text.endswith(_NOTE) for each in self._moves)
        self.legend = f"{_NOTE} has a note" if noted else ""
        if passed:
            self.legend = f"{_NOTE} note · " * noted + f"{_OPEN} open question"
        self.lay_out()
