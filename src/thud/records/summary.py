"""What a list of saved matches shows of each of them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from thud.records import tag_reader as tags
from thud.records.battle_reader import PATIENCE
from thud.records.draft import Draft, Token, drafts
from thud.records.intake import BadRecord, read_text
from thud.records.record import LOOKED_ON, Record
from thud.records.shelf import fault_of
from thud.records.tgn_reader import read_draft
from thud.records.tgn_writer import GOES_ON
from thud.rules.handicaps import Handicap, handicap_in
from thud.rules.match import BATTLES, ahead, tally_of
from thud.rules.position import Position
from thud.rules.variant import Score, Variant


class Summary(NamedTuple):
    """A saved match in short.

    `battle` and `turn` are the numbers of the battle and of the move to come, `tally` both
    players' points in the battles that are over, and `progress` what counts in the battle now as
    labels and values; it is empty once the match is over.  `starts` is where the
    battles began, empty where nothing is said of that.
    """

    id: str
    saved: datetime
    date: str
    variant: Variant
    players: tuple[str, str]
    programs: tuple[str, str]
    battle: int
    turn: int
    tally: tuple[float, float]
    over: bool
    progress: tuple[tuple[str, str], ...] = ()
    starts: tuple[Position, ...] = ()
    moves: int = 0
    """How many were made in the battle now."""
    looked_on: bool = False
    """Whether whoever keeps it has only looked on."""

    @property
    def begun(self) -> bool:
        """Whether both sides have moved, in the first battle or in the second."""
        return self.battle > 1 or self.moves > 1

    @property
    def set_up(self) -> bool:
        """Whether a battle began elsewhere than usual."""
        return any(start != self.variant.start for start in self.starts)

    @property
    def handicap(self) -> Handicap | None:
        """The handicap that the match is played at, None if at none that has a name."""
        return handicap_in(self.variant, self.starts)

    @property
    def winner(self) -> int | None:
        """The player with more points in a match that is over, None where it is drawn."""
        return ahead(self.tally) if self.over else None


class Broken(NamedTuple):
    """A file among the saved matches that cannot be read, and why."""

    path: Path
    reason: str


class Listing(NamedTuple):
    """Every match that is kept, those saved last first."""

    unfinished: list[Summary]
    finished: list[Summary]
    broken: list[Broken]


def summary_or_fault(path: Path) -> Summary | Broken:
    """Return the summary of a saved match, or why there is none.

    Raises:
        FileNotFoundError: it has been deleted.
    """
    try:
        fault = fault_of(path)
        return Broken(path, fault) if fault else summary_of(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        return Broken(path, error.strerror or str(error))
    except BadRecord as error:
        return Broken(path, str(error))


def goes_on(path: Path) -> bool:
    """Say whether a match goes on, as its file says: its moves are not played through.

    Raises:
        BadRecord: the file is no record of one match.
        OSError: the file cannot be read.
    """
    return not _is_over(only_draft(read_text(path)))


def summary_of(path: Path) -> Summary:
    """Return the summary of a saved match.

    The moves of a match that is over are not played through, those of any other are.

    Raises:
        BadRecord: the file is no record of one match.
        OSError: the file cannot be read.
    """
    saved = _moment(path.stat().st_mtime)
    draft = only_draft(read_text(path))
    if _is_over(draft):
        return _of_finished(path.stem, saved, draft)
    return _of_unfinished(path.stem, saved, read_draft(draft, monotonic() + PATIENCE))


def only_draft(text: str) -> Draft:
    """Return the one match of a text.

    Raises:
        BadRecord: the text is no record, or has more than one match.
    """
    first, *others = drafts(text)
    if others:
        raise BadRecord(others[0].line, "a second match begins, and a saved match is alone")
    return first


def _moment(seconds: float) -> datetime:
    """Return a time of a file, which may be any number: the nearest that there is in a calendar."""
    try:
        return datetime.fromtimestamp(seconds)
    except (ValueError, OverflowError, OSError):
        return datetime.max if seconds > 0 else datetime.min


def _is_over(draft: Draft) -> bool:
    return len(draft.battles) == BATTLES and draft.battles[-1][-1].text != GOES_ON


def _of_unfinished(name: str, saved: datetime, record: Record) -> Summary:
    battle = record.battles[-1]
    *_, position = battle.positions()
    return Summary(
        name,
        saved,
        record.date,
        record.variant,
        record.players,
        record.programs,
        len(record.battles),
        battle.turn(len(battle.moves)),
        record.tally,
        over=False,
        progress=record.variant.progress(position),
        starts=record.starts,
        moves=len(battle.moves),
    )


def _of_finished(name: str, saved: datetime, draft: Draft) -> Summary:
    scores = [_score(battle[-1].text, battle[-1].line) for battle in draft.battles]
    moves = _moves_in(draft.battles[-1])
    return Summary(
        name,
        saved,
        tags.date_of(draft),
        tags.variant_of(draft),
        tags.players_of(draft),
        (tags.value_of(draft, "Program1"), tags.value_of(draft, "Program2")),
        BATTLES,
        1 + moves // 2,
        tally_of(scores),
        over=True,
        starts=_starts(draft, tags.variant_of(draft)),
        moves=moves,
        looked_on=tags.value_of(draft, LOOKED_ON[0]) == LOOKED_ON[1],
    )


def _starts(draft: Draft, variant: Variant) -> tuple[Position, ...]:
    """Return where the battles began, nothing where that is the usual start."""
    if not (tags.value_of(draft, "Start") or tags.value_of(draft, "Start2")):
        return ()
    first = tags.start_of(draft, variant)
    return first, tags.second_start_of(draft, variant) or first


def _moves_in(tokens: list[Token]) -> int:
    """Count the moves of a battle, and not those of its variations."""
    deep = moves = 0
    for token in tokens:
        deep += (token.kind == "open") - (token.kind == "close")
        moves += token.kind == "word" and not deep
    return moves


def _score(result: str, line: int) -> Score:
    if result == GOES_ON:
        raise BadRecord(line, "the second battle begins, but the first goes on: its result is *")
    dwarfs, trolls = map(float, result.split("-"))
    return Score(dwarfs, trolls)
