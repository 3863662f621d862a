"""Updates: the events of a match on the wire, encoded, checked and applied.

`UPDATES` has a row for each kind.  Most are session events, sent as they are.  Those that change
the match or its clock are sent as the data a guest needs to repeat the change, checked there by the
rules.  Engines' hints and thoughts at the host are not sent; a new battle is sent as a snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from thud.net.codec import MAX_ONLOOKERS
from thud.rules.battle import Battle
from thud.rules.clock import TimeLeft, Times
from thud.rules.notation import move_text, written_move
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.session.events import (
    Answered,
    Arrived,
    ClockRuns,
    Departed,
    Ended,
    Event,
    Faulted,
    HandedOver,
    Played,
    Proposed,
    Said,
    SaveFailed,
    SeatAsked,
    SeatGiven,
    SpectatorSaid,
    TakenBack,
    Thinking,
    Withdrawn,
    ended,
    played,
    taken_back,
)
from thud.session.view import Proposal, SessionView

_OTHER_TURN: Final = "the clock of another player runs there"


class Disagreement(ValueError):
    """The update does not fit the match here."""


# Updates with a form of their own


class MovePlayed(NamedTuple):
    """A move was played."""

    move: str
    left: TimeLeft | None = None
    """Time left to its player after it, with a clock."""
    clock: Times | None = None
    """The clock now, if there is one; likewise below."""


class MovesTakenBack(NamedTuple):
    """Moves were taken back; 0 undoes the agreement to end the battle."""

    moves: int
    clock: Times | None = None


class BattleEnded(NamedTuple):
    """The battle is over."""

    reason: Reason
    clock: Times | None = None
    loser: Side | None = None
    """The side that resigned or lost by a claim, if one did."""


class ClockSet(NamedTuple):
    """The clock started or stopped with the same player to move."""

    clock: Times


CHANGES: Final = (MovePlayed, MovesTakenBack, BattleEnded)
"""Updates that change the match."""

Update: TypeAlias = (
    MovePlayed
    | MovesTakenBack
    | BattleEnded
    | ClockSet
    | Proposed
    | Answered
    | Withdrawn
    | Thinking
    | Arrived
    | Departed
    | SeatAsked
    | SeatGiven
    | Said
    | SpectatorSaid
    | Faulted
    | HandedOver
    | SaveFailed
)

# At the host: from events to updates


def update_of(session: SessionView, event: Event) -> Update | None:
    """Return the update for an event; None if others are not told of it.

    Updates that change the clock contain its present state.
    """
    kind = _OF_EVENTS.get(type(event))
    update: Update | None = kind.of(session, event) if kind else None
    return update


def _move_played(session: SessionView, event: Played) -> MovePlayed:
    text = move_text(event.before, event.move)
    return MovePlayed(text, session.battle.left[-1], times(session))


def _moves_taken_back(session: SessionView, event: TakenBack) -> MovesTakenBack:
    return MovesTakenBack(len(event.turns), times(session))


def _battle_ended(session: SessionView, event: Ended) -> BattleEnded:
    forfeit = event.outcome.forfeit
    return BattleEnded(event.outcome.reason, times(session), forfeit and forfeit.loser)


def _clock_set(session: SessionView, event: ClockRuns) -> ClockSet | None:
    now = times(session)
    return ClockSet(now) if now else None


def _thinking(session: SessionView, event: Thinking) -> Thinking | None:
    # An engine's thoughts are shown only at the host.
    return None if event.thought else event


def _save_failed(session: SessionView, event: SaveFailed) -> SaveFailed:
    return SaveFailed(for_guests(session, event.complaint))


def for_guests(session: SessionView, complaint: str) -> str:
    """Return why a match cannot be saved, without the host's directory."""
    store = session.autosave.store
    return complaint.replace(f" in {store.matches}", "") if store else complaint


def times(session: SessionView) -> Times | None:
    """Return the present times of a session's clock, if it has one."""
    return session.clock.times if session.clock else None


# At a guest: updates applied


def apply_update(session: SessionView, update: Update) -> list[Event]:
    """Apply an update to a session; return the events.

    Raises:
        ValueError: it is impossible; nothing has changed.
    """
    return UPDATES[KINDS[type(update)]].apply(session, update)


def clock_in(update: Update | None) -> Times | None:
    """Return the clock in an update, None if it has none."""
    if isinstance(update, MovePlayed | MovesTakenBack | BattleEnded | ClockSet):
        return update.clock
    return None


def _play(session: SessionView, update: MovePlayed) -> list[Event]:
    battle = session.battle
    move = written_move(battle.variant, battle.position, update.move)
    if update.clock and update.clock.turn is battle.position.to_move:
        raise Disagreement(_OTHER_TURN)
    # If the move ends the battle, a separate update says so.
    return played(battle, move, update.left)[:1]


def _take_back(session: SessionView, update: MovesTakenBack) -> list[Event]:
    moves, clock = update
    if moves > session.battle.played or bool(moves) is session.battle.agreed:
        raise Disagreement("there is no such move to undo")
    if clock and clock.turn is not session.battle.positions[-1 - moves].to_move:
        raise Disagreement(_OTHER_TURN)
    return taken_back(session.battle, moves)


