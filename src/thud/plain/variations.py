"""What else was tried in a battle, and what was said of its moves, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from thud.records.outline import Entry, outline
from thud.records.record import BattleRecord, Line
from thud.records.tree import Trail, lines


def tried_in_words(battle: BattleRecord) -> list[str]:
    """Return a sentence for each variation of a battle, and one for each comment."""
    texts: dict[Trail, list[Entry]] = {}
    for entry in outline(battle):
        texts.setdefault(entry.trail, []).append(entry)
    found: list[str] = []
    for trail, begins, line in sorted(lines(battle), key=lambda each: each[0]):
        moves = [entry.text for entry in texts.get(trail, ())]
        if trail:
            found.append(f"{_name(trail)}, after {_counted(begins)}: {', '.join(moves)}.")
        found += _said(line, moves)
    return found or ["Nothing else was tried in this battle."]


def _name(trail: Trail) -> str:
    """Return what a variation is called: `Variation 2.1` is the first one of the second."""
    return f"Variation {'.'.join(str(index + 1) for index in trail)}"


def _counted(moves: int) -> str:
    return "no move" if not moves else "1 move" if moves == 1 else f"{moves} moves"


def _said(line: Line, moves: list[str]) -> Iterator[str]:
    for after, text in line.comments:
        where = f"On {moves[after - 1]}" if after else "At the beginning"
        yield f"{where}: {text}"
