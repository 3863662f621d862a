"""The fairer match that follows one that was not even."""

from __future__ import annotations

import pytest

from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.rules.match import Handicap, Match, handicap_in, starts_at
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.events import Begun, Event
from thud.session.fairer import fairer_match
from thud.session.law import Fairer, RequestRefused
from thud.session.session import Session
from thud.session.state import TableState


def fought(
    level: int, *losers: int, game: str = "classic", odds: Handicap | None = None
) -> TableState:
    """Return a table at which Ann, the first player, has met a level: who resigned each battle."""
    variant = VARIANTS[game]
    starts = starts_at(variant, odds) if odds else (variant.start, variant.start)
    computer = parse_contender(f"cpu:{level}")
    match = Match(variant, ("Ann", computer.name), *starts)
    for number, loser in enumerate(losers, 1):
        if number > 1:
            match.next_battle()
        match.battle.lose(Forfeit(match.side_of(loser), Reason.RESIGNATION))
    return TableState(match, (parse_contender("human"), computer))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (fought(4, 0, 0), "easier: level 3"),
        (fought(4, 1, 1), "harder: level 5"),
        (fought(1, 0, 0), "easier: Pebble gives eight dwarfs or two trolls"),
        (fought(15, 1, 1), "harder: Ann gives eight dwarfs or two trolls"),
        (fought(1, 0, 0, odds=Handicap(1, 2)), "easier: Pebble gives 16 dwarfs or four trolls"),
        (fought(3, 0, 0, odds=Handicap(0, 1)), "easier: no handicap"),
        (fought(3, 0, 0, odds=Handicap(0, 3)), "easier: Ann gives eight dwarfs or two trolls"),
        (
            fought(3, 1, 1, odds=Handicap(1, 3)),
            "harder: Lamplighter gives eight dwarfs or two trolls",
        ),
        (fought(3, 1, 1, odds=Handicap(0, 3)), "harder: level 4"),
        (fought(1, 0, 0, game="koom"), "easier: Pebble gives one dwarf or one troll"),
        (fought(5, 0, 0, game="football"), "easier: level 4"),
    ],
)
def test_whoever_won_by_far_gets_a_harder_match_next(state: TableState, words: str) -> None:
    fairer = fairer_match(state)
    assert fairer
    assert fairer.words == words
    assert fairer.match.players[0] == "Ann"
    assert not fairer.match.battle.moves
    last = words.rsplit(maxsplit=1)[-1]
    if "level" in words:
        assert fairer.contenders[1].level == int(last)
        assert fairer.match.starts == state.match.starts
    else:
        assert fairer.contenders[1].level == state.seats[1].level
        odds = handicap_in(fairer.match.variant, fairer.match.starts)
        assert bool(odds) is (words != "easier: no handicap")
        assert not odds or f" {fairer.match.players[odds.player]} gives " in words


@pytest.mark.parametrize(
    "state",
    [
        fought(4),
        fought(4, 0),
        fought(4, 0, 1),
        fought(1, 0, 0, odds=Handicap(1, 4)),
        fought(1, 0, 0, game="football"),
        fought(1, 0, 1, game="koom"),
    ],
)
def test_an_even_match_or_one_that_goes_on_has_no_fairer_one(state: TableState) -> None:
    assert fairer_match(state) is None


def test_a_position_of_ones_own_is_kept_and_has_no_handicap() -> None:
    start = VARIANTS["classic"].start._replace(to_move=Side.TROLLS)
    for level, words in ((2, "easier: level 1"), (1, "")):
        state = fought(level, 0, 0)
        state.match.starts = start, start
        fairer = fairer_match(state)
        assert (fairer.words if fairer else "") == words
        assert not fairer or fairer.match.starts == (start, start)


def test_a_person_called_like_the_level_keeps_a_name_of_their_own() -> None:
    state = fought(2, 0, 0)
    state.match.rename(0, "Pebble")
    fairer = fairer_match(state)
    assert fairer
    assert fairer.match.players == ("Pebble 1", "Pebble 2")


async def test_the_fairer_match_is_begun_with_the_other_level() -> None:
    lost, events = fought(2, 0, 0), list[Event]()
    session = Session(lost.match, None, (parse_contender("human"), parse_contender("cpu:2")))
    session.subscribe(events.append)
    await session.request(Fairer())
    assert session.state.seats[1].level == 1
    assert session.state.match.players == ("Ann", "Pebble")
    assert events == [Begun(1)]
    assert Record.of(session.state.match).battles[0].moves == ()
    with pytest.raises(RequestRefused, match="the match is not over"):
        await session.request(Fairer())
    await session.leave()


async def test_after_an_even_match_it_is_refused_with_the_reason() -> None:
    even = fought(2, 0, 1)
    session = Session(even.match, None, (parse_contender("human"), parse_contender("cpu:2")))
    with pytest.raises(RequestRefused, match="no level or handicap would be fairer"):
        await session.request(Fairer())
    await session.leave()
