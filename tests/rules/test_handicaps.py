"""Handicaps: missing pieces, in which battle, and names."""

from __future__ import annotations

import pytest

from thud.rules.match import (
    MOST_STEPS,
    Handicap,
    Match,
    handicap_in,
    parse_handicap,
    pieces_missing,
    start_without,
    starts_at,
)
from thud.rules.position import Side
from thud.rules.symmetry import mirror, quarter_turn
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.words.match import handicap_in_short, handicap_in_words

PLAYED = [variant for variant in VARIANTS.values() if variant.handicaps]
EVERY = [Handicap(player, steps) for player in (0, 1) for steps in range(1, MOST_STEPS + 1)]
PLAYERS = ("Ann", "Bob")


def test_all_games_but_the_race_have_handicaps() -> None:
    assert [variant.name for variant in PLAYED] == ["classic", "single", "koom"]
    with pytest.raises(ValueError, match="Koom Valley Football has no handicaps"):
        starts_at(VARIANTS["football"], EVERY[0])
    for variant in VARIANTS.values():
        assert handicap_in(variant, (variant.start, variant.start)) is None
        assert handicap_in(variant, ()) is None


@pytest.mark.parametrize("game", PLAYED, ids=lambda each: each.name)
@pytest.mark.parametrize("side", Side)
def test_each_step_leaves_away_pieces_that_stood_there_and_all_before(
    game: Variant, side: Side
) -> None:
    before = 0
    for steps in range(1, MOST_STEPS + 1):
        gone = pieces_missing(game, side, steps)
        assert gone & before == before != gone
        assert gone & game.start.pieces(side) == gone
        start = start_without(game, side, steps)
        assert start.pieces(side) == game.start.pieces(side) & ~gone
        assert start.pieces(side.other) == game.start.pieces(side.other)
        assert not game.faults(start)
        assert game.outcome(start) is None
        before = gone


def test_what_is_left_stands_as_evenly_as_can_be() -> None:
    reflected, turned = mirror().position, quarter_turn().position
    for steps in range(1, MOST_STEPS + 1):
        dwarfs = start_without(VARIANTS["classic"], Side.DWARFS, steps)
        assert reflected(dwarfs) == dwarfs == turned(turned(dwarfs))
        valley = start_without(VARIANTS["koom"], Side.DWARFS, steps)
        assert reflected(valley) == valley
    for name in ("classic", "koom"):
        for steps in (2, 4):
            trolls = start_without(VARIANTS[name], Side.TROLLS, steps)
            assert reflected(trolls) == trolls


@pytest.mark.parametrize("game", PLAYED, ids=lambda each: each.name)
@pytest.mark.parametrize("handicap", EVERY[::3])
def test_the_giver_has_fewer_pieces_in_both_battles(game: Variant, handicap: Handicap) -> None:
    starts = starts_at(game, handicap)
    assert handicap_in(game, starts) == handicap
    match = Match(game, PLAYERS, *starts)
    for number in (1, 2):
        side = match.side_of(handicap.player, number)
        assert (
            match.battle.position == starts[number - 1] == start_without(game, side, handicap.steps)
        )
        if number == 1:
            match.battle.agree()
            match.next_battle()
    assert match.again().starts == starts
    assert match.until(2, 0).battles[1].position == starts[1]


def test_names() -> None:
    assert parse_handicap("bob : 2", PLAYERS) == (1, 2)
    assert parse_handicap("1:4", PLAYERS) == (0, 4)
    # A number is a seat even where somebody is called so.
    assert parse_handicap("1:2", ("2", "1")) == (0, 2)
    assert parse_handicap("Ann:2", ("Ann", "1")) == (0, 2)
    assert handicap_in_short(PLAYERS, Handicap(1, 2)) == "Bob gives 2"
    assert handicap_in_short(("Ann", "You"), Handicap(1, 2)) == "You give 2"
    assert handicap_in_words(VARIANTS["classic"], PLAYERS, Handicap(0, 1)) == (
        "Ann gives one step: four dwarfs fewer to begin with, or one troll fewer."
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Zoe:1", "Ann or Bob can give one"),
        ("Ann", "can give one"),
        ("Ann:5", "not '5'"),
        ("Ann:" + "1" * 5000, "1 to 4 steps"),
        ("Ann:²", "1 to 4 steps"),
    ],
)
def test_what_is_none_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_handicap(text, PLAYERS)
