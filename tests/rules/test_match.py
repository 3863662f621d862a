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
def test_the_players_exchange_sides_for_the_second_battle(variant: Variant) -> None:
    match = Match(variant, NAMES)
    assert (match.number, match.commander(Side.DWARFS), match.commander(Side.TROLLS)) == (1, 0, 1)
    assert [match.side_of(player) for player in (0, 1)] == [Side.DWARFS, Side.TROLLS]
    assert [match.name_of(side) for side in Side] == ["Angua", "Brick"]
    match.battle.agree()
    match.next_battle()
    assert (match.number, match.commander(Side.DWARFS), match.commander(Side.TROLLS)) == (2, 1, 0)
    assert [match.side_of(player) for player in (0, 1)] == [Side.TROLLS, Side.DWARFS]
    assert [match.name_of(side) for side in Side] == ["Brick", "Angua"]
    assert [match.side_of(0, number) for number in (1, 2)] == [Side.DWARFS, Side.TROLLS]
    assert [match.commander(Side.TROLLS, number) for number in (1, 2)] == [1, 0]
    assert [match.name_of(Side.DWARFS, number) for number in (1, 2)] == ["Angua", "Brick"]
    assert match.battle.position == variant.start
    assert len(match.battles) == 2


@every_variant
def test_a_match_of_two_agreed_battles_is_drawn(variant: Variant) -> None:
    match = Match(variant)
    assert match.players == ("Player 1", "Player 2")
    assert match.tally == (0, 0)
    match.battle.agree()
    assert not match.over
    match.next_battle()
    assert not match.over
    match.battle.agree()
    assert match.over
    assert match.winner is None
    first, second = match.tally
    assert first == second > 0
    assert sum(match.points(0)) == first


def test_battles_begin_and_end_in_time() -> None:
    match = Match(KOOM, NAMES)
    with pytest.raises(IllegalMove) as caught:
        match.next_battle()
    assert str(caught.value) == "the first battle is not over"
    match.battle.agree()
    match.next_battle()
    for _ in range(2):
        with pytest.raises(IllegalMove) as caught:
            match.next_battle()
        assert str(caught.value) == "a match has two battles, and the second has begun"
        if match.battle.outcome is None:
            match.battle.agree()
    assert len(match.battles) == 2


LAST_TROLL = "   D E F G H\n8  d d . T R\n9  . . . . d"


def test_the_higher_sum_of_points_wins_in_classic() -> None:
    match = Match(CLASSIC, NAMES, drawn(LAST_TROLL, "d"))
    play(match, "dE8-G8xG8")
    assert match.points(0) == (3,)
    assert match.points(1) == (0,)
    match.next_battle()
    play(match, "dH9-H10", "TG8-F7xE8")
    assert match.tally == (3, 0)
    match.battle.agree()
    assert match.points(0) == (3, 4)
    assert match.points(1) == (0, 2)
    assert match.tally == (7, 2)
    assert (match.over, match.winner) == (True, 0)


def test_the_second_player_can_win() -> None:
    match = Match(CLASSIC, NAMES, drawn(LAST_TROLL, "d"))
    match.battle.agree()
    assert match.points(0) == (3,)
    assert match.points(1) == (4,)
    match.next_battle()
    play(match, "dE8-G8xG8")
    assert match.tally == (3, 7)
    assert match.winner == 1


ROCK_AT_HOME = "   F G H J\n1  . . . .\n2  d R . .\n5  . T T T"


@pytest.mark.parametrize(
    ("first", "second", "tally", "winner"),
    [
        ("RG2-F1", "RG2-F1", (1, 1), None),
        ("RG2-F1", "", (1.5, 0.5), 0),
        ("", "RG2-F1", (0.5, 1.5), 1),
        ("", "", (1, 1), None),
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


def test_a_move_taken_back_takes_its_points_back() -> None:
    match = Match(CLASSIC, NAMES, drawn(LAST_TROLL, "d"))
    play(match, "dE8-G8xG8")
    match.battle.undo()
    assert match.tally == (0, 0)
    with pytest.raises(IllegalMove):
        match.next_battle()


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
