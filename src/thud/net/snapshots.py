"""Snapshots: the whole match in one message, made by the host, checked by the guest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from thud.net.codec import MAX_ONLOOKERS, SAID_BEFORE
from thud.net.messages import Snapshot
from thud.net.updates import check_turn, for_guests, times
from thud.records.record import Node, Record, line_of
from thud.records.tgn.notes import clock_note
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.position import Move
from thud.session.events import Begun, Event, ProposeEnd
from thud.session.state import TableState, ended, played, taken_back
from thud.session.view import SessionView

_MOST_AT_ONCE: Final = 100
"""Most missed moves shown one by one; with more, only the position they lead to."""


# At the host


def snapshot_of(session: SessionView, seq: int, match: str) -> Callable[[], Snapshot]:
    """Return a function that makes a snapshot of the session's present state, which may take long.

    Args:
        session: the session.
        seq: sequence number of the last event.
        match: the match's id.
    """
    state, known = session.state, session.record
    proposal, participants = state.proposal, state.participants
    record = _bare(Record.of(state.match, event=known.event, date=known.date))
    record = record._replace(programs=known.programs)
    without_moves = Snapshot(
        seq,
        state.revision,
        match,
        "",
        tuple(player not in participants.missing for player in range(2)),
        tuple(participants.spectators[:MAX_ONLOOKERS]),
        proposal.by if proposal else None,
        proposal.wish if proposal else ProposeEnd(),
        times(state),
        for_guests(session, session.autosave.complaint),
        tuple(participants.said)[-SAID_BEFORE:],
    )
    return lambda: replace(without_moves, record=tgn_text(record))


def shown(state: TableState, late: int) -> int:
    """Return how many moves of the battle are shown some moves late: all once it is over."""
    return state.battle.played if state.battle.outcome else max(0, state.battle.played - late)


def late_snapshot_of(
    session: SessionView, seq: int, match: str, late: int
) -> Callable[[], Snapshot]:
    """Return as `snapshot_of`, some moves late, for whoever only sees the match.

    There is no chat in it, and of a battle that goes on neither proposal nor clock if it is late.
    """
    state, known = session.state, session.record
    proposal, moves = state.proposal, shown(state, late)
    behind = moves < state.battle.played
    record = _bare(Record.of(state.match, event=known.event, date=known.date))
    *before, battle = record.battles
    battles = (*before, battle._replace(line=battle.line[: moves + 1]))
    record = record._replace(programs=known.programs, battles=battles)
    without_moves = Snapshot(
        seq,
        state.revision,
        match,
        "",
        tuple(player not in state.participants.missing for player in range(2)),
        proposed=proposal.by if proposal and not late else None,
        wish=proposal.wish if proposal else ProposeEnd(),
        clock=None if behind else times(state),
    )
    return lambda: replace(without_moves, record=tgn_text(record))


def _bare(record: Record) -> Record:
    """Return a record without variations and moves taken back: they are the host's own."""
    battles = (
        battle._replace(
            line=tuple(Node(node.move, node.comments) for node in battle.line), taken_back=False
        )
        for battle in record.battles
    )
    return record._replace(battles=tuple(battles))


# At a guest


def match_in(snapshot: Snapshot) -> tuple[Record, Match]:
    """Return the match in a snapshot, checked by the rules, which may take long.

    Its record holds only the moves: a host writes nothing else into our files.

    Raises:
        ValueError: it does not hold exactly one match, or one that breaks the rules.
    """
    (record,) = read_tgn(snapshot.record)
    record = _bare(record)
    match = record.match()
    if snapshot.clock:
        check_turn(match.battle, snapshot.clock)
    unsaid = (battle._replace(line=line_of(battle.moves)) for battle in record.battles)
    return record._replace(battles=tuple(unsaid), tags=()), match


def same_game(before: Match, now: Match) -> bool:
    """Whether two matches have the same variant, starting positions and clock."""
    same = before.variant is now.variant and before.starts == now.starts
    return same and before.control == now.control


def caught_up(match: Match, now: Match, begins: int | None = None) -> list[Event] | None:
    """Bring a match up to date; return the events.

    Returns None, changing nothing, if it is another match or too much has happened.

    Args:
        match: the match.
        now: the match as it is now.
        begins: who began the second battle, if it has begun.
    """
    if not _goes_on(match, now):
        return None
    match.players = now.players
    found = _battle_caught_up(match.battle, now.battles[match.number - 1])
    if now.number > match.number:
        match.next_battle()
        found.append(Begun(match.number, begins))
        found += _battle_caught_up(match.battle, now.battle)
    return found


def _goes_on(before: Match, now: Match) -> bool:
    """Whether a match can have become another in few moves."""
    if not same_game(before, now) or before.number > now.number:
        return False
    for battle, other in zip(before.battles, now.battles, strict=False):
        same = _timed_moves(battle) == _timed_moves(other)
        if battle is not before.battle:
            if not same:
                return False
        elif battle.forfeit and not (same and battle.forfeit == other.forfeit):
            return False  # a forfeit is final
    was, is_now = (sum(battle.played for battle in match.battles) for match in (before, now))
    return abs(is_now - was) <= _MOST_AT_ONCE


def _timed_moves(battle: Battle) -> list[tuple[Move, str]]:
    """Return a battle's moves, each with the time left as records write it."""
    return [*zip(battle.moves, map(clock_note, battle.left), strict=True)]


def _battle_caught_up(battle: Battle, now: Battle) -> list[Event]:
    """Take back moves no longer played, and play new ones."""
    pairs = zip(_timed_moves(battle), _timed_moves(now), strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    found: list[Event] = []
    if battle.agreed and not (now.agreed and battle.moves == now.moves):
        found += taken_back(battle, 0)
    if more := battle.played - alike:
        found += taken_back(battle, more)
    battle.quiet_limit = now.quiet_limit
    for move, left in zip(now.moves[alike:], now.left[alike:], strict=True):
        found += played(battle, move, left)
    if now.forfeit and not battle.forfeit:
        battle.lose(now.forfeit)
        found += ended(battle)
    if now.agreed and not battle.agreed:
        battle.agree()
        found += ended(battle)
    return found
