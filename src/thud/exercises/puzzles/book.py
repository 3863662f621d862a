"""The book of puzzles: one file for each variant in the package, one puzzle a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import blake2s
from importlib.resources import files
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from thud.disk.atomic import write_atomic
from thud.disk.small import open_regular
from thud.exercises.drill import Task
from thud.exercises.puzzles.puzzle import BANDS, Puzzle, PuzzleTask, tasks
from thud.exercises.puzzles.themes import GAINS, THEMES, Theme, theme_of
from thud.rules.notation import move_text, texts_of, written_move
from thud.rules.position import Move
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.text import quoted

_DATA: Final = files(__package__) / "data"
PUZZLED: Final = tuple(name for name in VARIANTS if (_DATA / f"{name}.jsonl").is_file())
"""The variants with a file of puzzles."""


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, easiest first, alternating between the variants, Classic first."""
    known = [
        [puzzle_from(each, variant, values) for each, values in _lines(variant).items()]
        for variant in (VARIANTS[name] for name in PUZZLED)
    ]
    found = list[Puzzle]()
    for band in BANDS:
        alike = ([each for each in some if each.band == band] for some in known)
        found += filter(None, chain.from_iterable(zip_longest(*alike)))
    return tuple(found)


def id_in_book(task: Task) -> str:
    """Return the id of the puzzle of the book that a task is of, empty for any other task."""
    return task.puzzle.id if isinstance(task, PuzzleTask) and task.puzzle in puzzles() else ""


class Daily(NamedTuple):
    """The puzzle of a day."""

    day: date
    puzzle: Puzzle


def puzzle_of_the_day(day: date) -> Daily:
    """Return the puzzle of a day: the same for everybody, whatever is added to the book."""

    def lot(puzzle: Puzzle) -> bytes:
        of = f"{day.isoformat()} {puzzle.variant.name} {puzzle.position.to_text()}"
        return blake2s(of.encode()).digest()

    return Daily(day, min(puzzles(), key=lot))


def puzzle_of(name: str, known: Sequence[Puzzle] | None = None) -> Puzzle:
    """Return a puzzle by its id, from `known` or the book.

    Raises:
        ValueError: there is none with this id.
    """
    for puzzle in puzzles() if known is None else known:
        if puzzle.id == name.lower():
            return puzzle
    raise ValueError(f"there is no puzzle {quoted(name)}: 'thud puzzles --list' lists them")


