"""Random play over the network has the same effect for all, even where lines break meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from net.meeting import Meeting, SocketPairTransport
from rules.strategies import every_variant
from session.timing import ManualClock
from thud.rules.clock import Times
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove, Variant
from thud.session.events import Begun, ConnectionSilent, Event, NewMatch, ProposeEnd, Said, Undo
from thud.session.law import Answer, Hold, NextBattle, Play, Request, Resign, Say, Withdraw
from thud.session.participants import SEAT, WATCH
from thud.session.session import Session
from thud.session.state import Proposal, TooLate
from thud.session.view import SessionView
from waiting import until

STEPS = 24


class Players:
    """The players' sessions, and actions in them."""

    def __init__(self, meeting: Meeting, places: tuple[SessionView, SessionView]) -> None:
        self.meeting = meeting
        self.places = places

    def of(self, side: Side) -> SessionView:
        """Return the session of the player of a side."""
        return self.places[self.meeting.session.state.match.commander(side)]

    async def do(self, what: str, rng: Random) -> None:
        session = self.meeting.session
        mover = self.of(session.state.to_move)
        match what:
            case "hold":
                await session.request(Hold(not session.state.computers.held))
            case "play":
                await mover.request(Play(rng.choice(_moves(mover))), mover.state.revision)
            case "end":
                await mover.request(ProposeEnd(), mover.state.revision)
            case "undo":
                await self.of(rng.choice(tuple(Side))).request(Undo())
            case "agree" | "refuse":
                by, wish = _proposal(session).by, _proposal(session).wish
                await self.of(by.other).request(Answer(what == "agree", wish))
            case "withdraw":
                await self.of(_proposal(session).by).request(Withdraw())
            case "next":
                await rng.choice(self.places).request(NextBattle())
            case "resign":
                await rng.choice(self.places).request(Resign())


def _unmarked(record: bytes) -> bytes:
    """Return a record without a guest's or an onlooker's tags, as the host has it."""
    return record.replace(b'[LookedOn "yes"]\n', b"").replace(b'[Guest "yes"]\n', b"")


def _moves(session: SessionView) -> list[Move]:
    moves = session.state.match.variant.legal_moves(session.state.battle.position)
    return [move for move in moves if move.captures] or moves


def _proposal(session: SessionView) -> Proposal:
    assert session.state.proposal
    return session.state.proposal


def _chosen(session: SessionView, rng: Random, done: int) -> str:
    """Choose the next action: first a proposal that is refused, at last what ends the match."""
    ending = done > STEPS
    if done < 2 and not session.state.match.control:
        return ("end", "refuse")[done]
    if session.state.computers.held or (session.state.match.control and rng.random() < 0.1):
        return "hold"
    if session.state.proposal:
        return "agree" if ending else rng.choice(["agree", "refuse", "withdraw"])
    if session.state.battle.outcome:
        # Moves cannot be taken back after a time forfeit.
        done_with = ending or session.state.battle.timed_out or rng.random() < 0.5
        return "next" if done_with else "undo"
    if ending:
        return rng.choice(["end", "resign"])
    whim = rng.choice(["undo", "end", *["play"] * 4])
    return "play" if whim == "undo" and len(session.state.battle.moves) < 2 else whim


@pytest.mark.parametrize("control", [None, "1+2", "0.5/2x20"])
@every_variant
async def test_the_same_is_told_and_kept_everywhere(
    variant: Variant, control: str | None, tmp_path: Path, glass: ManualClock
) -> None:
    meeting = Meeting(tmp_path, variant, ("guest", "guest"), control=control)
    first, second = await meeting.join("Bob", seat=0), await meeting.join("Cid", seat=1)
    await meeting.watch()
    await meeting.all_agree()
    players, rng = Players(meeting, (first, second)), Random(str(control))
    begun = {name: len(_shared(events)) for name, events in meeting.told.items()}
    done = 0
    while not meeting.session.state.match.over:
        glass.pass_ms(rng.randrange(12_000))
        with suppress(TooLate):
            await players.do(_chosen(meeting.session, rng, done), rng)
        await all_told(meeting, begun)
        assert len({shown(each) for each in meeting.everywhere}) == 1
        done += 1
    told = [_shared(events)[begun[name] :] for name, events in meeting.told.items()]
    assert told[0]
    assert all(each == told[0] for each in told)
    kinds = {type(each).__name__ for each in told[0]}
    assert kinds >= {"Played", "Ended"} | (set() if control else {"Proposed", "Answered"})
    positions = [each.state.battle.position for each in meeting.everywhere]
    assert len(set(positions)) == 1
    files = [*tmp_path.glob("*/matches/*.tgn")]
    assert len(files) == 4
    assert len({_unmarked(file.read_bytes()) for file in files}) == 1
    await meeting.close()


