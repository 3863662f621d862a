"""What the interface says: moves, results and points in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from thud.records.clk import left_in
from thud.rules.match import Match
from thud.session.wording import unheard
from thud.wording.clocks import in_digits
from thud.wording.hints import expectation, foreseen
from thud.wording.moves import told_short
from thud.wording.standing import untaken
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.records.cursor import Cursor
    from thud.session.doubts import Doubt
    from thud.session.session import Session


def fitted(text: str, width: int) -> str:
    """Return a text cut to a width in columns, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"


def told_at(match: Match, cursor: Cursor) -> str:
    """Tell the move that led to a place, and what its player had left then, if that is known."""
    if not (cursor.before and cursor.move):
        return ""
    left = next(filter(None, map(left_in, cursor.comments)), None)
    clock = f", {in_digits(left, cursor.record.control)} left" if left else ""
    return told_short(match, cursor.before, cursor.move, cursor.number) + clock


def title(session: Session) -> str:
    """Return what a window is called in which a match is played."""
    if session.battle.outcome:
        return "Thud: over"
    if _unmanned(session):
        return f"Thud: {session.to_move.plural} to move"
    return f"Thud: {session.match.name_of(session.to_move)} to move"


def _unmanned(session: Session) -> bool:
    """Say whether nobody has taken the seat of the side to move."""
    return session.match.commander(session.to_move) in session.company.free


def idle(session: Session) -> str:
    """Say why nobody here can move now; nothing if somebody can, or the battle is over."""
    if session.battle.outcome:
        return ""
    if session.lost:
        return unheard(session.lost)
    if said := _answering(session):
        return said if session.takes_part else f"Watching: {said}"
    if session.can_move:
        return ""
    name, seat = session.match.name_of(session.to_move), session.seat_of(session.to_move)
    if _unmanned(session):
        said = capitalised(untaken(session.to_move))
    elif seat.elsewhere:
        away = session.match.commander(session.to_move) in session.company.missing
        waits = session.takes_part and not away
        said = f"Waiting for {name}" if waits else f"{name} to move{', and away' * away}"
    elif session.pausing:
        said = f"{name} to move, and paused: Space goes on"
    else:
        said = f"{name} is thinking"
    return said if session.takes_part else f"Watching: {said}"


def _answering(session: Session) -> str:
    """Say who is to answer to what is proposed between two places; nothing if nothing is."""
    if session.proposal is None or not session.seats.apart:
        return ""
    asked = session.proposal.by.other
    waits = session.seat_of(asked).elsewhere and session.takes_part
    name = session.match.name_of(asked)
    return f"Waiting for {name} to answer" if waits else f"{name} to answer"


def thinking(session: Session, thought: Thought | None) -> str:
    """Say what somebody who thinks has found so far."""
    if thought is None:
        return idle(session)
    position = session.battle.position
    expected = expectation(position.to_move, thought)
    return f"{idle(session)}: depth {thought.depth}, {expected}, {foreseen(position, thought)}"


def shown_for(doubt: Doubt) -> str:
    """Say what the board shows while a move is doubted."""
    what = "how it could be answered" if doubt.answer else "what could be done instead"
    return f"The board shows {what}."
