"""What a session asks of the people here: one thing at a time, told from its state."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from thud.session.events import Faulted
from thud.session.view import Proposal, SessionView


class Reply(NamedTuple):
    """A person here is to agree to a proposal, or to decline it."""

    proposal: Proposal
    made_here: bool
    """Whether another person here made it, and so can withdraw it."""


class Await(NamedTuple):
    """A person elsewhere is to answer a proposal made here, which can be withdrawn."""

    proposal: Proposal


class GoOn(NamedTuple):
    """The battle is over: what comes next?"""


Asked: TypeAlias = Faulted | Reply | Await | GoOn
"""What is asked; `Faulted` asks what to do about a computer that has failed."""


def asked(session: SessionView) -> Asked | None:
    """Return what a session asks of the people here now, if anything but a move."""
    if session.fault:
        return session.fault
    if proposal := session.proposal:
        made_here = session.seat_of(proposal.by).is_local
        answers = session.seat_of(proposal.by.other)
        if answers.is_local:
            return Reply(proposal, made_here)
        if made_here and answers.is_remote:
            return Await(proposal)
    return GoOn() if session.battle.outcome else None
