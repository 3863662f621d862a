"""Contenders and their seats, from the command line or a record."""

from __future__ import annotations

from argparse import Namespace

import pytest

from thud.cli.players import chosen, names
from thud.engines.spec import level_contender
from thud.rules.match import InvalidPlayers, Match
from thud.rules.variants import VARIANTS

LEVEL_3 = level_contender(3).name


def options(**said: str) -> Namespace:
    return Namespace(**({"dwarfs": None, "trolls": None, "opponent": None} | said))


def texts(*args: object, **kwargs: object) -> list[str]:
    return [contender.text for contender in chosen(*args, **kwargs)]  # type: ignore[arg-type]


def test_options_name_sides_as_they_are_now_or_an_opponent_in_both_battles() -> None:
    match = Match(VARIANTS["classic"])
    match.battle.agree()
    match.next_battle()
    assert texts(options(dwarfs="random", trolls="cpu:4")) == ["random", "cpu:4"]
    assert texts(options(trolls="cpu:4"), match) == ["cpu:4", "human"]
    assert texts(options(opponent="3")) == texts(options(opponent="3"), match) == ["human", "cpu:3"]
    with pytest.raises(ValueError, match="use either --opponent"):
        chosen(options(opponent="3", trolls="cpu:4"))


def test_our_own_computers_go_on_and_other_programs_are_never_started_from_a_record() -> None:
    programs = ("Thud 0.1.0 level 4", "engine:rm")
    assert texts(options(), programs=programs) == ["cpu:9", "human"]
    programs = ("Thud 0.1.0 level 4 of 12", "engine:rm")
    assert texts(options(), programs=programs) == ["cpu:6", "human"]
    assert texts(options(), programs=("", "Thud 9 random")) == ["human", "random"]


def test_a_program_that_is_not_there_is_told_before_the_match() -> None:
    with pytest.raises(ValueError, match="program '/no/such' was not found"):
        chosen(options(trolls="engine:/no/such"))


def test_players_are_called_by_their_levels_and_told_apart() -> None:
    first, second = names(chosen(options(dwarfs="cpu:4", trolls="cpu:4")))
    assert first != second
    assert names(chosen(options(trolls="random"))) == ("Player 1", "Random")
    assert names(None) == ("Player 1", "Player 2")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (options(opponent="3"), ("Ann", LEVEL_3)),
        (options(dwarfs="3"), (LEVEL_3, "Ann")),
    ],
)
def test_one_name_is_that_of_the_person(said: Namespace, expected: tuple[str, str]) -> None:
    assert names(chosen(said), ["Ann"]) == expected
    assert names(chosen(said), ["Ann", "Bo"]) == ("Ann", "Bo")


@pytest.mark.parametrize(
    ("said", "given", "complaint"),
    [
        (options(), ["Ann"], "two people play: give both names"),
        (options(dwarfs="1", trolls="2"), ["Ann"], "two computers play: give both names"),
        (options(opponent="3"), ["Ann", "van", "Dyck"], "a match has two players, not 3"),
    ],
)
def test_names_that_say_too_little_or_too_much(
    said: Namespace, given: list[str], complaint: str
) -> None:
    with pytest.raises(InvalidPlayers, match=complaint):
        names(chosen(said), given)

    with pytest.raises(InvalidPlayers, match="two people play"):
        names(None, ["Ann"])
