"""Why a key does nothing now, where people would wonder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from thud.session.session import Session


def why_not(session: Session, action: str) -> str:
    """Say why an action of the board does nothing now; nothing if it does something."""
    because = _BECAUSE.get(action)
    return because(session) if because else ""


def waits_for_turn(session: Session, action: str) -> bool:
    """Say whether an action is only for one's own turn, which will come."""
    if session.battle.outcome or not session.seats.here:
        return False
    if action == "hint":
        return session.hints_allowed and not session.can_be_advised
    return action == "end_battle" and not session.can_move


def _no_hint(session: Session) -> str:
    if not session.hints_allowed:
        return "There are no hints in this match."
    if session.seats.apart and not (session.can_move or session.battle.outcome):
        return "A hint is for who is to move."
    return ""


def _no_evaluation(session: Session) -> str:
    if session.seats.apart and not session.seats.here:
        return "Those who look on get no evaluation."
    return "" if session.hints_allowed else "There is no evaluation in this match."


def _no_review(session: Session) -> str:
    return "" if session.battle.outcome else "The review is there when the battle is over."


def _no_talk(session: Session) -> str:
    company = session.company
    if session.seats.apart and not session.seats.here:
        return "Those who look on say nothing."
    return "" if company.talks or not company.met else "Nobody talks in this match."


_BECAUSE: Final[Mapping[str, Callable[[Session], str]]] = {
    "hint": _no_hint,
    "evaluate": _no_evaluation,
    "review": _no_review,
    "talk": _no_talk,
}
