"""The events of a match on the wire: written, read, checked and applied.

`UPDATES` has a row for each kind.  Most are events of a session, and travel as they are.  Those
that change the match or its clock travel as what a guest needs to do the same, which the rules
check there.  What computers advise or expect at the host does not travel; that another battle has
begun does, as a whole snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from thud.net import codec
from thud.net.codec import Shape, shape_of
from thud.rules.battle import Battle
from thud.rules.clock import TimeLeft, Times
from thud.rules.notation import move_text, written_move
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.session import changes
from thud.session.events import (
    Answered,
    Came,
    ClockRuns,
    Ended,
    Event,
    Faulted,
    HandedOver,
    NotKept,
    Overheard,
    Played,
    Proposed,
    Said,
    SeatAsked,
    SeatGiven,
    TakenBack,
    Thinking,
    Went,
    Withdrawn,
)
from thud.session.view import Proposal, SessionView

_OTHER_TURN: Final = "the clock of another player runs there"


class Disagreement(ValueError):
    """The update does not fit the match here."""


# What travels in another form


class MovePlayed(NamedTuple):
    """A move was played."""

    move: Annotated[str, codec.MOVE]
    left: Annotated[TimeLeft | None, codec.LEFT] = None
    """Time left to its player after it, if there is a clock."""
    clock: Annotated[Times | None, codec.CLOCK] = None
    """The clock now, if there is one; likewise in the others."""


class MovesTakenBack(NamedTuple):
    """Number of moves taken back; 0: agreed to end."""

    moves: Annotated[int, codec.COUNT]
    clock: Annotated[Times | None, codec.CLOCK] = None


class BattleEnded(NamedTuple):
    """The battle is over."""

    reason: Annotated[Reason, codec.REASON]
    clock: Annotated[Times | None, codec.CLOCK] = None
    loser: Annotated[Side | None, codec.SIDE] = None
    """The player who resigned or lost by a claim, if one did."""


class ClockSet(NamedTuple):
    """The clock runs on, or stands still, though the same player is to move."""

    clock: Annotated[Times, codec.CLOCK]


CHANGES: Final = (MovePlayed, MovesTakenBack, BattleEnded)
"""The updates that change the match."""

Update: TypeAlias = (
    MovePlayed
    | MovesTakenBack
    | BattleEnded
    | ClockSet
    | Proposed
    | Answered
    | Withdrawn
    | Thinking
    | Came
    | Went
    | SeatAsked
    | SeatGiven
    | Said
    | Overheard
    | Faulted
    | HandedOver
    | NotKept
)

# At the host's: an update of an event


def update_of(session: SessionView, event: Event) -> Update | None:
    """Return what is told to others of an event; None of what is not theirs to know.

    What changes the clock is told with how that stands now.
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
    # What a computer finds is seen at the host's, and nowhere else.
    return None if event.thought else event


def times(session: SessionView) -> Times | None:
    """Return how the clock of a session stands, if it has one."""
    return session.clock.times if session.clock else None


# At a guest's: an update applied


def apply_update(session: SessionView, update: Update) -> list[Event]:
    """Do to a session what is told, and return what there is to tell of it.

    Raises:
        ValueError: that cannot be; nothing has changed.
    """
    return UPDATES[KINDS[type(update)]].apply(session, update)


def clock_in(update: Update | None) -> Times | None:
    """Return how the clock stands by what is told, None if that says nothing of it."""
    if isinstance(update, MovePlayed | MovesTakenBack | BattleEnded | ClockSet):
        return update.clock
    return None


def _play(session: SessionView, update: MovePlayed) -> list[Event]:
    battle = session.battle
    move = written_move(battle.variant, battle.position, update.move)
    if update.clock and update.clock.turn is battle.position.to_move:
        raise Disagreement(_OTHER_TURN)
    # That the battle is over then is told by itself.
    return changes.made(session, move, update.left)[:1]


def _take_back(session: SessionView, update: MovesTakenBack) -> list[Event]:
    moves, clock = update
    if moves > session.battle.played or bool(moves) is session.agreed:
        raise Disagreement("there is no such move to undo")
    if clock and clock.turn is not session.battle.positions[-1 - moves].to_move:
        raise Disagreement(_OTHER_TURN)
    return changes.unplayed(session, moves)


def _end(session: SessionView, update: BattleEnded) -> list[Event]:
    if update.clock:
        check_turn(session.battle, update.clock)
    outcome = session.battle.outcome
    if update.reason is Reason.AGREEMENT and outcome is None:
        return changes.agreed(session)
    if update.reason is Reason.TIME and outcome is None:
        return _time_up(session, update.clock)
    if update.reason in (Reason.RESIGNATION, Reason.CLAIM) and update.loser and outcome is None:
        return changes.forfeited(session, Forfeit(update.loser, update.reason))
    if outcome is None or outcome.reason is not update.reason:
        raise Disagreement("by the rules the battle is not over")
    return [Ended(outcome)]


def _time_up(session: SessionView, clock: Times | None) -> list[Event]:
    """End the battle because a time is up at the host's, by a clock that shows it."""
    control = session.match.control
    if not (control and clock and session.battle.played and clock.left(control, clock.turn).up):
        raise Disagreement("no time is up there")
    return changes.time_up(session)


