"""What the interface says: moves, results and points in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from thud.records.clk import left_in
from thud.rules.geometry import square_name
from thud.rules.match import Match
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome, Variant
from thud.session.company import untaken
from thud.session.time_words import in_digits
from thud.session.wording import unheard
from thud.wording.text import capitalised
from thud.wording.verdicts import battle_verdict

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought
    from thud.records.cursor import Cursor
    from thud.session.doubts import Doubt
    from thud.session.session import Session

_FORESEEN: Final = 3
"""So many moves of those that a computer expects are shown."""


def fitted(text: str, width: int) -> str:
    """Return a text cut to a width in columns, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"


def points(number: float) -> str:
    """Return points as they are written: 21, 0.5, 1.5."""
    return f"{number:g}"


def told(match: Match, before: Position, move: Move, number: int | None = None) -> str:
    """Tell a move that was played: `"Bert tramples F6-B10, captures 3"`."""
    name, kind = match.name_of(before.to_move, number), match.variant.kind(before, move)
    path = f"{square_name(move.origin)}-{square_name(move.destination)}"
    taken = f", captures {move.captures.bit_count()}" if move.captures else ""
    return f"{name} {kind.value}s {path}{taken}"


def told_at(match: Match, cursor: Cursor) -> str:
    """Tell the move that led to a place, and what its player had left then, if that is known."""
    if not (cursor.before and cursor.move):
        return ""
    left = next(filter(None, map(left_in, cursor.comments)), None)
    clock = f", {in_digits(left, cursor.record.control)} left" if left else ""
    return told(match, cursor.before, cursor.move, cursor.number) + clock


def last_told(match: Match) -> str:
    """Tell the last move of the battle now, nothing if there is none."""
    battle = match.battle
    return told(match, battle.positions[-2], battle.moves[-1]) if battle.moves else ""


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


def expectation(side: Side, thought: Thought) -> str:
    """Say what the player to move, who commands a side, expects: `"dwarfs +3"`."""
    ahead = thought.ahead(side)
    if ahead is None:
        return "level"
    if thought.goal_in is not None:
        return f"{ahead.plural} win in {abs(thought.goal_in)}"
    return f"{ahead.plural} +{thought.by}"


def foreseen(position: Position, thought: Thought) -> str:
    """Return the moves that a computer expects, as far as there is room for them."""
    return " ".join(texts_of(position, thought.line[:_FORESEEN]))


def result_of(match: Match, outcome: Outcome, number: int | None = None) -> str:
    """Say who won a battle, and by how much where points are counted."""
    return battle_verdict(match, outcome, points, number)


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


def advised(variant: Variant, position: Position, decision: Decision, because: str) -> str:
    """Tell what the best computer would do, and what speaks for it, or else how it goes on."""
    told, thought = f"Hint: {move_text(position, decision.move)}", decision.thought
    if thought is None:
        return f"{told}. {because}".rstrip()
    known = thought.line[:1] == (decision.move,)
    line = thought._replace(line=thought.line[1:] if known else ())
    further = foreseen(position.after(decision.move), line)
    because = because or (f"It looks ahead to {further}." if further else "")
    return f"{told}, {_promised(variant, position.to_move, thought)}. {because}".rstrip()


def _promised(variant: Variant, side: Side, thought: Thought) -> str:
    """Say what is expected, in points where those count."""
    ahead = thought.ahead(side)
    if ahead is None or thought.goal_in is not None:
        return expectation(side, thought)
    return f"{ahead.plural} +{thought.by} points" if variant.worth else f"{ahead.plural} ahead"


def shown_for(doubt: Doubt) -> str:
    """Say what the board shows while a move is doubted."""
    what = "how it could be answered" if doubt.answer else "what could be done instead"
    return f"The board shows {what}."
