"""Several moves that are pasted at once: all of them can be played, or none is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.rules.battle import Battle
from thud.rules.position import Move, Side
from thud.rules.typed import read_typed
from thud.rules.variant import IllegalMove
from thud.wording.text import quoted

MOST: Final = 100
"""So many moves can be pasted at once: each is kept on the disk before the next is played."""


def pasted_lines(text: str) -> list[str]:
    """Return the moves of a text, one a line, without the key that opens the line to type in."""
    lines = (line.strip().lstrip(":/").strip() for line in text.splitlines())
    return [line for line in lines if line]


def read_pasted(battle: Battle, lines: list[str], plays: Callable[[Side], bool]) -> list[Move]:
    """Read moves that follow one another from where a battle stands.

    Args:
        battle: what is played; it stays as it is.
        lines: the moves.
        plays: whether whoever pastes plays for a side.

    Raises:
        ValueError: there are too many, or one of them cannot be played or leaves open what it
            captures; the message says which.
    """
    if len(lines) > MOST:
        raise IllegalMove(f"at most {MOST} moves can be pasted at once")
    tried = Battle(battle.variant, battle.position)
    for line in lines:
        try:
            if not plays(tried.position.to_move):
                raise IllegalMove("somebody else is to move then")
            tried.play(_only_move(tried, line))
        except ValueError as refusal:
            told = f"none of the moves was played, for {quoted(line)}: {refusal}"
            raise IllegalMove(told) from refusal
    return list(tried.moves)


def _only_move(battle: Battle, line: str) -> Move:
    moves = read_typed(battle.variant, battle.position, line)
    if len(moves) > 1:
        raise IllegalMove("say what it captures: all, none or squares")
    return moves[0]
