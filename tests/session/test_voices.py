"""What the computer's levels say."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest

from thud.ai.levels import LEVELS
from thud.engines.spec import parse_contender
from thud.rules.battle import Battle
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variants import VARIANTS
from thud.session.events import Begun, Ended, Event, Played, Said
from thud.session.participants import voices
from thud.session.session import Session

CLASSIC = VARIANTS["classic"]


def speaking(first: str = "human", second: str = "cpu:3") -> tuple[Session, list[Said]]:
    """Return a session of two players with the voices on, and what is said in it."""
    pair = parse_contender(first), parse_contender(second)
    session = Session(Match(CLASSIC, ("Anna", "Lamplighter")), contenders=pair)
    session.set_computers(coach=False, voices=True)
    said: list[Said] = []

    def hear(event: Event) -> None:
        if isinstance(event, Said):
            said.append(event)

    session.subscribe(hear)
    return session, said


def test_every_level_has_three_short_lines_for_each_occasion() -> None:
    assert len(voices()) == len([level for level in LEVELS if level])
    lines = [line for level in voices() for line in chain(*level.values())]
    assert all([len(each) for each in level.values()] == [3, 3, 3] for level in voices())
    assert all(level.keys() == {"start", "capture", "end"} for level in voices())
    assert len(set(lines)) == len(lines)
    assert all(line.isprintable() and len(line) <= 60 for line in lines)


async def test_a_level_says_something_at_the_beginning_and_never_the_same_twice_running() -> None:
    session, said = speaking()
    await session.begin()
    for _ in range(20):
        session.emit(Begun(1))
    assert {each.text for each in said} == {*voices()[2]["start"]}
    assert all(one.text != other.text for one, other in pairwise(said))
    assert {(each.player, each.name) for each in said} == {(1, "Lamplighter")}
    assert session.state.participants.conversation[0] == f"Lamplighter says: {said[0].text}"
    await session.leave()


@pytest.mark.parametrize(
    ("players", "side", "captured", "speaks"),
    [
        (("human", "cpu:3"), Side.TROLLS, "F7 G7", False),
        (("human", "cpu:3"), Side.TROLLS, "F7 G7 E7", True),
        (("human", "cpu:3"), Side.DWARFS, "F6", False),
        (("cpu:3", "human"), Side.DWARFS, "F6", True),
        (("cpu:3", "human"), Side.DWARFS, "F7", False),
    ],
)
async def test_only_its_own_great_captures_are_worth_a_word(
    players: tuple[str, str], side: Side, captured: str, speaks: bool
) -> None:
    session, said = speaking(*players)
    captures = sum(1 << parse_square(square) for square in captured.split())
    move = Move(parse_square("F5"), parse_square("F6"), captures)
    session.emit(Played(CLASSIC.start._replace(to_move=side), move))
    assert bool(said) is speaks
    assert {each.text for each in said} <= {*voices()[2]["capture"]}
    await session.leave()


async def test_it_speaks_at_the_end_only_if_wanted_and_only_to_people() -> None:
    for first, second, on in (
        ("human", "cpu:3", True),
        ("human", "cpu:3", False),
        ("human", "human", True),
        ("cpu:1", "cpu:3", True),
        ("human", "max", True),
        ("human", "random", True),
    ):
        session, said = speaking(first, second)
        session.set_computers(coach=False, voices=on)
        battle = Battle(CLASSIC)
        battle.agree()
        over = battle.outcome
        assert over
        session.emit(Ended(over))
        assert bool(said) is ((first, second, on) == ("human", "cpu:3", True))
        await session.leave()
