"""The book of puzzles: a file a variant within the package, a puzzle a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from thud.puzzles.puzzle import BANDS, Puzzle
from thud.puzzles.task import tasks
from thud.rules.notation import move_text, written_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.wording.text import quoted

PUZZLED: Final = ("classic", "single", "koom")
"""The variants that there are puzzles of."""


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return every puzzle, the easiest first, the variants in turn."""
    found = (puzzle for name in PUZZLED for puzzle in _of(VARIANTS[name]))
    return tuple(sorted(found, key=lambda each: (BANDS.index(each.band), each.number)))


def puzzle_of(name: str, known: Sequence[Puzzle] | None = None) -> Puzzle:
    """Return a puzzle by its id, of those that are known or of ours.

    Raises:
        ValueError: there is none of that id.
    """
    for puzzle in puzzles() if known is None else known:
        if puzzle.id == name.lower():
            return puzzle
    raise ValueError(f"there is no puzzle {quoted(name)}: 'thud puzzles --list' lists them")


def chosen(
    variant: Variant | None, band: str | None, known: Sequence[Puzzle] | None = None
) -> list[Puzzle]:
    """Return the puzzles of a variant and of a band, or of all, that are known or are ours."""
    return [
        puzzle
        for puzzle in (puzzles() if known is None else known)
        if variant in (None, puzzle.variant) and band in (None, puzzle.band)
    ]


def as_written(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as our files have it, with its id and the name of its variant."""
    named = {"id": puzzle.id, "variant": puzzle.variant.name}
    return named | (_lines(puzzle.variant).get(puzzle.id) or _values(puzzle))


def _values(puzzle: Puzzle) -> dict[str, Any]:
    """Return what there is to be known of a puzzle that is in no file of ours."""
    places = list(tasks(puzzle))
    answers = [task.position.after(task.solution) for task in places]
    tempting = zip(_positions(puzzle.position, puzzle.tempting), puzzle.tempting, strict=False)
    return {
        "position": puzzle.position.to_text(),
        "band": puzzle.band,
        "theme": puzzle.theme,
        "solutions": [[move_text(at.position, each) for each in at.solutions] for at in places],
        "replies": [move_text(*each) for each in zip(answers, puzzle.replies, strict=False)],
        "tempting": [move_text(*each) for each in tempting],
        "gain": puzzle.gain,
    }


def _positions(position: Position, moves: Sequence[Move]) -> Iterator[Position]:
    for move in moves:
        yield position
        position = position.after(move)


def _of(variant: Variant) -> Iterator[Puzzle]:
    for name, values in _lines(variant).items():
        yield puzzle_from(name, variant, values)


@cache
def _lines(variant: Variant) -> dict[str, dict[str, Any]]:
    """Return what a variant's file says of each puzzle, by its id."""
    text = (files(__package__) / "data" / f"{variant.name}.jsonl").read_text("utf-8")
    lines = enumerate(text.splitlines(), 1)
    return {f"{variant.name}-{number}": json.loads(line) for number, line in lines}


def puzzle_from(name: str, variant: Variant, values: dict[str, Any]) -> Puzzle:
    """Return the puzzle that a line of a file tells of, whose values are as they should be.

    Raises:
        ValueError: the position is none of the variant's, or a move of its is not legal.
    """
    start = variant.position(values["position"])
    solutions, replies = _line(variant, start, values["solutions"], values["replies"])
    return Puzzle(
        name,
        variant,
        start,
        values["band"],
        values["theme"],
        solutions,
        replies,
        _in_turn(variant, start, values["tempting"]),
        values["gain"],
    )


def _line(
    variant: Variant, position: Position, written: Sequence[list[str]], replies: Sequence[str]
) -> tuple[tuple[tuple[Move, ...], ...], tuple[Move, ...]]:
    """Return the solutions at each turn, and the replies between them."""
    solutions, answers = list[tuple[Move, ...]](), list[Move]()
    for texts, reply in zip(written, (*replies, ""), strict=True):
        best = tuple(written_move(variant, position, text) for text in texts)
        solutions.append(best)
        position = position.after(best[0])
        if reply:
            answers.append(written_move(variant, position, reply))
            position = position.after(answers[-1])
    return tuple(solutions), tuple(answers)


def _in_turn(variant: Variant, position: Position, texts: Sequence[str]) -> tuple[Move, ...]:
    moves = list[Move]()
    for text in texts:
        moves.append(written_move(variant, position, text))
        position = position.after(moves[-1])
    return tuple(moves)
