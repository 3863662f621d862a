"""Changes of a match: each returns its events, or raises and changes nothing."""

from __future__ import annotations

from itertools import groupby

from thud.records.bounds import MAX_QUIET
from thud.rules.battle import QUIET_LIMIT, Battle
from thud.rules.clock import TimeLeft
from thud.rules.position import Move
from thud.rules.variant import Forfeit, IllegalMove
from thud.session.events import Begun, Ended, Event, Played, Redone, TakenBack
from thud.session.view import SessionView


def played(session: SessionView, move: Move) -> list[Event]:
    """Play a move, with the time it took by the clock."""
    return made(session, move, session.clock.after_move if session.clock else None)


def made(session: SessionView, move: Move, left: TimeLeft | None) -> list[Event]:
    """Play a move, after which its player has the given time left."""
    battle = session.battle
    before = battle.position
    battle.play(move, left)
    return [Played(before, move), *_ended(battle)]


def agreed(session: SessionView) -> list[Event]:
    """End the battle by agreement."""
    session.battle.agree()
    return _ended(session.battle)


def time_up(session: SessionView) -> list[Event]:
    """End the battle because the time of the player to move is up."""
    session.battle.time_up()
    return _ended(session.battle)


def forfeited(session: SessionView, forfeit: Forfeit) -> list[Event]:
    """End the battle because a side resigns or loses by a claim."""
    session.battle.lose(forfeit)
    return _ended(session.battle)


def taken_back(session: SessionView, by: int | None = None) -> list[Event]:
    """Take back the agreement to end, or else the moves back to a player's last turn.

    Args:
        session: the session to change.
        by: the remote player, None for whoever plays here.

    Raises:
        IllegalMove: there is nothing to undo.
    """
    if session.agreed:
        return unplayed(session, 0)
    if session.battle.forfeit and (outcome := session.battle.outcome):
        raise IllegalMove(f"{outcome.because}, and that is final: nothing can be undone")
    if number := session.moves_back(by):
        return unplayed(session, number)
    raise IllegalMove("there is nothing to undo")


def unplayed(session: SessionView, number: int) -> list[Event]:
    """Take back a number of moves; 0 takes back the agreement to end."""
    battle = session.battle
    if not number:
        battle.undo()
        return [TakenBack(())]
    turns = []
    for _ in range(number):
        assert battle.last
        turns.append(Played(*battle.last))
        battle.undo()
    return [TakenBack(tuple(turns))]


def redone(session: SessionView) -> list[Event]:
    """Redo moves up to the next turn of a local player.

    Raises:
        IllegalMove: there is nothing to redo.
    """
    battle, seats = session.battle, session.seats
    if not battle.undone or battle.outcome or seats.has_remote:
        raise IllegalMove("there is nothing to redo")
    turns = [_redo_one(battle)]
    stops = session.watched
    while battle.undone and not (stops or battle.outcome or session.decides(session.to_move)):
        turns.append(_redo_one(battle))
    return [Redone(tuple(turns)), *_ended(battle)]


def next_battle(session: SessionView, by: int | None = None) -> list[Event]:
    """Begin the second battle with sides exchanged; `by` is the remote player who begins it."""
    session.match.next_battle()
    limit_quiet(session)
    return [Begun(session.match.number, by)]


def limit_quiet(session: SessionView) -> None:
    """Set a quiet limit for a battle between engines.

    If the battle has a longer quiet stretch already, the limit is added to that: otherwise its
    moves, even undone ones, would be illegal, and its record unreadable.
    """
    battle = session.battle
    if session.watched and battle.quiet_limit is None:
        longest = _longest_quiet(battle)
        limit = QUIET_LIMIT if longest < QUIET_LIMIT else longest + QUIET_LIMIT
        battle.quiet_limit = limit if limit <= MAX_QUIET else None


def _longest_quiet(battle: Battle) -> int:
    """Return the longest run of turns without a capture, including undone ones."""
    turns = groupby((*battle.moves, *battle.undone), key=lambda move: bool(move.captures))
    return max((sum(1 for _ in some) for captures, some in turns if not captures), default=0)


def _redo_one(battle: Battle) -> Played:
    battle.redo()
    assert battle.last
    return Played(*battle.last)


def _ended(battle: Battle) -> list[Event]:
    return [Ended(battle.outcome)] if battle.outcome else []
