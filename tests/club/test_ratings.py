"""Ratings between people: from the results alone, and from which of them."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from club.test_keeper import ANN, BOB, guests, kept, own_places, plays
from club.test_past import named
from thud.cli.club import _manage_matches
from thud.club.past import index_of, player_page
from thud.club.ratings import SHOWN_AFTER, PlayerGame, rating_in_words, ratings
from thud.club.results import RESULTS_FILE, Result, Results, ResultsFile
from thud.club.storage import Visitors
from thud.strength.people import Strength
from thud.visitor.look_up import page_in_words
from thud.visitor.tables import KeeperRefused, PlayUnrated
from waiting import until

__all__ = ["own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


def results(number: int, players: int = 8) -> list[Result]:
    chance, found = random.Random(5), list[Result]()
    ids = [f"{each:032x}" for each in range(players)]
    for at in range(number):
        one, other = chance.sample(ids, 2)
        scores = ((chance.randrange(30), 9.0), (9.0, chance.randrange(30)))
        game = chance.choice(["classic", "koom"])
        starts = ((1200.0, 90.0) if one == ids[0] else (0.0, 0.0)), (0.0, 0.0)
        found.append(
            Result(f"m{at}", at, game, (one, other), ("x", "y"), scores, 40, starts=starts)
        )
    return found


def test_what_is_not_rated_is_as_if_it_had_not_been_played() -> None:
    """And whoever computes the ratings again gets the same numbers."""
    played, chance = results(200), random.Random(2)
    assert ratings(played) == ratings(list(played))
    changes = (
        {"struck": True},
        {"unrated": True},
        {"set_up": True},
        {"moves": 9},
        {"people": (ANN, ANN)},
        {"people": ("", ANN)},
    )
    for change in changes:
        out = {*chance.sample(range(200), 30)}
        changed = [replace(each, **change) if at in out else each for at, each in enumerate(played)]
        left = [each for at, each in enumerate(played) if at not in out]
        assert ratings(changed) == ratings(left) != ratings(played)


def test_two_devices_of_one_person_have_one_rating_and_none_between_them() -> None:
    played = results(100)
    one, other = f"{0:032x}", f"{1:032x}"
    linked = ratings(played, lambda each: one if each == other else each)
    assert not any(each.person == other for each in linked)
    between = [each for each in played if {*each.people} == {one, other}]
    assert between
    count = sum(each.matches for each in linked.values())
    assert count == 2 * (len(played) - len(between))


def test_a_rating_begins_where_the_levels_have_put_a_player_and_is_shown_after_five() -> None:
    first = results(1)[0]
    tied = replace(first, scores=((9.0, 9.0), (9.0, 9.0)), variant="classic")
    known = replace(tied, starts=((1100.0, 60.0), (0.0, 0.0)))
    for result, expected in ((tied, 1500), (known, 1100)):
        rating = ratings([result])[PlayerGame(first.people[0], "classic")].rating
        assert abs(rating.value - expected) < 60
    forged = replace(tied, starts=((1e300, 1e-9), (float("inf"), -5.0)))
    assert max(each.rating.value for each in ratings([forged]).values()) < 3300
    assert [bool(rating_in_words(Strength(matches=each))) for each in (4, 5)] == [False, True]
    assert SHOWN_AFTER == 5


def test_the_owner_strikes_a_match_out_and_a_page_shows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named(tmp_path, a="Ann", b="Bob [b]")
    file, visitors = ResultsFile(tmp_path / RESULTS_FILE), Visitors(tmp_path / "visitors")
    won = ((30.0, 9.0), (9.0, 20.0))
    _manage_matches(file, [])
    assert capsys.readouterr().out == "No match is finished yet.\n"
    played = [
        Result(f"m{at}", at, "classic", (ANN, BOB), ("Ann", "Bob [b]"), won, 40)
        for at in range(SHOWN_AFTER)
    ]
    file.change(lambda found: found.results.extend(played))

    def lines() -> list[str]:
        return [*page_in_words(player_page(index_of(file.load(), visitors), BOB, ANN))]

    shown = [each for each in lines() if each.startswith("Rating in Classic: ")]
    assert len(shown) == 1
    assert shown[0].endswith(" after five matches; some ten matches settle it.")
    _manage_matches(file, ["strike", "m0"])
    assert not any(each.startswith("Rating") for each in lines())
    capsys.readouterr()
    _manage_matches(file, [])
    assert "m0: Ann – Bob [b], classic, struck out" in capsys.readouterr().out
    _manage_matches(file, ["restore", "m0"])
    assert shown[0] in lines()
    for wrong in (["strike", "x"], ["strike"], ["bogus", "m0"]):
        with pytest.raises(ValueError, match=r"no finished match|use --matches"):
            _manage_matches(file, wrong)
    assert file.load() == Results(played)


async def test_a_player_says_before_the_first_move_that_it_is_not_rated(tmp_path: Path) -> None:
    async with guests(tmp_path, "Ann", "Bob", "Cid") as (ann, bob, cid):
        async with kept(tmp_path):
            table = await ann.opens()
            first = await ann.sits_down(table)
            with pytest.raises(KeeperRefused, match="sit at a table"):
                await cid.line.ask(PlayUnrated(table.id))
            await bob.sits_down(await bob.sees(table.id))
            await bob.line.ask(PlayUnrated(table.id))
            await until(lambda: all(each.state.tables[0].unrated for each in (ann, cid)))
            await plays(first, "dF1-F5")
            other = await ann.opens()
            again = await ann.sits_down(other)
            await plays(again, "dF1-F5")
            with pytest.raises(KeeperRefused, match="before the first move"):
                await ann.line.ask(PlayUnrated(other.id))
            await ann.leaves()
            await bob.leaves()
        async with kept(tmp_path) as keeper:
            assert {each.id for each in keeper.tables.values() if each.notes.unrated} == {table.id}
