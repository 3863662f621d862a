"""The list of a battle's moves and variations, to jump to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from thud.records.record import BattleRecord
from thud.records.tree import Cursor, NodePath, outline
from thud.review.judgement import Mark
from thud.tui.widgets.move_list import ListedText, MoveRows

_NOTE: Final = '"'
"""The sign of a move with a comment."""


class MoveTree(MoveRows):
    """The moves with their marks and signs of comments; variations indented and dim."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"moves--{mark.name.lower()}" for mark in Mark}

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[BattleRecord, Mapping[NodePath, Mark]] | None = None

    def show(self, cursor: Cursor, marks: Mapping[NodePath, Mark], until: int) -> None:
        """List the moves of a battle, scrolled to the one that led to a place.

        Args:
            cursor: the place.
            marks: the marks of some moves, each given by the place after it.
            until: the number of the battle's moves to list, without variations of the next.
        """
        battle = cursor.battle
        if until < len(battle.moves):
            bare = battle.line[until]._replace(variations=())
            battle = battle._replace(line=(*battle.line[:until], bare))
        self._now = cursor.path
        if self._shown == (battle, marks):
            self.scroll_to_now()
            return
        self._shown = battle, marks
        self._skipped = battle.turn(1) - 1
        self._moves = []
        for move in outline(battle):
            mark = marks.get(move.path)
            text = f"{move.text}{move.mark or (mark.value if mark else '')}"
            style = "moves--undone" if move.trail else ""
            self._moves.append(
                ListedText(
                    f"{text}{_NOTE}" if move.commented else text,
                    move.trail,
                    move.ply,
                    f"moves--{mark.name.lower()}" if mark else style,
                )
            )
        has_notes = any(each.text.endswith(_NOTE) for each in self._moves)
        self.legend = f"{_NOTE} has a note" if has_notes else ""
        self.lay_out()