def as_written(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle's line as values, with its id and its variant's name."""
    named = {"id": puzzle.id, "variant": puzzle.variant.name}
    if line := _lines(puzzle.variant).get(puzzle.id):
        return named | line
    places = list(tasks(puzzle))
    answers = [task.position.after(task.solution) for task in places]
    return named | {
        "position": puzzle.position.to_text(),
        "band": puzzle.band,
        "theme": puzzle.theme,
        "solutions": [[move_text(at.position, each) for each in at.solutions] for at in places],
        "replies": [move_text(*each) for each in zip(answers, puzzle.replies, strict=False)],
        "tempting": list(texts_of(puzzle.position, puzzle.tempting)),
        "gain": puzzle.gain,
    }


@cache
def _lines(variant: Variant) -> dict[str, dict[str, Any]]:
    """Return the lines of a variant's file by puzzle id, which counts empty lines, too."""
    text = (_DATA / f"{variant.name}.jsonl").read_text("utf-8")
    lines = enumerate(text.splitlines(), 1)
    return {f"{variant.name}-{number}": json.loads(line) for number, line in lines if line}


def puzzle_from(name: str, variant: Variant, values: dict[str, Any]) -> Puzzle:
    """Return the puzzle for a line's values, whose types are trusted.

    Raises:
        ValueError: the position is not one of the variant's, or a move is illegal.
    """
    start = position = variant.position(values["position"])
    solutions, replies = list[tuple[Move, ...]](), list[Move]()
    for texts, reply in zip(values["solutions"], (*values["replies"], ""), strict=True):
        best = tuple(written_move(variant, position, text) for text in texts)
        solutions.append(best)
        position = position.after(best[0])
        if reply:
            replies.append(written_move(variant, position, reply))
            position = position.after(replies[-1])
    tempting, position = list[Move](), start
    for text in values["tempting"]:
        tempting.append(written_move(variant, position, text))
        position = position.after(tempting[-1])
    gain, rest = values["gain"], tempting[1] if tempting[1:] else None
    if values["theme"] in THEMES:
        theme = Theme(values["theme"])
    else:  # as version 0.1.0 wrote it: a sentence
        theme = theme_of(variant, start, [best[0] for best in solutions], rest, gain)
    return Puzzle(
        name,
        variant,
        start,
        values["band"],
        theme,
        tuple(solutions),
        tuple(replies),
        tuple(tempting),
        gain,
    )


SUFFIX: Final = ".jsonl"
MAX_BYTES: Final = 1 << 20
"""Largest file, in bytes."""

_MOST_MOVES: Final = 200
"""Limit on the solutions of one turn, and on the characters of a theme."""
_MOST_GAIN: Final = 1000
"""Greatest gain in points, far more than there are on any board."""
_MOST_DIGITS: Final = 20
"""Limit on the digits of a whole number."""


class BadPuzzle(ValueError):
    """A file or line of puzzles is invalid; the message says why."""


def read_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """Read the puzzles of a file, in order; each id ends with its line number.

    Raises:
        BadPuzzle: with the line and the reason, or if the file has no puzzles.
        OSError: it cannot be read.
    """
    lines = _text(path).splitlines()
    found = tuple(puzzle_on(number, line) for number, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise BadPuzzle("the file has no puzzles")
    return found


def puzzle_on(number: int, line: str) -> Puzzle:
    """Parse and check the puzzle on a line.

    Raises:
        BadPuzzle: it is invalid.
    """
    try:
        values = json.loads(line, parse_int=_whole_number, parse_constant=_no_number)
        variant = VARIANTS[_one_of(values, "variant", tuple(VARIANTS))]
        _check(values)
        digest = blake2s(f"{variant.name} {values['position']}".encode(), digest_size=4)
        puzzle = puzzle_from(f"{digest.hexdigest()}-{number}", variant, values)
        if puzzle.tempting[0] in puzzle.solutions[0]:
            raise BadPuzzle("the tempting move is a solution")
    except RecursionError:
        raise BadPuzzle(f"line {number}: it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadPuzzle(f"line {number}: it is not JSON: {error.msg}") from None
    except ValueError as error:
        raise BadPuzzle(f"line {number}: {error}") from None
    return puzzle


def add_puzzle(path: Path, values: Mapping[str, Any]) -> None:
    """Append a puzzle to a file, which need not exist.

    Raises:
        BadPuzzle: the file has it already, is no file of puzzles, or would be too large.
        OSError: it cannot be written.
    """
    before = _text(path) if path.exists() else ""
    if before.strip():
        there = {(each.variant, each.position) for each in read_puzzles(path)}
        new = puzzle_on(1, json.dumps(values))
        if (new.variant, new.position) in there:
            raise BadPuzzle("this puzzle is already in the file")
    begun = before if before.endswith("\n") or not before else f"{before}\n"
    data = f"{begun}{json.dumps(values)}\n".encode()
    if len(data) > MAX_BYTES:
        raise BadPuzzle(_TOO_LARGE)
    write_atomic(path, data)


_TOO_LARGE: Final = f"a file of puzzles has at most {MAX_BYTES >> 20} MiB"


def _text(path: Path) -> str:
    with open_regular(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadPuzzle(_TOO_LARGE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadPuzzle("it is not UTF-8 text") from None


def _check(values: dict[str, Any]) -> None:
    """Check the types and ranges of a puzzle's values."""
    _one_of(values, "band", BANDS)
    theme = values.get("theme")
    if not (isinstance(theme, str) and theme.isprintable() and 0 < len(theme) <= _MOST_MOVES):
        raise BadPuzzle("theme must be a few words")
    if not isinstance(values.get("position"), str):
        raise BadPuzzle("position must be a position text")
    gain: Any = values.get("gain")
    points = isinstance(gain, int | float) and not isinstance(gain, bool)
    if not (abs(gain) <= _MOST_GAIN if points else gain in GAINS):
        known = ", ".join(GAINS)
        raise BadPuzzle(f"gain must be a number of points up to {_MOST_GAIN}, or one of {known}")
    solutions, replies = values.get("solutions"), values.get("replies")
    if not (isinstance(solutions, list) and solutions and all(map(_are_texts, solutions))):
        raise BadPuzzle("solutions must be lists of moves, none of them empty")
    if not (isinstance(replies, list) and (not replies or _are_texts(replies))):
        raise BadPuzzle("replies must be a list of moves")
    if len(replies) != len(solutions) - 1:
        raise BadPuzzle("there must be a reply between any two solutions")
    if not _are_texts(values.get("tempting")):
        raise BadPuzzle("tempting must be a list of moves, not empty")


def _whole_number(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise BadPuzzle("a number in it is too long")
    return int(text)


def _no_number(name: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which only Python's JSON has."""
    raise BadPuzzle(f"it is not JSON: {name} is not a number")


def _one_of(values: object, name: str, known: tuple[str, ...]) -> str:
    if not isinstance(values, dict):
        raise BadPuzzle("a puzzle is an object, in braces")
    value = values.get(name)
    if not isinstance(value, str) or value not in known:
        raise BadPuzzle(f"{name} must be one of {', '.join(known)}")
    return value


def _are_texts(value: object) -> bool:
    if not isinstance(value, list) or not 0 < len(value) <= _MOST_MOVES:
        return False
    return all(isinstance(each, str) and len(each) <= _MOST_MOVES for each in value)
