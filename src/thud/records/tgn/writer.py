"""Format records as text, in one canonical way; see docs/notation.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from thud.records.bounds import (
    MAX_BYTES,
    MAX_COMMENTS,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_QUIET,
    MAX_TAGS,
    MAX_VARIED,
    InvalidRecord,
    check_comment,
    check_tag,
    parse_date,
)
from thud.records.record import BattleRecord, Line, Node, Record
from thud.records.tree import lines
from thud.rules.notation import move_text
from thud.rules.position import Position, Side
from thud.rules.variant import Outcome, Reason

GOES_ON: Final = "*"
"""The result of an unfinished battle or match."""

ENDS: Final = {
    Reason.AGREEMENT: "agreement",
    Reason.QUIET: "quiet limit",
    Reason.NO_MOVES: "no moves",
    Reason.GOAL: "goal",
    Reason.NO_GOAL: "no goal",
    Reason.TIME: "time",
    Reason.RESIGNATION: "resignation",
    Reason.CLAIM: "claim",
}
"""The format's words for why a battle ended."""


def tgn_text(*records: Record) -> str:
    """Return the text of one or several matches.

    Raises:
        InvalidRecord: something in them could not be read back.
    """
    text = "\n".join(map(_match_text, records))
    if len(text.encode()) > MAX_BYTES:
        raise InvalidRecord(f"the record is larger than {MAX_BYTES >> 20} MiB")
    return text


def result_text(outcome: Outcome | None) -> str:
    """Return the points of dwarfs and trolls, such as `"20-8"`, or `"*"` if unfinished."""
    if outcome is None:
        return GOES_ON
    return f"{outcome.score.dwarfs:g}-{outcome.score.trolls:g}"


def match_result_text(record: Record) -> str:
    """Return both players' points, such as `"25-31"`, or `"*"` if unfinished."""
    if not record.over:
        return GOES_ON
    first, second = record.tally
    return f"{first:g}-{second:g}"


def own_tags(record: Record) -> dict[str, str]:
    """Return our non-empty tags of a match, in order."""
    usual, second = record.start == record.variant.start, record.second
    tags = {
        "Event": record.event,
        "Date": parse_date(record.date) if record.date else "",
        "Variant": record.variant.name,
        "Start": "" if usual else record.start.to_text(),
        "Start2": "" if second is None else second.to_text(),
        "TimeControl": str(record.control or ""),
    }
    for number in range(1, len(record.battles) + 1):
        dwarfs, trolls = record.commanders(number)
        tags |= {f"Dwarfs{number}": dwarfs, f"Trolls{number}": trolls}
    tags |= {"Program1": record.programs[0], "Program2": record.programs[1]}
    for number, battle in enumerate(record.battles, 1):
        tags[f"QuietLimit{number}"] = str(battle.quiet_limit or "")
        tags[f"Result{number}"] = result_text(battle.outcome)
        tags[f"End{number}"] = ENDS[battle.outcome.reason] if battle.outcome else ""
    tags["Result"] = match_result_text(record)
    return {name: value for name, value in tags.items() if value}


def _match_text(record: Record) -> str:
    written = list(map(_tag_line, *zip(*_checked_tags(record), strict=True)))
    for battle in record.battles:
        written += ["", *_battle_lines(battle)]
    return "\n".join(written) + "\n"


def _checked_tags(record: Record) -> list[tuple[str, str]]:
    own = own_tags(record)
    tags = [*own.items(), *record.tags]
    if len(tags) > MAX_TAGS:
        raise InvalidRecord(f"a match has at most {MAX_TAGS} tags")
    seen: set[str] = set()
    for name, value in tags:
        check_tag(name, value)
        if name in seen:
            raise InvalidRecord(f"the tag {name} is given twice")
        seen.add(name)
    return tags


def _tag_line(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _battle_lines(battle: BattleRecord) -> Iterator[str]:
    """Yield a text line for each turn, variations after the move they vary, then the result.

    Moves taken back come last; an empty pair of parentheses means that there are none, but other
    lines continue from the end.
    """
    check_battle(battle)
    yield from _in_braces(battle.line[0])
    yield from _turns(battle, battle.line, battle.start, 0)
    if not battle.taken_back and battle.line[-1].variations:
        yield "()"
    yield result_text(battle.outcome)


def check_battle(battle: BattleRecord) -> None:
    """Check that a battle can be written.

    Raises:
        InvalidRecord: something in it could not be read back.
    """
    if battle.quiet_limit is not None and not 1 <= battle.quiet_limit <= MAX_QUIET:
        raise InvalidRecord(f"a quiet limit is from 1 to {MAX_QUIET}, not {battle.quiet_limit}")
    if battle.taken_back and not battle.line[-1].variations:
        raise InvalidRecord("what was taken back goes on from the end of the battle")
    comments = varied = 0
    for trail, first, line in lines(battle):
        if first + len(line) - 1 > MAX_PLIES:
            raise InvalidRecord(f"a battle in a record has at most {MAX_PLIES} moves")
        if len(trail) > MAX_DEPTH:
            raise InvalidRecord(f"variations are at most {MAX_DEPTH} deep in one another")
        if trail and not line:
            raise InvalidRecord("a variation has no moves")
        if trail and line[-1].variations:
            raise InvalidRecord("a variation begins where no move was played")
        for node in line:
            comments += len(node.comments)
            for text in node.comments:
                check_comment(text)
        varied += len(line) if trail else 0
    if comments > MAX_COMMENTS:
        raise InvalidRecord(f"a battle in a record has at most {MAX_COMMENTS} comments")
    if varied > MAX_VARIED:
        raise InvalidRecord(f"the variations of a battle have at most {MAX_VARIED} moves in all")


def _turns(battle: BattleRecord, line: Line, position: Position, first: int) -> Iterator[str]:
    """Yield numbered moves after a line's node of ply `first`, with comments and variations.

    Recursive in variations, whose depth is bounded.
    """
    trolls_begin = battle.start.to_move is Side.TROLLS
    words: list[str] = []
    for ply, (before, node) in enumerate(pairwise(line), first):
        assert node.move
        by_trolls = ply % 2 != trolls_begin
        words = words or [f"{battle.turn(ply)}.", *(["..."] if by_trolls else [])]
        words += [move_text(position, node.move), *_in_braces(node)]
        if by_trolls or before.variations:
            yield " ".join(words)
            words = []
        for each in before.variations:
            yield from _in_parentheses(_turns(battle, (Node(), *each), position, ply))
        position = position.after(node.move)
    if words:
        yield " ".join(words)
    for each in line[-1].variations:
        last = first + len(line) - 1
        yield from _in_parentheses(_turns(battle, (Node(), *each), position, last))


def _in_parentheses(texts: Iterable[str]) -> list[str]:
    enclosed = list(texts)
    enclosed[0] = f"({enclosed[0]}"
    enclosed[-1] += ")"
    return enclosed


def _in_braces(node: Node) -> Iterator[str]:
    return (f"{{{text}}}" for text in node.comments)
