"""What is asked about a review."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from thud.rules.position import Side
from thud.tui.widgets.prompt import Answer, Question, Run


def whose(dwarfs: str, trolls: str, learn: Callable[[Side], None], back: Run) -> Question:
    """Ask whose mistakes to go over.

    Args:
        dwarfs: who commands the dwarfs.
        trolls: who commands the trolls.
        learn: goes over those of a side.
        back: asks no longer.
    """
    text = Text.assemble(("Learn from mistakes", "bold"), "\n\nWhose?")
    return Question(
        text,
        [
            Answer(("d",), f"{dwarfs}, the dwarfs'", lambda: learn(Side.DWARFS)),
            Answer(("t",), f"{trolls}, the trolls'", lambda: learn(Side.TROLLS)),
            Answer(("escape", "backspace"), "neither's", back),
        ],
        holds=True,
    )