def shown(session: SessionView) -> tuple[Times | None, int]:
    """Return what a board shows: the clock's times and the number of moves."""
    times = session.state.clock.times if session.state.clock else None
    return times, len(session.state.battle.moves)


def _shared(events: Sequence[Event]) -> list[Event]:
    """Return events without what only one place knows: who began a battle, and its own line."""
    shared = [each for each in events if not isinstance(each, ConnectionSilent)]
    return [replace(each, by=None) if isinstance(each, Begun) else each for each in shared]


async def all_told(meeting: Meeting, begun: dict[str, int]) -> None:
    """Wait until all participants have as many events as the host."""

    def told(name: str) -> int:
        return len(_shared(meeting.told[name])) - begun[name]

    await until(lambda: all(told(name) >= told("host") for name in begun))


def seen(session: SessionView) -> tuple[object, ...]:
    """Return everything of a table that all participants see."""
    state = session.state
    clock, proposal = state.clock, state.proposal
    return (
        state.match.players,
        [(battle.moves, battle.outcome, battle.left) for battle in state.match.battles],
        clock and (clock.running, clock.times),
        proposal and (proposal.by, proposal.wish),
        state.participants.conversation,
        state.participants.missing,
        state.participants.spectators,
    )


async def do_something(session: Session, rng: Random) -> None:
    """Make a random request for one of the players."""
    state, player = session.state, rng.randrange(2)
    if state.proposal:
        agree, by = rng.random() < 0.7, state.match.commander(state.proposal.by.other)
        await session.request(Answer(agree, state.proposal.wish), by=by)
    elif rng.random() < 0.2:
        await session.request(Say(rng.choice(["hello", "good luck"])), by=player)
    elif state.battle.outcome:
        over = NewMatch() if state.match.over else NextBattle()
        await session.request(rng.choice([over, over, Undo()]), by=player)
    elif rng.random() < 0.6:
        # Often the same move as one taken back.
        moves, mover = (
            _moves(session)[: rng.choice([1, 1, 1, 2])],
            state.match.commander(state.to_move),
        )
        await session.request(Play(rng.choice(moves)), by=mover)
    else:
        wishes: list[Request] = [Undo(), Undo(), Undo(), Undo(), ProposeEnd(), Resign()]
        await session.request(rng.choice(wishes), by=player)


@pytest.mark.usefixtures("mended_at_once")
@pytest.mark.parametrize("waits", [False, True])
@every_variant
async def test_whatever_happens_while_lines_are_broken_is_known_after_them(
    variant: Variant, waits: bool, tmp_path: Path, glass: ManualClock, full: bool
) -> None:
    meeting = Meeting(tmp_path, variant, ("guest", "guest"), control="0.2/2x10", waits=waits)
    ways = [SocketPairTransport(meeting.host) for _ in range(3)]
    for name, want, way in zip(("Bob", "Cid", "Wim"), (SEAT, SEAT, WATCH), ways, strict=True):
        await meeting.join(name, want, way)
    await meeting.session.request(Say("hello"), by=0)
    rng = Random(f"{variant.name} {waits}")
    for _ in range(24 if full else 10):
        for way in ways:
            if rng.random() < 0.5:
                way.host = None
                way.break_off()
        there = [guest for guest, way in zip(meeting.guests, ways, strict=True) if way.host]
        await all_see_the_same(meeting, there)
        for _ in range(rng.randrange(7)):
            await all_see_the_same(meeting, there)
            glass.pass_ms(100 * rng.randrange(120))  # records have tenths of a second
            await meeting.session.mind_time()
            with suppress(IllegalMove, TooLate):
                await do_something(meeting.session, rng)
        state, secrets = meeting.session.state, meeting.host.registry
        if state.battle.moves and state.match.number == 1 and rng.random() < 0.3:
            for way in ways:
                way.host = None
            await meeting.open_again()
            assert meeting.host.id == secrets.id
            assert meeting.host.registry.watching == secrets.watching
        for way in ways:
            way.host = meeting.host
        await all_see_the_same(meeting, meeting.guests)
        glass.pass_ms(1_000)
        assert all(seen(each) == seen(meeting.session) for each in meeting.guests)
        await meeting.session.mind_time()

    def said(name: str) -> list[Event]:
        return [each for each in meeting.told[name] if isinstance(each, Said)]

    assert said("host")
    await until(lambda: all(said(name) == said("host") for name in meeting.told))
    await meeting.close()


async def all_see_the_same(meeting: Meeting, guests: Sequence[SessionView]) -> None:
    """Wait until some guests see what the host sees, and it knows that the others have gone."""

    def so() -> bool:
        clients, here = meeting.host._clients, seen(meeting.session)
        return len(clients) == len(guests) and all(seen(each) == here for each in guests)

    await until(so)
