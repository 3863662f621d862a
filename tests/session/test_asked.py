"""What a session asks of the people here, as it changes."""

from __future__ import annotations

from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.session.events import Faulted, Wish
from thud.session.session import Session
from thud.session.state import Answer, GoOn, ProposeEnd, Reply, Resign, Undo


async def test_a_person_is_asked_about_a_proposal_until_it_is_answered() -> None:
    session = Session(Match(VARIANTS["classic"], ("Anna", "Bert")))
    assert session.state.asked is None
    await session.request(ProposeEnd())
    reply = session.state.asked
    assert isinstance(reply, Reply)
    assert reply.made_here
    assert (reply.proposal.by, reply.proposal.wish) == (Side.DWARFS, Wish.END)
    await session.request(Answer(False, Wish.END))
    assert session.state.asked is None


async def test_once_a_battle_is_over_it_is_asked_what_comes_next() -> None:
    session = Session(Match(VARIANTS["classic"], ("Anna", "Bert")))
    await session.request(ProposeEnd())
    await session.request(Answer(True, Wish.END))
    assert session.state.asked == GoOn()
    await session.request(Undo())
    assert session.state.asked is None
    await session.request(Resign())
    assert session.state.asked == GoOn()


async def test_nothing_else_is_asked_while_a_computer_has_failed() -> None:
    session = Session(Match(VARIANTS["classic"], ("Anna", "Bert")))
    await session.request(ProposeEnd())
    session.state.fault = Faulted(1, "it has crashed")
    assert session.state.asked == session.state.fault
