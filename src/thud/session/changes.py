"""Changes of a match: each returns its events, or raises and changes nothing."""

from __future__ import annotations

from itertools import groupby

from thud.records.bounds import MAX_QUIET
from thud.rules.battle import QUIET_LIMIT, Battle
from thud.rules.clock import TimeLeft
from thud.rules.position import Move
from thud.rules.variant import IllegalMove
from thud.session.events import Begun, Ended, Event, MadeAgain, Played, TakenBack
from thud.session.view import SessionView


def played(situation: SessionView, move: Move) -> list[Event]:
    """Play a move, which costs what the clock says."""
    return made(situation, move, situation.clock.after_move if situation.clock else None)


def made(situation: SessionView, move: Move, left: TimeLeft | None) -> list[Event]:
    """Play a move after which whoever makes it has so much time left."""
    battle = situation.battle
    before = battle.position
    battle.play(move, left)
    return [Played(before, move), *_ended(battle)]


def agreed(situation: SessionView) -> list[Event]:
    """End the battle by agreement."""
    situation.battle.agree()
    return _ended(situation.battle)


def time_up(situation: SessionView) -> list[Event]:
    """End the battle because the time of the player to move is up."""
    situation.battle.time_up()
    return _ended(situation.battle)


def taken_back(situation: SessionView, by: int | None = None) -> list[Event]:
    """Take back the agreement to end, or else the moves since somebody was to move.

    Args:
        situation: what is changed.
        by: the player who was to move, if not anybody here.

    Raises:
        IllegalMove: there is nothing to take back.
    """
    if situation.agreed:
        return unplayed(situation, 0)
    if situation.battle.timed_out:
        raise IllegalMove("a time was up, and that is final: nothing is taken back")
    if number := situation.moves_back(by):
        return unplayed(situation, number)
    raise IllegalMove("there is nothing to take back")


def unplayed(situation: SessionView, number: int) -> list[Event]:
    """Take back so many of the moves that there are; none is the agreement to end."""
    battle = situation.battle
    if not number:
        battle.undo()
        return [TakenBack(())]
    turns = []
    for _ in range(number):
        assert battle.last
        turns.append(Played(*battle.last))
        battle.undo()
    return [TakenBack(tuple(turns))]


def made_again(situation: SessionView) -> list[Event]:
    """Make again what was taken back, as far as the next turn of somebody here.

    Raises:
        IllegalMove: there is nothing to make again.
    """
    if not situation.can_redo:
        raise IllegalMove("there is nothing to make again")
    turns = [_redone(situation.battle)]
    while situation.can_redo and not (situation.watched or situation.can_move):
        turns.append(_redone(situation.battle))
    return [MadeAgain(tuple(turns)), *_ended(situation.battle)]


def next_battle(situation: SessionView, by: int | None = None) -> list[Event]:
    """Exchange the sides for the second battle, which a player at another place may begin."""
    situation.match.next_battle()
    limit_quiet(situation)
    return [Begun(situation.match.number, by)]


def limit_quiet(situation: SessionView) -> None:
    """Let a battle that computers fight alone end when nothing has been captured for long.

    A limit that was passed before they took it up counts from there on: what was played, or
    taken back, could not have been played otherwise, and its record could not be read.
    """
    battle = situation.battle
    if situation.watched and battle.quiet_limit is None:
        longest = _longest_quiet(battle)
        limit = QUIET_LIMIT if longest < QUIET_LIMIT else longest + QUIET_LIMIT
        battle.quiet_limit = limit if limit <= MAX_QUIET else None


def _longest_quiet(battle: Battle) -> int:
    """Return the most turns in a row without a capture, with those that can be made again."""
    turns = groupby((*battle.moves, *battle.undone), key=lambda move: bool(move.captures))
    return max((sum(1 for _ in some) for captures, some in turns if not captures), default=0)


def _redone(battle: Battle) -> Played:
    battle.redo()
    assert battle.last
    return Played(*battle.last)


def _ended(battle: Battle) -> list[Event]:
    return [Ended(battle.outcome)] if battle.outcome else []
