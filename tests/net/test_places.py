"""Whatever is done at several places has the same effect at each, and at one table."""

from __future__ import annotations

from pathlib import Path
from random import Random

from net.meeting import Meeting, until
from rules.strategies import every_variant
from thud.rules.position import Move, Side
from thud.rules.variant import Variant
from thud.session.session import Session
from thud.session.situation import Proposal

STEPS = 24


class Players:
    """Who sits where, and does something there."""

    def __init__(self, meeting: Meeting, places: tuple[Session, Session]) -> None:
        self.meeting = meeting
        self.places = places

    def of(self, side: Side) -> Session:
        """Return where the player of a side sits."""
        return self.places[self.meeting.session.match.commander(side)]

    async def do(self, what: str, lots: Random) -> None:
        session = self.meeting.session
        mover = self.of(session.to_move)
        match what:
            case "play":
                await mover.play(lots.choice(_moves(mover)), mover.number)
            case "end":
                await mover.propose_end(mover.number)
            case "undo":
                await self.of(lots.choice(tuple(Side))).undo()
            case "agree" | "refuse":
                await self.of(_proposal(session).by.other).answer(what == "agree")
            case "withdraw":
                await self.of(_proposal(session).by).withdraw()
            case "next":
                await lots.choice(self.places).next_battle()


def _moves(session: Session) -> list[Move]:
    moves = session.match.variant.legal_moves(session.battle.position)
    return [move for move in moves if move.captures] or moves


def _proposal(session: Session) -> Proposal:
    assert session.proposal
    return session.proposal


def _chosen(session: Session, lots: Random, done: int) -> str:
    """Choose what to do next; after many steps, what brings the match to its end."""
    ending = done > STEPS
    if session.proposal:
        return "agree" if ending else lots.choice(["agree", "refuse", "withdraw"])
    if session.battle.outcome:
        return "next" if ending or lots.random() < 0.5 else "undo"
    if ending:
        return "end"
    whim = lots.choice(["undo", "end", "play", "play", "play", "play"])
    return "play" if whim == "undo" and len(session.battle.moves) < 2 else whim


@every_variant
async def test_the_same_is_told_and_kept_everywhere(variant: Variant, tmp_path: Path) -> None:
    meeting = Meeting(tmp_path, variant, ("guest", "guest"))
    first, second = await meeting.join("Bob", seat=0), await meeting.join("Cid", seat=1)
    watcher = await meeting.watch()
    await meeting.all_agree()
    players, lots = Players(meeting, (first, second)), Random(variant.name)
    begun = {name: len(events) for name, events in meeting.told.items()}
    done = 0
    while not meeting.session.match.over:
        await players.do(_chosen(meeting.session, lots, done), lots)
        await all_told(meeting, begun)
        done += 1
    told = [events[begun[name] :] for name, events in meeting.told.items()]
    assert told[0]
    assert all(each == told[0] for each in told)
    assert {type(each).__name__ for each in told[0]} >= {"Played", "Proposed", "Answered", "Ended"}
    positions = [each.battle.position for each in (meeting.session, first, second, watcher)]
    assert len(set(positions)) == 1
    files = [*tmp_path.glob("*/matches/*.tgn")]
    assert len(files) == 4
    assert len({file.read_bytes() for file in files}) == 1
    await meeting.close()


async def all_told(meeting: Meeting, begun: dict[str, int]) -> None:
    """Wait until everybody has been told as much as the host."""
    wanted = len(meeting.told["host"]) - begun["host"]
    await until(lambda: all(len(meeting.told[name]) - begun[name] >= wanted for name in begun))
