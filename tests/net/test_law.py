"""The law of requests says the same to a guest as to its host."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from net.meeting import Meeting
from sampling import sampled
from session.test_law import requests
from session.timing import ManualClock
from thud.net.messages import Asked
from thud.net.remote import Remote
from thud.net.token_bucket import TokenBucket
from thud.rules.variant import IllegalMove
from thud.session.law import Code, Open, Redo, Say, ToComputers, why_not
from thud.session.view import SessionView
from waiting import until

STEPS = 20
SEATS = (("human", "guest"), ("guest", "human"), ("guest", "guest"))


def facts(session: SessionView) -> tuple[object, ...]:
    """Return what a guest and its host must agree on."""
    state, proposal = session.state, session.state.proposal
    asking = state.participants.asking
    return (
        (proposal.by, proposal.wish) if proposal else None,
        asking.name if asking else None,
        state.match.players,
        state.battle.moves,
        state.battle.outcome,
    )


class Crossed:
    """A meeting in which everybody makes random requests.

    Args:
        meeting: the meeting.
        guests: the guests who play, by player.
        rng: chooses.
    """

    def __init__(self, meeting: Meeting, guests: dict[int, Remote], rng: Random) -> None:
        self.meeting, self.guests, self.rng = meeting, guests, rng

    async def all_know(self) -> None:
        """Wait until the guests know what has happened."""
        await self.meeting.all_agree()
        host = self.meeting.session
        await until(lambda: {facts(each) for each in self.guests.values()} == {facts(host)})

    def compare(self) -> set[Code | None]:
        """Compare what guests and host are told of every request; return the codes."""
        codes: set[Code | None] = set()
        for player, guest in self.guests.items():
            for request in requests(self.meeting.session):
                here = why_not(guest.state, request)
                there = why_not(self.meeting.session.state, request, player)
                codes.add(here.code if here else None)
                if not isinstance(request, ToComputers | Open | Redo):
                    assert here == there, request
        return codes

    async def go_on(self) -> None:
        """Let one of those who play make a request that is possible."""
        who: list[tuple[SessionView, int | None]] = [(each, None) for each in self.guests.values()]
        if self.meeting.session.state.seats.local:
            who.append((self.meeting.session, None))
        session, by = self.rng.choice(who)
        allowed = [
            each
            for each in requests(self.meeting.session)
            if why_not(session.state, each, by) is None and not isinstance(each, ToComputers)
        ]
        kinds = sorted({type(each).__name__ for each in allowed} - {"Resign"} or {"Resign"})
        kind = self.rng.choice([*kinds, *(["Play"] if "Play" in kinds else [])])
        request = self.rng.choice([each for each in allowed if type(each).__name__ == kind])
        await session.request(request, session.state.revision)
        if isinstance(request, Say):
            (player,) = session.state.seats.local
            said = self.meeting.session.state.participants.said
            await until(lambda: said and said[-1].player == player)


async def gone(meeting: Meeting, player: int) -> None:
    """Wait until everybody knows that a player has left."""
    states = [each.state for each in meeting.everywhere]
    await until(lambda: all(player in state.participants.missing for state in states))


@pytest.mark.parametrize("seed", sampled(range(6), 6))
@pytest.mark.parametrize("seats", SEATS, ids=" and ".join)
async def test_guest_and_host_are_told_the_same(
    tmp_path: Path, seats: tuple[str, str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ManualClock().put_everywhere(monkeypatch)
    monkeypatch.setattr(TokenBucket, "try_acquire", lambda _: True)
    meeting = Meeting(tmp_path, seats=seats)
    codes: set[Code | None] = set()
    remote = [player for player in (0, 1) if seats[player] == "guest"]
    guests = {each: await meeting.join(f"Guest {each}", seat=each) for each in remote}
    watcher = await meeting.watch()
    crossed = Crossed(meeting, guests, Random(f"{seats} {seed}"))
    for step in range(STEPS):
        await crossed.all_know()
        codes |= crossed.compare()
        for request in requests(meeting.session):
            # Spectators talk, and nothing else; what is not for guests at all does no harm.
            if not isinstance(request, Say | ToComputers | Open | Redo):
                assert why_not(watcher.state, request), request
        if step == STEPS - 5 and len(remote) > 1:
            leaving = crossed.guests.pop(crossed.rng.choice(remote))
            meeting.guests.remove(leaving)
            await leaving.leave()
            (player,) = leaving.state.seats.local
            await gone(meeting, player)
            meeting.session.ask_for_seat(player, "Dora", "")
        else:
            await crossed.go_on()
    assert {None, Code.TURN, Code.GOES_ON, Code.NOTHING, Code.NOT_YOURS} <= codes
    await meeting.close()


@pytest.mark.parametrize(("chat", "text"), [(False, "hello"), (True, " \x07 ")])
async def test_a_host_refuses_what_a_spectator_should_not_have_sent(
    meeting: Meeting, chat: bool, text: str
) -> None:
    meeting.session.state.participants.chat_allowed = chat
    watcher, other = await meeting.watch(), await meeting.watch("Xaver")
    with pytest.raises(IllegalMove, match="no chat" if not chat else "is empty"):
        await watcher._connection.ask(Asked(Say(text)))
    assert not other.state.participants.conversation
