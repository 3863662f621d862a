"""Confirm that a position is a puzzle: `python -m thud.puzzles.confirm`, a process of its own.

It reads a line of JSON with a variant and a position, and answers with one that has either the
puzzle, as it stands in a file, or the reason why it is none.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from thud.puzzles.search import steps_from
from thud.puzzles.wording import written
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

NO_PUZZLE: Final = "no move is so much better than every other that it is worth finding"


def confirmed(variant: Variant, position: Position) -> dict[str, Any] | None:
    """Return a position's puzzle as a file has it, None if it is none."""
    if variant.outcome(position) or variant.count_moves(position) < 2:
        return None
    steps = steps_from(variant, position)
    return {"variant": variant.name} | written(variant, steps) if steps else None


def answer(line: str) -> str:
    """Return the answer to a line."""
    asked = json.loads(line)
    variant = VARIANTS[asked["variant"]]
    puzzle = confirmed(variant, variant.position(asked["position"]))
    return json.dumps({"puzzle": puzzle} if puzzle else {"reason": NO_PUZZLE})


if __name__ == "__main__":
    print(answer(sys.stdin.readline()), flush=True)
