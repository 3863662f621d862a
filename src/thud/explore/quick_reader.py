"""Fast reader for records as Thud writes them: every move is checked, nothing else is kept.

The full reader knows every layout that people and programs use, and says what is wrong in which
line.  Matches of one's own store need neither: this reader takes their moves word by word, and
leaves anything unusual to the full one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import cycle, groupby
from typing import Final

from thud.records.record import (
    MAX_COMMENT,
    MAX_PLIES,
    BattleRecord,
    Line,
    Node,
    Record,
    parse_quiet_limit,
)
from thud.records.tgn.lexer import only_draft
from thud.records.tgn.reader import outline_of
from thud.records.tgn.writer import ENDS, GOES_ON, own_tags, result_text
from thud.rules.clock import parse_control
from thud.rules.match import BATTLES
from thud.rules.notation import read_move
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.rules.variant import Forfeit, Outcome, Reason, Variant

_COMMENT: Final = re.compile(rf"\{{[^{{}}]{{1,{MAX_COMMENT}}}\}}")
_RESULTS: Final = ("Result1", "End1", "Result2", "End2", "Result")
_REASONS: Final = {word: reason for reason, word in ENDS.items()}
_FORFEITS: Final = (Reason.TIME, Reason.RESIGNATION, Reason.CLAIM)


class Unusual(ValueError):
    """A text has to be read by the full reader."""


def read_quickly(text: str) -> list[Record]:
    """Return the matches of a clean text without comments, variations and clocks.

    Raises:
        ValueError: the text is faulty, or not laid out as Thud does.
    """
    if "(" in text:
        raise Unusual("it has variations")
    parts, head = text.split("\n\n"), ""
    matches: list[Record] = []
    for is_head, group in groupby(parts, lambda part: part.startswith("[")):
        if is_head:
            *others, head = group
            if others:
                raise Unusual("a match has no battle")
        else:
            matches.append(_match(head, list(group)))
    if not matches or parts[-1].startswith("["):
        raise Unusual("a match has no battle")
    return matches


def _match(head: str, battles: Sequence[str]) -> Record:
    draft = only_draft(f"{head}\n{GOES_ON}")
    outline = outline_of(draft)
    values = {name: tag.text for name, tag in draft.tags.items() if tag.text}
    if len(draft.battles) > 1 or len(battles) > BATTLES:
        raise Unusual("there are moves among the tags, or too many battles")
    if "TimeControl" in values:
        parse_control(values["TimeControl"])
    read: list[BattleRecord] = []
    for number, (start, text) in enumerate(zip(outline.starts, battles, strict=False), 1):
        if read and not read[-1].outcome:
            raise Unusual("the first battle is not over")
        limit = values.get(f"QuietLimit{number}")
        quiet_limit = parse_quiet_limit(limit) if limit else None
        words = _COMMENT.sub("", text).split()
        result = words.pop() if words else ""
        line, last, quiet = _line(outline.variant, start, words, quiet_limit)
        end = values.get(f"End{number}", "")
        outcome = _outcome(outline.variant, last, result, end, quiet=quiet)
        read.append(BattleRecord(start, line, outcome, quiet_limit))
    record = outline._replace(battles=tuple(read))
    own = own_tags(record)
    for name in _RESULTS:
        expected = own.get(name, "" if name.startswith("End") else GOES_ON)
        if values.get(name, expected) != expected:
            raise Unusual("a tag contradicts the moves")
    return record


def _line(
    variant: Variant, position: Position, words: list[str], quiet_limit: int | None
) -> tuple[Line, Position, bool]:
    """Return the line of moves, the position after them, and whether the quiet limit is reached."""
    if position.to_move is Side.TROLLS or words[::3] != _numbers((len(words) + 2) // 3):
        raise Unusual("the moves are not numbered as usual")
    del words[::3]
    if len(words) > MAX_PLIES:
        raise Unusual("there are too many moves")
    line, quiet = [Node()], 0
    for word, mover in zip(words, cycle("dT")):
        letter, move, node = _move(word)
        if letter != (STONE_LETTER if move.origin == position.stone else mover):
            raise Unusual("another piece is there")
        if quiet == quiet_limit or not variant.is_legal(position, move):
            raise Unusual("the move is illegal")
        line.append(node)
        quiet = 0 if move.captures else quiet + 1
        position = position.after(move)
    return tuple(line), position, quiet == quiet_limit


@lru_cache(1 << 14)
def _move(word: str) -> tuple[str | None, Move, Node]:
    """Return a move text's letter, and the move and its node, which many battles share."""
    letter, move = read_move(word)
    return letter, move, Node(move)


@cache
def _numbers(turns: int) -> list[str]:
    return [f"{turn}." for turn in range(1, turns + 1)]


def _outcome(
    variant: Variant, position: Position, result: str, end: str, *, quiet: bool
) -> Outcome | None:
    """Return how a battle ended, by its result and the word for its end."""
    reason = Reason.QUIET if quiet else _REASONS.get(end)
    if outcome := variant.outcome(position):
        found = [outcome]
    elif result == GOES_ON and not quiet:
        return None
    elif reason in (Reason.QUIET, Reason.AGREEMENT):
        found = [variant.settled(position, reason)]
    elif reason in _FORFEITS:
        losers = (position.to_move,) if reason is Reason.TIME else tuple(Side)
        found = [variant.forfeited(position, Forfeit(loser, reason)) for loser in losers]
    else:
        raise Unusual("there is no word for how the battle ended")
    for outcome in found:
        if result_text(outcome) == result:
            return outcome
    raise Unusual("the result contradicts the moves")
