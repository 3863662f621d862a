"""The questions of a replay and a review."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from thud.records.tree import Cursor
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.tui.widgets.prompt import Answer, Question, Run


def deleting(cursor: Cursor, delete: Run, keep: Run) -> Question:
    """Ask whether to delete a variation from the move that led to a place onwards."""
    assert cursor.before
    assert cursor.move
    number = cursor.last - cursor.ply
    text = Text.assemble(("Delete ", "bold"), move_text(cursor.before, cursor.move))
    if number:
        text.append(f" and {number} more {'move' if number == 1 else 'moves'}")
    text.append(", with their comments?")
    no = Answer(("n", "escape", "backspace"), "keep it", keep)
    return Question(text, [Answer(("y",), "delete", delete), no], is_modal=True)


def losing(asked: str, go: Answer, save: Answer, stay: Run) -> Question:
    """Ask whether to leave unsaved variations and comments."""
    text = Text.assemble((asked, "bold"), "\n\nYour variations and comments are not saved.")
    return Question(
        text, [go, save, Answer(("n", "escape", "backspace"), "stay", stay)], is_modal=True
    )


def whose(dwarfs: str, trolls: str, learn: Callable[[Side], None], back: Run) -> Question:
    """Ask whose mistakes to drill.

    Args:
        dwarfs: the name of the dwarfs' player.
        trolls: the name of the trolls' player.
        learn: starts the drill of a side's mistakes.
        back: closes the question.
    """
    text = Text.assemble(("Learn from mistakes", "bold"), "\n\nWhose?")
    return Question(
        text,
        [
            Answer(("d",), f"{dwarfs} (dwarfs)", lambda: learn(Side.DWARFS)),
            Answer(("t",), f"{trolls} (trolls)", lambda: learn(Side.TROLLS)),
            Answer(("escape", "backspace"), "cancel", back),
        ],
        is_modal=True,
    )