def _end(session: SessionView, update: BattleEnded) -> list[Event]:
    battle, (reason, clock, loser) = session.battle, update
    if clock:
        check_turn(battle, clock)
    if battle.outcome is None:
        match reason:
            case Reason.AGREEMENT:
                battle.agree()
            case Reason.TIME:
                # The host's clock has to show that a player's time is up.
                control = session.match.control
                if not (control and clock and battle.played and clock.left(control, clock.turn).up):
                    raise Disagreement("no time is up there")
                battle.time_up()
            case Reason.RESIGNATION | Reason.CLAIM if loser:
                battle.lose(Forfeit(loser, reason))
    if battle.outcome is None or battle.outcome.reason is not reason:
        raise Disagreement("by the rules the battle is not over")
    return ended(battle)


def check_turn(battle: Battle, clock: Times) -> None:
    """Check that a clock's turn is the player's to move.

    Raises:
        Disagreement: it is not.
    """
    if clock.turn is not battle.position.to_move:
        raise Disagreement(_OTHER_TURN)


def _check_clock(session: SessionView, update: ClockSet) -> list[Event]:
    """Check a clock; starting or stopping it makes its own event."""
    check_turn(session.battle, update.clock)
    return []


def _propose(session: SessionView, update: Proposed) -> list[Event]:
    session.proposal = Proposal(update.by, session.revision, wish=update.wish)
    return [update]


def _settle(session: SessionView, update: Answered | Withdrawn) -> list[Event]:
    session.proposal = None
    return [update]


def _come(session: SessionView, update: Arrived) -> list[Event]:
    participants = session.participants
    if update.player is not None:
        session.match.rename(update.player, update.name)
        return [participants.enter(update.player)]
    if len(participants.spectators) >= MAX_ONLOOKERS:
        raise Disagreement("too many spectators")
    participants.spectators.append(update.name)
    return [update]


def _go(session: SessionView, update: Departed) -> list[Event]:
    participants = session.participants
    if update.player is not None:
        participants.leave(update.player)
    elif update.name in participants.spectators:
        participants.spectators.remove(update.name)
    return [update]


def _ask_for_seat(session: SessionView, update: SeatAsked) -> list[Event]:
    if session.seats.local:
        session.participants.asking = update
    return [update]


def _free_seat(session: SessionView, update: SeatGiven) -> list[Event]:
    return [session.participants.given(update)]


def _hear(session: SessionView, update: Said) -> list[Event]:
    return [session.participants.add_message(*update)]


def _hear_spectator(session: SessionView, update: SpectatorSaid) -> list[Event]:
    return [session.participants.add_spectator_message(*update)]


def _complain(session: SessionView, update: SaveFailed) -> list[Event]:
    return [save_failed_there(update.complaint)]


def save_failed_there(complaint: str) -> SaveFailed:
    """Return the event for a match that is not saved at the host."""
    return SaveFailed(f"at the host's {complaint}")


# Each kind


class UpdateCodec(NamedTuple):
    """One kind of update."""

    update: type[Any]
    """Its tuple type."""
    apply: Callable[[SessionView, Any], list[Event]] = lambda _, update: [update]
    """Applies it at a guest: returns the events, or raises `ValueError`."""
    event: type[Event] | None = None
    """The event it is made from, if it is not that event itself."""
    of: Callable[[SessionView, Any], Any] = lambda _, event: event
    """Makes it from an event; None if others are not told."""


UPDATES: Final[Mapping[str, UpdateCodec]] = {
    "played": UpdateCodec(MovePlayed, _play, Played, _move_played),
    "taken_back": UpdateCodec(MovesTakenBack, _take_back, TakenBack, _moves_taken_back),
    "ended": UpdateCodec(BattleEnded, _end, Ended, _battle_ended),
    "clock": UpdateCodec(ClockSet, _check_clock, ClockRuns, _clock_set),
    "proposed": UpdateCodec(Proposed, _propose),
    "answered": UpdateCodec(Answered, _settle),
    "withdrawn": UpdateCodec(Withdrawn, _settle),
    "thinking": UpdateCodec(Thinking, of=_thinking),
    "came": UpdateCodec(Arrived, _come),
    "went": UpdateCodec(Departed, _go),
    "seat_asked": UpdateCodec(SeatAsked, _ask_for_seat),
    "seat_given": UpdateCodec(SeatGiven, _free_seat),
    "said": UpdateCodec(Said, _hear),
    "overheard": UpdateCodec(SpectatorSaid, _hear_spectator),
    "faulted": UpdateCodec(Faulted),
    "handed_over": UpdateCodec(HandedOver),
    "not_kept": UpdateCodec(SaveFailed, _complain, of=_save_failed),
}
"""Kinds of updates, by name on the wire."""

KINDS: Final[Mapping[type, str]] = {each.update: kind for kind, each in UPDATES.items()}
"""Names of the kinds, by update type."""

_OF_EVENTS: Final = {each.event or each.update: each for each in UPDATES.values()}
