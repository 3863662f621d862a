"""The engine protocol for both ends; docs/engine.md describes it.

Commands to an engine and its answers are both formatted and parsed here, so that the two ends
cannot diverge.  Names and forms are those of chess's UCI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

from thud.ai.player import Decision, Limits, Thought
from thud.ai.scores import GOAL, own_moves
from thud.rules.battle import Battle
from thud.rules.notation import move_text, parse_move, texts_of
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.text import quoted

MAX_LINE: Final = 1 << 18
"""Longest line, in bytes: room for a position and `MAX_MOVES` moves."""

MAX_MOVES: Final = 5000
"""Most moves after a position."""

NO_MOVE: Final = "0000"
"""Text in place of a move where there is none."""

END: Final = "end"
"""Word after a best move: the player would rather end the battle."""

_LONGEST_LINE_OF_MOVES: Final = 40
_LONGEST_SENTENCE: Final = 400
_MOST_LINES: Final = 100
_BOUNDS: Final = {"movetime": 10**8, "nodes": 10**12, "depth": 200}
_INTEGER: Final = re.compile(r"-?[0-9]{1,15}", re.ASCII)


class BadLine(ValueError):
    """An invalid line, or one that cannot be obeyed now; the message says why."""


class Go(NamedTuple):
    """Limits of a search; `endless` thinks until `stop`, even when done."""

    limits: Limits
    endless: bool = False


class PositionCommand(NamedTuple):
    """A battle to think about: its start, and the moves as texts."""

    start: Position
    moves: tuple[str, ...] = ()


# Commands


def position_line(battle: Battle, played: int) -> str:
    """Format `position` for the first moves of a battle."""
    start = battle.start
    usual = start == battle.variant.start
    words = ["position", "startpos" if usual else f"text {start.to_text()}"]
    if moves := battle.moves[:played]:
        words.append("moves")
    words += map(move_text, battle.positions, moves)
    return " ".join(words)


def parse_position(variant: Variant, rest: str) -> PositionCommand:
    """Parse the arguments of `position`; the moves are not checked.

    Raises:
        ValueError: they are invalid, or the position text is not one of the variant.
    """
    where, _, texts = f"{' '.join(rest.split())} ".partition(" moves ")
    form, _, text = where.strip().partition(" ")
    moves = tuple(texts.split())
    if len(moves) > MAX_MOVES:
        raise BadLine(f"a position has at most {MAX_MOVES} moves behind it")
    if form == "text" and text:
        return PositionCommand(variant.position(text), moves)
    if form == "startpos" and not text:
        return PositionCommand(variant.start, moves)
    raise BadLine("position is followed by startpos, or by text and a position text; then by moves")


def played(variant: Variant, start: Position, texts: Sequence[str]) -> Iterator[Position]:
    """Yield the position after each move.

    Raises:
        BadLine: a move is not legal; the message says which and why.
    """
    position = start
    for number, text in enumerate(texts, 1):
        try:
            position = position.after(parse_move(variant, position, text))
        except ValueError as error:
            raise BadLine(f"move {number}, {quoted(text)}: {error}") from error
        yield position


def go_line(limits: Limits) -> str:
    """Format `go` with its limits."""
    seconds, nodes, depth = limits
    words = ["go"]
    if seconds is not None:
        words.append(f"movetime {max(1, round(seconds * 1000))}")
    if nodes is not None:
        words.append(f"nodes {max(1, nodes)}")
    if depth is not None:
        # The depth may be that of another thought, and 0 if it finished none.
        words.append(f"depth {max(1, depth)}")
    return " ".join(words)


def parse_go(rest: str) -> Go:
    """Parse the arguments of `go`.

    Raises:
        BadLine: they are invalid.
    """
    words = rest.split()
    found: dict[str, int] = {}
    endless = False
    while words:
        word = words.pop(0)
        if word == "infinite" and not endless:
            endless = True
        elif word in _BOUNDS and word not in found:
            text, most = words.pop(0) if words else "", _BOUNDS[word]
            if not (_INTEGER.fullmatch(text) and 1 <= int(text) <= most):
                raise BadLine(f"{word} is followed by a whole number from 1 to {most}")
            found[word] = int(text)
        else:
            known = "movetime, nodes, depth or infinite, each once"
            raise BadLine(f"go is followed by {known}, not {quoted(word)}")
    movetime = found.get("movetime")
    seconds = None if movetime is None else movetime / 1000
    return Go(Limits(seconds, found.get("nodes"), found.get("depth")), endless)


def option_line(name: str, value: object) -> str:
    """Format `setoption`."""
    return f"setoption name {name} value {value}"


def parse_option(rest: str) -> tuple[str, str]:
    """Parse the arguments of `setoption`: the name, in lower case, and the value.

    Raises:
        BadLine: they are invalid.
    """
    words = rest.split()
    if len(words) >= 4 and words[0] == "name" and "value" in words[2:-1]:
        middle = words.index("value", 2)
        return " ".join(words[1:middle]).lower(), " ".join(words[middle + 1 :])
    raise BadLine("setoption is followed by name, the option's name, value and the value")


# Answers


def sentence_line(text: str) -> str:
    """Format a sentence for people as one line, cut and printable."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(words) > _LONGEST_SENTENCE:
        words = f"{words[: _LONGEST_SENTENCE - 1]}…"
    return f"info string {words}"


