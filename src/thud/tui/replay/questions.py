"""What a replay asks: about what would be lost, and for what is added to a place."""

from __future__ import annotations

from enum import Enum

from rich.text import Text

from thud.records import editing
from thud.records.annotation import Shape, typed_shapes, written_shapes
from thud.records.tree import Cursor
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.text import plural
from thud.tui.widgets.modals import AskScreen
from thud.tui.widgets.prompt import PromptAnswer, Question
from thud.words.match import with_side


class Leave(Enum):
    """Answers about variations and comments that would be lost."""

    GO = "lose them"
    SAVE = "save them"
    STAY = "stay"


def leaving(asked: str, label: str, saving: str) -> Question[Leave]:
    """Ask whether to go without what is not saved.

    Args:
        asked: the question.
        label: what to go is called.
        saving: what to save is called.
    """
    text = Text.assemble((asked, "bold"), "\n\nWhat you added to the match is not saved.")
    answers = [
        PromptAnswer(("y",), label, Leave.GO),
        PromptAnswer(("s",), saving, Leave.SAVE),
        PromptAnswer(("n", "escape", "backspace"), "stay", Leave.STAY),
    ]
    return Question(text, answers, is_modal=True)


def deleting(cursor: Cursor) -> Question[bool]:
    """Ask whether to delete the variation from a place's move onwards."""
    assert cursor.before
    assert cursor.move
    text = Text.assemble(("Delete ", "bold"), move_text(cursor.before, cursor.move))
    if number := cursor.last - cursor.ply:
        text.append(f" and {number} more {plural(number, 'move')}")
    text.append(", with all comments?")
    keep = PromptAnswer(("n", "escape", "backspace"), "keep it", False)
    return Question(text, [PromptAnswer(("y",), "delete", True), keep], is_modal=True)


def whose_mistakes(cursor: Cursor) -> Question[Side | None]:
    """Ask which side's mistakes to drill."""
    named = zip(cursor.commanders, Side, strict=True)
    return Question(
        Text.assemble(("Learn from mistakes", "bold"), "\n\nWhose?"),
        [
            *(PromptAnswer((side.plural[0],), with_side(name, side), side) for name, side in named),
            PromptAnswer(("escape", "backspace"), "cancel", None),
        ],
        is_modal=True,
    )


def commenting(cursor: Cursor) -> AskScreen[str]:
    """Ask for a place's comment; an empty one deletes it."""

    async def attempt(text: str) -> str:
        editing.commented(cursor, text)
        return text

    return AskScreen("A comment on this move", " ".join(cursor.words), attempt, empty="")


def drawing(cursor: Cursor) -> AskScreen[tuple[Shape, ...]]:
    """Ask for a place's arrows and circles, written as squares."""

    async def attempt(text: str) -> tuple[Shape, ...]:
        return typed_shapes(text)

    asked = "Arrows and circles, such as F1-F5 H8. Or drag with the right button."
    return AskScreen(asked, written_shapes(cursor.annotation), attempt, empty=())
