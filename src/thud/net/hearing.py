"""What a guest hears of the match, done to its own: each move is checked by the rules here, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from thud.net import news
from thud.net.codec import MAX_ONLOOKERS
from thud.net.news import News
from thud.records.tgn.notes import clock_note
from thud.rules.battle import Battle
from thud.rules.clock import Times
from thud.rules.match import Match
from thud.rules.notation import written_move
from thud.rules.position import Move
from thud.rules.variant import Reason
from thud.session import changes, events
from thud.session.events import Event
from thud.session.proceedings import Proceedings
from thud.session.situation import Proposal

CHANGES: Final = (news.Played, news.TakenBack, news.Ended)
"""The news that change the match."""

_MOST_AT_ONCE: Final = 100
"""So many moves that were missed are shown one after the other, and else only where they lead."""


_OTHER_TURN: Final = "the clock of another player runs there"


class Disagreement(ValueError):
    """What is told of the match cannot be: it is another one than here."""


def heard(session: Proceedings, told: News) -> list[Event]:
    """Do to a session what is told, and return what there is to tell of it.

    Raises:
        ValueError: that cannot be; nothing has changed.
    """
    return _HEAR[type(told)](session, told)


def _played(session: Proceedings, told: news.Played) -> list[Event]:
    battle = session.battle
    move = written_move(battle.variant, battle.position, told.move)
    if told.clock and told.clock.turn is battle.position.to_move:
        raise Disagreement(_OTHER_TURN)
    # That the battle is over then is told by itself.
    return changes.made(session, move, told.left)[:1]


def _taken_back(session: Proceedings, told: news.TakenBack) -> list[Event]:
    if told.moves > session.battle.played or bool(told.moves) is session.agreed:
        raise Disagreement("there is nothing like that to take back")
    if told.clock and told.clock.turn is not session.battle.positions[-1 - told.moves].to_move:
        raise Disagreement(_OTHER_TURN)
    return changes.unplayed(session, told.moves)


def _ended(session: Proceedings, told: news.Ended) -> list[Event]:
    if told.clock:
        check_turn(session.battle, told.clock)
    outcome = session.battle.outcome
    if told.reason is Reason.AGREEMENT and outcome is None:
        return changes.agreed(session)
    if told.reason is Reason.TIME and outcome is None:
        return _time_up(session, told)
    if outcome is None or outcome.reason is not told.reason:
        raise Disagreement("by the rules the battle is not over like that")
    return [events.Ended(outcome)]


def _time_up(session: Proceedings, told: news.Ended) -> list[Event]:
    """End the battle because a time is up at the host's, by a clock that shows it."""
    control, clock = session.match.control, told.clock
    if not (control and clock and session.battle.played and clock.left(control, clock.turn).up):
        raise Disagreement("nobody's time is up there")
    return changes.time_up(session)


def check_turn(battle: Battle, clock: Times) -> None:
    """Pass if a clock, as it is told, is that of the player to move.

    Raises:
        Disagreement: it is not.
    """
    if clock.turn is not battle.position.to_move:
        raise Disagreement(_OTHER_TURN)


def _clock(session: Proceedings, told: news.Clock) -> list[Event]:
    """Look at what is told; that the clock stands or runs then is told by itself."""
    check_turn(session.battle, told.clock)
    return []


def _proposed(session: Proceedings, told: news.Proposed) -> list[Event]:
    session.proposal = Proposal(told.by, session.number, wish=told.wish)
    return [events.Proposed(told.by, told.wish)]


def _answered(session: Proceedings, told: news.Answered) -> list[Event]:
    session.proposal = None
    return [events.Answered(told.by, told.agree, told.until, told.wish)]


def _withdrawn(session: Proceedings, told: news.Withdrawn) -> list[Event]:
    session.proposal = None
    return [events.Withdrawn(told.by, told.because)]


def _came(session: Proceedings, told: news.Came) -> list[Event]:
    if told.player is not None:
        session.match.rename(told.player, told.name)
        return [session.company.enter(told.player)]
    if len(session.company.onlookers) >= MAX_ONLOOKERS:
        raise Disagreement("more look on than ever can")
    session.company.onlookers.append(told.name)
    return [events.Came(None, told.name)]


def _went(session: Proceedings, told: news.Went) -> list[Event]:
    if told.player is not None:
        session.company.there.discard(told.player)
    elif told.name in session.company.onlookers:
        session.company.onlookers.remove(told.name)
    return [events.Went(told.player, told.name)]


_HEAR: Final[Mapping[type, Callable[[Proceedings, Any], list[Event]]]] = {
    news.Played: _played,
    news.TakenBack: _taken_back,
    news.Ended: _ended,
    news.Proposed: _proposed,
    news.Answered: _answered,
    news.Withdrawn: _withdrawn,
    news.Came: _came,
    news.Went: _went,
    news.Clock: _clock,
    news.Thinking: lambda _, told: [events.Thinking(told.side, None)],
    news.Said: lambda session, told: [session.company.hear(*told)],
    news.Faulted: lambda _, told: [events.Faulted(told.player, told.fault)],
    news.HandedOver: lambda _, told: [events.HandedOver(told.player)],
    news.NotKept: lambda _, told: [not_kept_there(told.complaint)],
}


def not_kept_there(complaint: str) -> events.NotKept:
    """Return what there is to tell here where the match is not on the host's disk."""
    return events.NotKept(f"at the host's {complaint}")


def caught_up(session: Proceedings, now: Match, begins: int | None = None) -> list[Event] | None:
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
        before.variant is now.variant
        and before.starts == now.starts
        and before.number <= now.number
        and before.control == now.control
        and known == [_timed_moves(battle) for battle in now.battles[: before.number - 1]]
        and not _ended_otherwise(before.battle, now.battles[before.number - 1])
        and abs(_length(now) - _length(before)) <= _MOST_AT_ONCE
    )


def _ended_otherwise(before: Battle, now: Battle) -> bool:
    """Say whether a time was up, which is final, and is not now."""
    return before.timed_out and not (now.timed_out and _timed_moves(before) == _timed_moves(now))


def _timed_moves(battle: Battle) -> list[tuple[Move, str]]:
    """Return the moves of a battle, each with what was left after it as records have it."""
    return [*zip(battle.moves, map(clock_note, battle.left), strict=True)]


def _length(match: Match) -> int:
    return sum(battle.played for battle in match.battles)


def _battle_caught_up(session: Proceedings, now: Battle) -> list[Event]:
    """Take back what is not played any more, and play what is new."""
    battle = session.battle
    alike = _alike(battle, now)
    agreed_now = now.outcome is not None and now.outcome.reason is Reason.AGREEMENT
    found: list[Event] = []
    if session.agreed and not (agreed_now and battle.moves == now.moves):
        found += changes.unplayed(session, 0)
    if more := battle.played - alike:
        found += changes.unplayed(session, more)
    battle.quiet_limit = now.quiet_limit
    for move, left in zip(now.moves[alike:], now.left[alike:], strict=True):
        found += changes.made(session, move, left)
    if now.timed_out and not battle.timed_out:
        found += changes.time_up(session)
    return found + (changes.agreed(session) if agreed_now and not session.agreed else [])


def _alike(battle: Battle, other: Battle) -> int:
    """Return how many moves two battles have in common, with their times, from the first on."""
    pairs = enumerate(zip(_timed_moves(battle), _timed_moves(other), strict=False))
    different = (at for at, (one, another) in pairs if one != another)
    return next(different, min(battle.played, other.played))
