"""Write records as text, each record in one way only; docs/notation.md describes the format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from thud.records.bounds import (
    MAX_BYTES,
    MAX_COMMENTS,
    MAX_PLIES,
    MAX_QUIET,
    MAX_TAGS,
    InvalidRecord,
    check_comment,
    check_tag,
    parse_date,
)
from thud.records.record import BattleRecord, Record
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.rules.variant import Outcome, Reason

GOES_ON: Final = "*"
"""The result of what is not over."""

ENDS: Final = {
    Reason.AGREEMENT: "agreement",
    Reason.QUIET: "quiet limit",
    Reason.NO_MOVES: "no moves",
    Reason.GOAL: "goal",
    Reason.NO_GOAL: "no goal",
}
"""The words for why a battle ended."""


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
    """Return the points of dwarfs and trolls, such as `"20-8"`, or `"*"` where it goes on."""
    if outcome is None:
        return GOES_ON
    return f"{outcome.score.dwarfs:g}-{outcome.score.trolls:g}"


def match_result_text(record: Record) -> str:
    """Return the points of both players such as `"25-31"`, or `"*"` for a match that goes on."""
    if not record.over:
        return GOES_ON
    first, second = record.tally
    return f"{first:g}-{second:g}"


def own_tags(record: Record) -> dict[str, str]:
    """Return the tags that say what is known of a match, in their order, none of them empty."""
    usual, second = record.start == record.variant.start, record.second
    tags = {
        "Event": record.event,
        "Date": parse_date(record.date) if record.date else "",
        "Variant": record.variant.name,
        "Start": "" if usual else record.start.to_text(),
        "Start2": "" if second is None else second.to_text(),
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
    lines = list(map(_tag_line, *zip(*_checked_tags(record), strict=True)))
    for battle in record.battles:
        lines += ["", *_battle_lines(battle)]
    return "\n".join(lines) + "\n"


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
    """Yield a line for each turn, then what was taken back in parentheses, then the result."""
    _check_battle(battle)
    played = len(battle.moves)
    texts = _move_texts(battle)
    yield from _turns(battle, list(islice(texts, played)), 0, _comments(battle))
    if battle.undone:
        undone = list(_turns(battle, list(texts), played, {}))
        undone[0] = f"({undone[0]}"
        undone[-1] += ")"
        yield from undone
    yield result_text(battle.outcome)


def _check_battle(battle: BattleRecord) -> None:
    if len(battle.moves) + len(battle.undone) > MAX_PLIES:
        raise InvalidRecord(f"a battle in a record has at most {MAX_PLIES} moves")
    if len(battle.comments) > MAX_COMMENTS:
        raise InvalidRecord(f"a battle in a record has at most {MAX_COMMENTS} comments")
    if battle.quiet_limit is not None and not 1 <= battle.quiet_limit <= MAX_QUIET:
        raise InvalidRecord(f"a quiet limit is from 1 to {MAX_QUIET}, not {battle.quiet_limit}")
    for after, text in battle.comments:
        check_comment(text)
        if not 0 <= after <= len(battle.moves):
            raise InvalidRecord(f"a comment stands after move {after}, which was not played")


def _move_texts(battle: BattleRecord) -> Iterator[str]:
    moves = chain(battle.moves, battle.undone)
    for position, move in zip(battle.positions(with_undone=True), moves, strict=False):
        yield move_text(position, move)


def _comments(battle: BattleRecord) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    for after, text in battle.comments:
        texts.setdefault(after, []).append(f"{{{text}}}")
    return texts


def _turns(
    battle: BattleRecord, texts: list[str], first: int, comments: dict[int, list[str]]
) -> Iterator[str]:
    """Yield the lines of numbered moves from ply `first` on, with the comments behind them."""
    yield from comments.get(0, ())
    trolls_begin = battle.start.to_move is Side.TROLLS
    line: list[str] = []
    for ply, text in enumerate(texts, first):
        by_trolls = ply % 2 != trolls_begin
        if not line:
            line = [f"{battle.turn(ply)}.", *(["..."] if by_trolls else [])]
        line += [text, *comments.get(ply + 1, ())]
        if by_trolls:
            yield " ".join(line)
            line = []
    if line:
        yield " ".join(line)
