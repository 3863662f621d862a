"""What a host's session tells, as news for others; and the whole match as a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from thud.net import news
from thud.net.codec import MAX_ONLOOKERS, SAID_BEFORE
from thud.net.messages import Snapshot
from thud.net.news import News
from thud.records.record import BattleRecord, Record
from thud.records.tgn.writer import tgn_text
from thud.rules.clock import Times
from thud.rules.notation import move_text
from thud.session import events
from thud.session.events import Event
from thud.session.proceedings import Proceedings

_TIMED: Final[Mapping[type, Callable[[Proceedings, Any], News]]] = {
    events.Played: lambda session, event: news.Played(
        move_text(event.before, event.move), session.battle.left[-1], _times(session)
    ),
    events.TakenBack: lambda session, event: news.TakenBack(len(event.turns), _times(session)),
    events.Ended: lambda session, event: news.Ended(event.outcome.reason, _times(session)),
}
_TOLD: Final[Mapping[type, Callable[[Any], News]]] = {
    events.Proposed: lambda event: news.Proposed(event.by, event.wish),
    events.Answered: lambda event: news.Answered(event.by, event.agrees, event.wish, event.until),
    events.Withdrawn: lambda event: news.Withdrawn(event.by, event.because),
    events.Thinking: lambda event: news.Thinking(event.side),
    events.Came: lambda event: news.Came(event.name, event.player),
    events.Went: lambda event: news.Went(event.name, event.player),
    events.Said: lambda event: news.Said(event.player, event.name, event.text),
    events.Faulted: lambda event: news.Faulted(event.player, event.fault),
    events.HandedOver: lambda event: news.HandedOver(event.player),
    events.NotKept: lambda event: news.NotKept(event.complaint),
}


def news_of(session: Proceedings, event: Event) -> News | None:
    """Return what is told to others of an event; None of what is not theirs to know.

    What changes the clock is told with how that stands now.

    That another battle has begun is told by a snapshot.
    """
    if isinstance(event, events.Thinking) and event.thought:
        # What a computer finds is seen at the host's, and nowhere else.
        return None
    if isinstance(event, events.ClockRuns):
        times = _times(session)
        return news.Clock(times) if times else None
    if timed := _TIMED.get(type(event)):
        return timed(session, event)
    tell = _TOLD.get(type(event))
    return tell(event) if tell else None


def _times(session: Proceedings) -> Times | None:
    return session.clock.times if session.clock else None


def begins_anew(event: Event) -> bool:
    """Say whether an event is told by a snapshot."""
    return isinstance(event, events.Begun | events.MadeAgain)


def snapshot_of(session: Proceedings, seq: int, match: str) -> Callable[[], Snapshot]:
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
        proposal.wish if proposal else events.Wish.END,
        _times(session),
        session.autosave.complaint,
        tuple(news.Said(*each) for each in [*company.said][-SAID_BEFORE:]),
    )
    return lambda: without_moves._replace(record=tgn_text(record))


def _bare(record: Record) -> Record:
    """Return a record without what was tried and taken back: that is the host's own."""
    return record._replace(battles=tuple(map(_played, record.battles)))


def _played(battle: BattleRecord) -> BattleRecord:
    return battle._replace(variations=(), taken_back=False)
