"""A match: two battles, swapped sides, the tally."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant
from thud.rules.match import InvalidPlayers, Match, player_names
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.rules.variant import IllegalMove, Variant
from thud.rules.variants import VARIANTS

CLASSIC, KOOM = VARIANTS["classic"], VARIANTS["koom"]
NAMES = "Angua", "Brick"


def play(match: Match, *texts: str) -> None:
    for text in texts:
        match.battle.play(parse_move(match.variant, match.battle.position, text))


@every_variant
def test_the_players_exchange_sides_and_a_match_of_two_agreed_battles_is_drawn(
    variant: Variant,
) -> None:
    match = Match(variant)
    assert (match.players, match.tally) == (("Player 1", "Player 2"), (0, 0))
    for number in 1, 2:
        assert (match.number, match.over) == (number, False)
        assert match.battle.position == variant.start
        first, second = Side if number == 1 else reversed(Side)
        for asked in None, number:
            assert [match.side_of(player, asked) for player in (0, 1)] == [first, second]
            assert [match.commander(side, asked) for side in (first, second)] == [0, 1]
            assert match.name_of(second, asked) == "Player 2"
        if number == 1:
            with pytest.raises(IllegalMove, match=r"^the first battle is not over$"):
                match.next_battle()
        match.battle.agree()
        if number == 1:
            match.next_battle()
    with pytest.raises(IllegalMove, match=r"^a match has two battles, and the second has begun$"):
        match.next_battle()
    assert (match.over, match.winner, len(match.battles)) == (True, None, 2)
    assert match.tally[0] == match.tally[1] == sum(match.points(0)) > 0


LAST_TROLL = "   D E F G H\n8  d d . T R\n9  . . . . d"


def test_the_higher_sum_of_points_wins_in_classic() -> None:
    match = Match(CLASSIC, NAMES, drawn(LAST_TROLL, "d"))
    play(match, "dE8-G8xG8")
    assert (match.points(0), match.points(1)) == ((3,), (0,))
    match.battle.undo()
    assert match.tally == (0, 0)
    match.battle.redo()
    match.next_battle()
    play(match, "dH9-H10", "TG8-F7xE8")
    assert match.tally == (3, 0)
    match.battle.agree()
    assert (match.points(0), match.points(1)) == ((3, 4), (0, 2))
    assert match.tally == (7, 2)
    assert (match.over, match.winner) == (True, 0)


ROCK_AT_HOME = "   F G H J\n1  . . . .\n2  d R . .\n5  . T T T"


@pytest.mark.parametrize(
    ("first", "second", "tally", "winner"),
    [
        ("RG2-F1", "", (1.5, 0.5), 0),
        ("", "RG2-F1", (0.5, 1.5), 1),
    ],
)
def test_a_battle_counts_one_and_a_draw_half_in_koom_valley(
    first: str, second: str, tally: tuple[float, float], winner: int | None
) -> None:
    match = Match(KOOM, NAMES, drawn(ROCK_AT_HOME, "d"))
    for text in first, second:
        if match.battle.outcome:
            match.next_battle()
        if text:
            play(match, text)
        else:
            match.battle.agree()
    assert (match.tally, match.winner, match.over) == (tally, winner, True)


def test_another_match_begins_afresh_with_the_same_players_and_start() -> None:
    start = drawn(LAST_TROLL, "d")
    match = Match(CLASSIC, NAMES, start)
    play(match, "dE8-G8xG8")
    again = match.again()
    assert (again.players, again.variant, again.number) == (NAMES, CLASSIC, 1)
    assert (again.battle.position, again.battle.moves) == (start, ())
    assert len(match.battle.moves) == 1


@every_variant
@given(seed=st.integers(0, 2**32), agreed=st.booleans())
@settings(max_examples=10)
def test_a_match_can_be_repeated_as_far_as_any_move(
    variant: Variant, seed: int, agreed: bool
) -> None:
    random, match = Random(seed), Match(variant, NAMES)
    for number in 1, 2:
        for _ in range(random.randrange(4)):
            match.battle.play(random.choice(variant.legal_moves(match.battle.position)))
        if number == 1 or agreed:
            match.battle.agree()
        if number == 1:
            match.next_battle()
    for number, battle in enumerate(match.battles, 1):
        for count in range(len(battle.moves) + 1):
            part = match.until(number, count)
            assert (part.number, part.players) == (number, NAMES)
            assert part.battle.positions == battle.positions[: count + 1]
            whole = count == len(battle.moves)
            assert part.battle.outcome == (battle.outcome if whole else None)
            assert part.points(0)[: number - 1] == match.points(0)[: number - 1]
    assert match.over == agreed


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("", "Brick", "a player's name is empty"),
        ("Angua", " \t ", "a player's name is empty"),
        ("x" * 41, "Brick", "a player's name has at most 40 characters"),
        (
            "An\x1bgua",
            "Brick",
            r"a player's name has unprintable characters: 'An\x1bgua'",
        ),
        ("Angua", "ANGUA ", "both players are called Angua: give them different names"),
        ("Groß", "GROSS", "both players are called Groß: give them different names"),
    ],
)
def test_names_that_two_players_cannot_go_by(first: str, second: str, message: str) -> None:
    with pytest.raises(InvalidPlayers) as caught:
        Match(CLASSIC, (first, second))
    assert str(caught.value) == message


@given(st.text(), st.text())
def test_any_names_are_made_fit_to_print_or_refused_in_one_line(first: str, second: str) -> None:
    try:
        names = player_names(first, second)
    except InvalidPlayers as error:
        message = str(error)
    else:
        assert all(name.isprintable() and name == " ".join(name.split()) for name in names)
        assert player_names(*names) == names
        return
    assert message.isprintable()
    assert len(message) < 500
