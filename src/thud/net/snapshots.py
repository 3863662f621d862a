"""The whole match in one message, made by the host, checked by the guest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.net.codec import MAX_ONLOOKERS, SAID_BEFORE
from thud.net.messages import Snapshot
from thud.net.updates import check_turn, times
from thud.records.record import BattleRecord, Record
from thud.records.tgn.notes import clock_note
from thud.records.tgn.writer import tgn_text
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.position import Move
from thud.session import changes
from thud.session.events import Begun, Event, MadeAgain, Wish
from thud.session.view import SessionView

_MOST_AT_ONCE: Final = 100
"""Missed moves that are shown one after the other; of more, only where they lead."""


# At the host's


def begins_anew(event: Event) -> bool:
    """Say whether an event is told by a snapshot."""
    return isinstance(event, Begun | MadeAgain)


def snapshot_of(session: SessionView, seq: int, match: str) -> Callable[[], Snapshot]:
    """Return what makes a snapshot of a session as it is now: that may take long, and can wait.

    Args:
        session: where the match is played.
        seq: the number of the last event.
        match: what the match is called.
    """
    proposal, company = session.proposal, session.company
    known = session.record
    record = _bare(Record.of(session.match, event=known.event, date=known.date))
    record = record._replace(programs=known.programs)
    without_moves = Snapshot(
        seq,
        session.number,
        match,
        "",
        tuple(player not in company.missing for player in range(2)),
        tuple(company.onlookers[:MAX_ONLOOKERS]),
        proposal.by if proposal else None,
        proposal.wish if proposal else Wish.END,
        times(session),
        session.autosave.complaint,
        tuple(company.said)[-SAID_BEFORE:],
    )
    return lambda: without_moves._replace(record=tgn_text(record))


def _bare(record: Record) -> Record:
    """Return a record without what was tried and taken back: that is the host's own."""
    return record._replace(battles=tuple(map(_played, record.battles)))


def _played(battle: BattleRecord) -> BattleRecord:
    return battle._replace(variations=(), taken_back=False)


# At a guest's


def match_in(snapshot: Snapshot) -> tuple[Record, Match]:
    """Return the match in a snapshot, checked by the rules; that may take long.

    Its record has nothing in it but what was played: a host writes nothing else into our files.

    Raises:
        ValueError: there is no one match in it, or one that cannot have been played.
    """
    from thud.records.tgn.reader import read_tgn

    (record,) = read_tgn(snapshot.record)
    record = _bare(record)
    match = record.match()
    if snapshot.clock:
        check_turn(match.battle, snapshot.clock)
    unsaid = (battle._replace(comments=()) for battle in record.battles)
    return record._replace(battles=tuple(unsaid), tags=()), match


def same_game(before: Match, now: Match) -> bool:
    """Say whether two matches are played by the same rules, from the same positions."""
    same = before.variant is now.variant and before.starts == now.starts
    return same and before.control == now.control


def caught_up(session: SessionView, now: Match, begins: int | None = None) -> list[Event] | None:
    """Bring the match of a session up to how it is now; return what there is to tell of it.

    None is returned where that is another match, or too much has happened; nothing has changed
    then.

    Args:
        session: what is played.
        now: how it is.
        begins: who has begun the second battle, if it has begun.
    """
    match = session.match
    if not _goes_on(match, now):
        return None
    match.players = now.players
    found = _battle_caught_up(session, now.battles[match.number - 1])
    if now.number > match.number:
        found += changes.next_battle(session, begins)
        found += _battle_caught_up(session, now.battle)
    return found


def _goes_on(before: Match, now: Match) -> bool:
    """Say whether a match can have become another one, and that is not too far away."""
    known = [_timed_moves(battle) for battle in before.battles[:-1]]
    return (
        same_game(before, now)
        and before.number <= now.number
        and known == [_timed_moves(battle) for battle in now.battles[: before.number - 1]]
        and not _ended_otherwise(before.battle, now.battles[before.number - 1])
        and abs(_length(now) - _length(before)) <= _MOST_AT_ONCE
    )


def _ended_otherwise(before: Battle, now: Battle) -> bool:
    """Say whether a side had lost otherwise than on the board, for good, and has not now."""
    same = before.forfeit == now.forfeit and _timed_moves(before) == _timed_moves(now)
    return before.forfeit is not None and not same


def _timed_moves(battle: Battle) -> list[tuple[Move, str]]:
    """Return the moves of a battle, each with what was left after it as records have it."""
    return [*zip(battle.moves, map(clock_note, battle.left), strict=True)]


def _length(match: Match) -> int:
    return sum(battle.played for battle in match.battles)


def _battle_caught_up(session: SessionView, now: Battle) -> list[Event]:
    """Take back what is not played any more, and play what is new."""
    battle = session.battle
    alike = _alike(battle, now)
    found: list[Event] = []
    if session.agreed and not (now.agreed and battle.moves == now.moves):
        found += changes.unplayed(session, 0)
    if more := battle.played - alike:
        found += changes.unplayed(session, more)
    battle.quiet_limit = now.quiet_limit
    for move, left in zip(now.moves[alike:], now.left[alike:], strict=True):
        found += changes.made(session, move, left)
    if now.forfeit and not battle.forfeit:
        found += changes.forfeited(session, now.forfeit)
    return found + (changes.agreed(session) if now.agreed and not session.agreed else [])


def _alike(battle: Battle, other: Battle) -> int:
    """Return how many moves two battles have in common, with their times, from the first on."""
    pairs = enumerate(zip(_timed_moves(battle), _timed_moves(other), strict=False))
    different = (at for at, (one, another) in pairs if one != another)
    return next(different, min(battle.played, other.played))
