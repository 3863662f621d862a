"""The questions of a replay and a review."""

from __future__ import annotations

from enum import Enum

from rich.text import Text

from thud.records.tree import Cursor
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.tui.widgets.prompt import PromptAnswer, Question


def deleting(cursor: Cursor) -> Question[bool]:
    """Ask whether to delete a variation from the move that led to a place onwards."""
    assert cursor.before
    assert cursor.move
    number = cursor.last - cursor.ply
    text = Text.assemble(("Delete ", "bold"), move_text(cursor.before, cursor.move))
    if number:
        text.append(f" and {number} more {'move' if number == 1 else 'moves'}")
    text.append(", with their comments?")
    no = PromptAnswer(("n", "escape", "backspace"), "keep it", False)
    return Question(text, [PromptAnswer(("y",), "delete", True), no], is_modal=True)


class Leave(Enum):
    """Answers about variations and comments that would be lost."""

    GO = "lose them"
    SAVE = "save them"
    STAY = "stay"


def losing(asked: str, label: str, save: str) -> Question[Leave]:
    """Ask whether to leave unsaved variations and comments.

    Args:
        asked: what is asked.
        label: what leaving is called.
        save: what saving is called.
    """
    text = Text.assemble((asked, "bold"), "\n\nYour variations and comments are not saved.")
    return Question(
        text,
        [
            PromptAnswer(("y",), label, Leave.GO),
            PromptAnswer(("s",), save, Leave.SAVE),
            PromptAnswer(("n", "escape", "backspace"), "stay", Leave.STAY),
        ],
        is_modal=True,
    )


def whose(dwarfs: str, trolls: str) -> Question[Side | None]:
    """Ask whose mistakes to drill, given the players' names."""
    text = Text.assemble(("Learn from mistakes", "bold"), "\n\nWhose?")
    return Question(
        text,
        [
            PromptAnswer(("d",), f"{dwarfs} (dwarfs)", Side.DWARFS),
            PromptAnswer(("t",), f"{trolls} (trolls)", Side.TROLLS),
            PromptAnswer(("escape", "backspace"), "cancel", None),
        ],
        is_modal=True,
    )
