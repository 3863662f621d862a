"""Updates: the events of a match on the wire, checked and applied.

`UPDATES` names each kind.  Most are session events, sent as they are.  Those that change
the match or its clock are sent as the data a guest needs to repeat the change, checked there by the
rules.  Engines' hints and thoughts at the host are not sent; a new battle is sent as a snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

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
)
from thud.session.state import Proposal, TableState, ended, played, taken_back
from thud.session.view import SessionView

_OTHER_TURN: Final = "the clock of another player runs there"


class Disagreement(ValueError):
    """The update does not fit the match here."""


# Updates with a form of their own


class MovePlayed(Struct, frozen=True):
    """A move was played."""

    move: str
    left: TimeLeft | None = None
    """Time left to its player after it, with a clock."""
    clock: Times | None = None
    """The clock now, if there is one; likewise below."""


class MovesTakenBack(Struct, frozen=True):
    """Moves were taken back; 0 undoes the agreement to end the battle."""

    moves: int
    clock: Times | None = None


class BattleEnded(Struct, frozen=True):
    """The battle is over."""

    reason: Reason
    clock: Times | None = None
    loser: Side | None = None
    """The side that resigned or lost by a claim, if one did."""


class ClockSet(Struct, frozen=True):
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

UPDATES: Final[Mapping[str, type]] = {
    "played": MovePlayed,
    "taken_back": MovesTakenBack,
    "ended": BattleEnded,
    "clock": ClockSet,
    "proposed": Proposed,
    "answered": Answered,
    "withdrawn": Withdrawn,
    "thinking": Thinking,
    "came": Arrived,
    "went": Departed,
    "seat_asked": SeatAsked,
    "seat_given": SeatGiven,
    "said": Said,
    "overheard": SpectatorSaid,
    "faulted": Faulted,
    "handed_over": HandedOver,
    "not_kept": SaveFailed,
}
"""Kinds of updates, by name on the wire."""

KINDS: Final[Mapping[type, str]] = {each: kind for kind, each in UPDATES.items()}
"""Names of the kinds, by update type."""

# At the host: from events to updates


def update_of(session: SessionView, event: Event) -> Update | None:  # noqa: PLR0911 - one for each
    """Return the update for an event; None if others are not told of it.

    Updates that change the clock contain its present state.
    """
    clock = times(session.state)
    match event:
        case Played(before, move):
            return MovePlayed(move_text(before, move), session.state.battle.left[-1], clock)
        case TakenBack(turns):
            return MovesTakenBack(len(turns), clock)
        case Ended(outcome):
            return BattleEnded(outcome.reason, clock, outcome.forfeit and outcome.forfeit.loser)
        case ClockRuns():
            return ClockSet(clock) if clock else None
        case Thinking(_, thought):
            # An engine's thoughts are shown only at the host.
            return None if thought else event
        case SaveFailed(complaint):
            return SaveFailed(for_guests(session, complaint))
        case (
            Proposed()
            | Answered()
            | Withdrawn()
            | Arrived()
            | Departed()
            | SeatAsked()
            | SeatGiven()
            | Said()
            | SpectatorSaid()
            | Faulted()
            | HandedOver()
        ):
            return event
    return None


def for_guests(session: SessionView, complaint: str) -> str:
    """Return why a match cannot be saved, without the host's directory."""
    store = session.autosave.store
    return complaint.replace(f" in {store.matches}", "") if store else complaint


def times(state: TableState) -> Times | None:
    """Return the present times of a match's clock, if it has one."""
    return state.clock.times if state.clock else None


# At a guest: updates applied


def clock_in(update: Update | None) -> Times | None:
    """Return the clock in an update, None if it has none."""
    if isinstance(update, MovePlayed | MovesTakenBack | BattleEnded | ClockSet):
        return update.clock
    return None


def apply_update(  # noqa: PLR0911, PLR0912 - a branch for each kind
    state: TableState, update: Update
) -> list[Event]:
    """Apply an update to a match; return the events.

    Raises:
        ValueError: it is impossible; nothing has changed.
    """
    battle, participants = state.battle, state.participants
    match update:
        case MovePlayed(text, left, clock):
            move = written_move(battle.variant, battle.position, text)
            if clock and clock.turn is battle.position.to_move:
                raise Disagreement(_OTHER_TURN)
            # If the move ends the battle, a separate update says so.
            return played(battle, move, left)[:1]
        case MovesTakenBack(moves, clock):
            if moves > battle.played or bool(moves) is battle.agreed:
                raise Disagreement("there is no such move to undo")
            if clock and clock.turn is not battle.positions[-1 - moves].to_move:
                raise Disagreement(_OTHER_TURN)
            return taken_back(battle, moves)
        case BattleEnded():
            return _ended_there(state, update)
        case ClockSet(clock):
            check_turn(battle, clock)
            # Starting or stopping it makes its own event.
            return []
        case Proposed(by, wish):
            state.proposal = Proposal(by, state.revision, wish)
        case Answered() | Withdrawn():
            state.proposal = None
        case Arrived(name, None):
            if len(participants.spectators) >= MAX_ONLOOKERS:
                raise Disagreement("too many spectators")
            participants.spectators.append(name)
        case Arrived(name, int(player)):
            state.match.rename(player, name)
            return [participants.enter(player)]
        case Departed(name, None):
            if name in participants.spectators:
                participants.spectators.remove(name)
        case Departed(_, int(player)):
            participants.leave(player)
        case SeatAsked() if state.seats.local:
            participants.asking = update
        case SeatGiven():
            participants.given(update)
        case Said(player, name, text):
            return [participants.add_message(player, name, text)]
        case SpectatorSaid(name, text):
            return [participants.add_spectator_message(name, text)]
        case SaveFailed(complaint):
            return [save_failed_there(complaint)]
    return [update]


def _ended_there(state: TableState, update: BattleEnded) -> list[Event]:
    battle, reason, clock = state.battle, update.reason, update.clock
    if clock:
        check_turn(battle, clock)
    if battle.outcome is None:
        match reason:
            case Reason.AGREEMENT:
                battle.agree()
            case Reason.TIME:
                # The host's clock has to show that a player's time is up.
                control = state.match.control
                ran = battle.played or (state.connection and state.connection.clock_runs)
                if not (ran and control and clock and clock.left(control, clock.turn).up):
                    raise Disagreement("no time is up there")
                battle.time_up()
            case Reason.RESIGNATION | Reason.CLAIM if loser := update.loser:
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


def save_failed_there(complaint: str) -> SaveFailed:
    """Return the event for a match that is not saved at the host."""
    return SaveFailed(f"at the host's {complaint}")
