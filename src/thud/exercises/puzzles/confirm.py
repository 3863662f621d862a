"""Is this position a puzzle?  `python -m thud.exercises.puzzles.confirm`.

It reads a line of JSON with a variant and a position, and answers with a line that has either the
puzzle, as in a file, or the reason why it is none.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, Final

from thud.ai.scores import goal_in
from thud.exercises.puzzles.puzzle import BANDS
from thud.exercises.puzzles.search import Step, lost, steps_from, won
from thud.exercises.puzzles.themes import GAINS, theme_of
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

NO_PUZZLE: Final = "no single move is much better than all others"


def confirmed(variant: Variant, position: Position) -> dict[str, Any] | None:
    """Return a position's puzzle as the values of a line, None if it is none."""
    if variant.outcome(position) or variant.count_moves(position) < 2:
        return None
    steps = steps_from(variant, position)
    return {"variant": variant.name} | written(variant, steps) if steps else None


def band_of(steps: Sequence[Step]) -> str:
    """Return a puzzle's difficulty, by its depth, length and whether it is quiet."""
    first = steps[0]
    quiet = first.quiet and goal_in(first.best.score) != 1
    return BANDS[min(2, first.depth - 1 + len(steps) - 1 + quiet)]


def written(variant: Variant, steps: Sequence[Step]) -> dict[str, Any]:
    """Return a puzzle as the values of a line."""
    first, gain = steps[0], gained(steps[0])
    moves, rest = [each.best.move for each in steps], first.rest.line[1:2]
    replies = [move_text(s.position.after(s.best.move), s.best.line[1]) for s in steps[:-1]]
    return {
        "position": first.position.to_text(),
        "band": band_of(steps),
        "theme": theme_of(variant, first.position, moves, rest[0] if rest else None, gain),
        "solutions": [[move_text(s.position, move) for move in s.solutions] for s in steps],
        "replies": replies,
        "tempting": list(texts_of(first.position, first.rest.line[:2])),
        "gain": gain,
        "depth": first.depth,
    }


def gained(first: Step) -> float | str:
    """Return the best move's advantage: in points, or a win, or not losing."""
    if won(first.worst):
        return GAINS[0]
    if lost(first.rest.score):
        return GAINS[1]
    return round(first.margin / 100, 1)


def answer(line: str) -> str:
    """Answer one line."""
    asked = json.loads(line)
    variant = VARIANTS[asked["variant"]]
    puzzle = confirmed(variant, variant.position(asked["position"]))
    return json.dumps({"puzzle": puzzle} if puzzle else {"reason": NO_PUZZLE})


if __name__ == "__main__":
    print(answer(sys.stdin.readline()), flush=True)