def thought_line(position: Position, thought: Thought) -> str:
    """Format a thought about a position."""
    speed = round(thought.nodes / thought.seconds) if thought.seconds > 0 else 0
    which = f" multipv {thought.rank}" if thought.rank > 1 else ""
    score = f"cp {thought.score}"
    if thought.goal_in is not None:
        # In pairs of moves, as UCI counts moves to mate.
        pairs = own_moves(thought.goal_in)
        score = f"mate {pairs if thought.goal_in > 0 else -pairs}"
    line = (
        f"info depth {thought.depth}{which} score {score} nodes {thought.nodes}"
        f" nps {speed} time {round(thought.seconds * 1000)}"
    )
    moves = " ".join(texts_of(position, thought.line))
    return f"{line} pv {moves}" if moves else line


def parse_thought(variant: Variant, position: Position, line: str) -> Thought | None:
    """Parse a thought about a position; None for another kind of line.

    Invalid parts are ignored; the principal variation is cut before its first illegal move.
    """
    words = line.split()
    if words[:1] != ["info"] or "string" in words or "score" not in words:
        return None
    numbers, score, moves = words, words[words.index("score") :], list[str]()
    if "pv" in words:
        numbers, moves = words[: words.index("pv")], words[words.index("pv") + 1 :]
    points, goal_in = _number_after(score[:3], "cp"), None
    if pairs := _number_after(score[:3], "mate"):
        # In moves of both sides.
        goal_in = 2 * pairs - 1 if pairs > 0 else 2 * pairs
        points = GOAL - abs(goal_in) if pairs > 0 else abs(goal_in) - GOAL
    line_of_moves: list[Move] = []
    with suppress(ValueError):
        for text in moves[:_LONGEST_LINE_OF_MOVES]:
            line_of_moves.append(parse_move(variant, position, text))
            position = position.after(line_of_moves[-1])
    return Thought(
        _number_after(numbers, "depth"),
        points,
        _number_after(numbers, "nodes"),
        _number_after(numbers, "time") / 1000,
        tuple(line_of_moves),
        goal_in,
        line_number(line),
    )


def line_number(line: str) -> int:
    """Return a thought's rank among several lines, 1 by default."""
    return min(_MOST_LINES, max(1, _number_after(line.partition(" pv ")[0].split(), "multipv")))


def _number_after(words: Sequence[str], name: str) -> int:
    """Return the number after a word, 0 if there is none."""
    for word, text in pairwise(words):
        if word == name and _INTEGER.fullmatch(text):
            return int(text)
    return 0


def decision_line(position: Position, decision: Decision) -> str:
    """Format `bestmove`."""
    line = f"bestmove {move_text(position, decision.move)}"
    return f"{line} {END}" if decision.ends else line


def parse_decision(line: str) -> tuple[str, bool] | None:
    """Parse `bestmove`: the move's text, and whether to end the battle; None for another line."""
    words = line.split()
    if words[:1] != ["bestmove"]:
        return None
    return words[1] if len(words) > 1 else "", END in words[2:]


def parse_offer(line: str) -> dict[str, tuple[str, ...]]:
    """Parse an `option` line: the name, in lower case, and the values listed."""
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words[3:]:
        return {}
    middle = words.index("type", 3)
    values = tuple(value for word, value in pairwise(words[middle:]) if word == "var")
    return {" ".join(words[2:middle]).lower(): values}


WEAK: Final = "the computer is weak on this machine: "
"""How our own engines begin to say that they cannot search as usual."""


def parse_sentence(line: str) -> str:
    """Parse a sentence for people, cut and printable; empty for another line."""
    words = line.split(None, 2)
    if words[:2] != ["info", "string"] or len(words) < 3:
        return ""
    return sentence_line(words[2])[len("info string ") :]
