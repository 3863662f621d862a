"""Summaries of saved matches, for lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from thud.records.bounds import BadRecord, read_text
from thud.records.record import GUEST, LOOKED_ON, Record
from thud.records.tgn.lexer import Draft, Token, only_draft
from thud.records.tgn.reader import outline_of, read_draft
from thud.records.tgn.writer import GOES_ON
from thud.rules.handicaps import Handicap, handicap_in
from thud.rules.match import BATTLES, ahead, tally_of
from thud.rules.position import Position
from thud.rules.variant import Score, Variant

Stamp: TypeAlias = tuple[int, int, int]
"""A file's times of modification and of change in nanoseconds, and its size; zeros if unknown."""


class Summary(NamedTuple):
    """A saved match in brief.

    `modified` is the time of its file in nanoseconds.  `battle` and `turn` are the numbers of the
    battle and of the move to come, and `tally` both players' points in the finished battles.
    `starts` are the battles' starts, empty if not recorded.
    """

    id: str
    modified: int
    date: str
    variant: Variant
    players: tuple[str, str]
    programs: tuple[str, str]
    battle: int
    turn: int
    tally: tuple[float, float]
    over: bool
    starts: tuple[Position, ...] = ()
    moves: int = 0
    """Number of moves in the current battle."""
    looked_on: bool = False
    """Whether its owner only watched."""
    guest: bool = False
    """Whether its owner played it as a guest, as reported by its host."""

    @property
    def saved(self) -> datetime:
        """When it was saved."""
        return saved_at(self.modified)

    @property
    def begun(self) -> bool:
        """Whether both sides have moved."""
        return self.battle > 1 or self.moves > 1

    @property
    def set_up(self) -> bool:
        """Whether a battle had an unusual start."""
        return any(start != self.variant.start for start in self.starts)

    @property
    def handicap(self) -> Handicap | None:
        """The match's handicap, None if it is none with a name."""
        return handicap_in(self.variant, self.starts)

    @property
    def winner(self) -> int | None:
        """The player with more points in a finished match, None if drawn."""
        return ahead(self.tally) if self.over else None


def goes_on(path: Path) -> bool:
    """Whether a match is unfinished, by its file's results; its moves are not checked.

    Raises:
        BadRecord: the file is no record of one match.
        OSError: the file cannot be read.
    """
    return not _is_over(only_draft(read_text(path)))


def summary_of(path: Path) -> Summary:
    """Return the summary of a saved match.

    The moves of a finished match are not checked, those of an unfinished one are.

    Raises:
        BadRecord: the file is no record of one match.
        OSError: the file cannot be read.
    """
    modified = path.stat().st_mtime_ns
    draft = only_draft(read_text(path))
    if _is_over(draft):
        return _of_finished(path.stem, modified, draft)
    return _of_unfinished(path.stem, modified, read_draft(draft))


def saved_at(nanoseconds: int) -> datetime:
    """Return a time of modification as a local date, clamped to the range of the calendar."""
    try:
        return datetime.fromtimestamp(nanoseconds / 1e9)
    except (ValueError, OverflowError, OSError):
        return datetime.max if nanoseconds > 0 else datetime.min


def _is_over(draft: Draft) -> bool:
    return len(draft.battles) == BATTLES and draft.battles[-1][-1].text != GOES_ON


def _of_unfinished(name: str, modified: int, record: Record) -> Summary:
    battle = record.battles[-1]
    return Summary(
        name,
        modified,
        record.date,
        record.variant,
        record.players,
        record.programs,
        len(record.battles),
        battle.turn(len(battle.moves)),
        record.tally,
        over=False,
        starts=record.starts,
        moves=len(battle.moves),
    )


def _of_finished(name: str, modified: int, draft: Draft) -> Summary:
    outline = outline_of(draft)
    scores = [_score(battle[-1].text, battle[-1].line) for battle in draft.battles]
    moves = _moves_in(draft.battles[-1])
    return Summary(
        name,
        modified,
        outline.date,
        outline.variant,
        outline.players,
        outline.programs,
        BATTLES,
        1 + moves // 2,
        tally_of(scores),
        over=True,
        starts=outline.starts if outline.set_up else (),
        moves=moves,
        looked_on=LOOKED_ON in outline.tags,
        guest=GUEST in outline.tags,
    )


def _moves_in(tokens: list[Token]) -> int:
    """Count a battle's moves, without its variations."""
    deep = moves = 0
    for token in tokens:
        deep += (token.kind == "open") - (token.kind == "close")
        moves += token.kind == "word" and not deep
    return moves


def _score(result: str, line: int) -> Score:
    if result == GOES_ON:
        raise BadRecord(line, "the second battle begins before the first is over: its result is *")
    dwarfs, trolls = map(float, result.split("-"))
    return Score(dwarfs, trolls)


class Totals(NamedTuple):
    """A player's finished matches, and the points in them for the player and against."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: float = 0
    points_against: float = 0


def filtered(
    summaries: Iterable[Summary], player: str | None = None, variant: Variant | None = None
) -> list[Summary]:
    """Return the matches of a player (case-insensitive) and of a variant."""
    wanted = None if player is None else name_key(player)
    return [
        summary
        for summary in summaries
        if (variant is None or summary.variant is variant)
        and (wanted is None or wanted in map(name_key, summary.players))
    ]


def totals(summaries: Iterable[Summary]) -> dict[str, Totals]:
    """Return every player's totals in finished matches, by name.

    Points of different variants cannot be compared: filter by variant first.
    """
    found: dict[str, tuple[str, list[float]]] = {}
    results = Counter((summary.players, summary.tally) for summary in summaries if summary.over)
    for (players, (one, other)), times in results.items():
        for name, own, against in zip(players, (one, other), (other, one), strict=True):
            _, sums = found.setdefault(name_key(name), (name, [0, 0, 0, 0, 0.0, 0.0]))
            sums[0] += times
            sums[1 if own > against else 2 if own == against else 3] += times
            sums[4] += own * times
            sums[5] += against * times
    return {name: Totals(*map(int, sums[:4]), *sums[4:]) for name, sums in sorted(found.values())}


@lru_cache(256)
def name_key(name: str) -> str:
    """Return a key that is the same for all spellings of a player's name."""
    return " ".join(name.split()).casefold()