def check_turn(battle: Battle, clock: Times) -> None:
    """Pass if a clock, as it is told, is that of the player to move.

    Raises:
        Disagreement: it is not.
    """
    if clock.turn is not battle.position.to_move:
        raise Disagreement(_OTHER_TURN)


def _check_clock(session: SessionView, update: ClockSet) -> list[Event]:
    """Look at what is told; that the clock stands or runs then is told by itself."""
    check_turn(session.battle, update.clock)
    return []


def _propose(session: SessionView, update: Proposed) -> list[Event]:
    session.proposal = Proposal(update.by, session.number, wish=update.wish)
    return [update]


def _settle(session: SessionView, update: Answered | Withdrawn) -> list[Event]:
    session.proposal = None
    return [update]


def _come(session: SessionView, update: Came) -> list[Event]:
    company = session.company
    if update.player is not None:
        session.match.rename(update.player, update.name)
        return [company.enter(update.player)]
    if len(company.onlookers) >= codec.MAX_ONLOOKERS:
        raise Disagreement("too many spectators")
    company.onlookers.append(update.name)
    return [update]


def _go(session: SessionView, update: Went) -> list[Event]:
    company = session.company
    if update.player is not None:
        company.leave(update.player)
    elif update.name in company.onlookers:
        company.onlookers.remove(update.name)
    return [update]


def _ask_for_seat(session: SessionView, update: SeatAsked) -> list[Event]:
    if session.seats.here:
        session.company.asking = update
    return [update]


def _free_seat(session: SessionView, update: SeatGiven) -> list[Event]:
    return [session.company.given(update)]


def _hear(session: SessionView, update: Said) -> list[Event]:
    return [session.company.hear(*update)]


def _overhear(session: SessionView, update: Overheard) -> list[Event]:
    return [session.company.overhear(*update)]


def _complain(session: SessionView, update: NotKept) -> list[Event]:
    return [not_kept_there(update.complaint)]


def not_kept_there(complaint: str) -> NotKept:
    """Return what there is to tell here where the match is not on the host's disk."""
    return NotKept(f"at the host's {complaint}")


# Each kind


class Kind(NamedTuple):
    """Wire format of one kind of update."""

    shape: Shape
    """Its name on the wire, and its fields."""
    apply: Callable[[SessionView, Any], list[Event]] = lambda _, update: [update]
    """Applies it at a guest's: returns what there is to tell there, or raises `ValueError`."""
    event: type[Event] | None = None
    """The event that it is told of, if it is not that itself."""
    of: Callable[[SessionView, Any], Any] = lambda _, event: event
    """Returns it for an event; None if that is not for others."""


UPDATES: Final[Mapping[str, Kind]] = {
    "played": Kind(shape_of(MovePlayed), _play, Played, _move_played),
    "taken_back": Kind(shape_of(MovesTakenBack), _take_back, TakenBack, _moves_taken_back),
    "ended": Kind(shape_of(BattleEnded), _end, Ended, _battle_ended),
    "clock": Kind(shape_of(ClockSet), _check_clock, ClockRuns, _clock_set),
    "proposed": Kind(Shape(Proposed, {"by": codec.SIDE, "wish": codec.WISH}), _propose),
    "answered": Kind(
        Shape(
            Answered,
            {"by": codec.SIDE, "agree": codec.TRUTH, "wish": codec.WISH, "until": codec.SENTENCE},
        ),
        _settle,
    ),
    "withdrawn": Kind(Shape(Withdrawn, {"by": codec.SIDE, "because": codec.SENTENCE}), _settle),
    "thinking": Kind(Shape(Thinking, {"side": codec.SIDE}), of=_thinking),
    "came": Kind(Shape(Came, {"name": codec.NAME, "player": codec.PLAYER}), _come),
    "went": Kind(Shape(Went, {"name": codec.NAME, "player": codec.PLAYER}), _go),
    "seat_asked": Kind(
        Shape(SeatAsked, {"player": codec.PLAYER, "name": codec.NAME}), _ask_for_seat
    ),
    "seat_given": Kind(Shape(SeatGiven, {"player": codec.PLAYER, "name": codec.NAME}), _free_seat),
    "said": Kind(
        Shape(Said, {"player": codec.PLAYER, "name": codec.NAME, "text": codec.CHAT}), _hear
    ),
    "overheard": Kind(Shape(Overheard, {"name": codec.NAME, "text": codec.CHAT}), _overhear),
    "faulted": Kind(Shape(Faulted, {"player": codec.PLAYER, "fault": codec.SENTENCE})),
    "handed_over": Kind(Shape(HandedOver, {"player": codec.PLAYER})),
    "not_kept": Kind(Shape(NotKept, {"complaint": codec.SENTENCE}), _complain),
}
"""The kinds of updates, by their names on the way."""

KINDS: Final[Mapping[type, str]] = {each.shape.type: kind for kind, each in UPDATES.items()}
"""The names of the kinds, by what they are on the way."""

_OF_EVENTS: Final = {each.event or each.shape.type: each for each in UPDATES.values()}
