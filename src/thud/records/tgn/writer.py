"""Format records as text, in one canonical way; see docs/notation.md."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from thud.records.bounds import MAX_BYTES
from thud.records.record import (
    MAX_TAGS,
    BattleRecord,
    InvalidRecord,
    Line,
    Node,
    Record,
    check_battle,
    check_tag,
    parse_date,
)
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
    tags["Result"] = "{:g}-{:g}".format(*record.tally) if record.over else GOES_ON
    return {name: value for name, value in tags.items() if value}


def _match_text(record: Record) -> str:
    """Return the text of a match: its tags, and its battles turn by turn.

    In a battle, moves taken back come last; an empty pair of parentheses means that there are none,
    but other lines continue from the end.
    """
    tags = [*own_tags(record).items(), *record.tags]
    if len(tags) > MAX_TAGS:
        raise InvalidRecord(f"a match has at most {MAX_TAGS} tags")
    written: list[str] = []
    seen: set[str] = set()
    for name, value in tags:
        check_tag(name, value)
        if name in seen:
            raise InvalidRecord(f"the tag {name} is given twice")
        seen.add(name)
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        written.append(f'[{name} "{escaped}"]')
    for battle in record.battles:
        check_battle(battle)
        written += ["", *_in_braces(battle.line[0])]
        written += _turns(battle, battle.line, battle.start, 0)
        if not battle.taken_back and battle.line[-1].variations:
            written.append("()")
        written.append(result_text(battle.outcome))
    return "\n".join(written) + "\n"


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
            yield from _variation(battle, each, position, ply)
        position = position.after(node.move)
    if words:
        yield " ".join(words)
    for each in line[-1].variations:
        yield from _variation(battle, each, position, first + len(line) - 1)


def _variation(battle: BattleRecord, line: Line, position: Position, first: int) -> list[str]:
    texts = list(_turns(battle, (Node(), *line), position, first))
    texts[0] = f"({texts[0]}"
    texts[-1] += ")"
    return texts


def _in_braces(node: Node) -> list[str]:
    return [f"{{{text}}}" for text in node.comments]
