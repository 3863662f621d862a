"""Outcomes in words name the winner, and the margin only if points count."""

import pytest

from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Outcome, Reason
from thud.rules.variants import VARIANTS
from thud.text import YOU
from thud.words.match import (
    if_agreed,
    if_forfeited,
    match_verdict,
    needed,
    newly_needed,
    points,
    result_of,
    standing,
    why_over,
)
from tui.driver import placed


def settled(name: str) -> tuple[Match, Outcome]:
    match = Match(VARIANTS[name], ("Anna", "Bert"))
    return match, match.variant.settled(match.battle.position, Reason.AGREEMENT)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_winner_is_whoever_commands_the_side_that_wins(name: str) -> None:
    match, outcome = settled(name)
    for number, winner in (1, "Anna"), (2, "Bert"):
        said = result_of(match, outcome._replace(winner=Side.DWARFS), number)
        assert said.startswith(f"{winner} wins the battle")
        assert (" by " in said) is match.variant.counts_points


def test_half_points_are_spelled_out() -> None:
    told = "half a point", "1 point", "one and a half points", "21 points"
    assert tuple(map(points, (0.5, 1, 1.5, 21))) == told


@pytest.mark.parametrize("name", VARIANTS)
def test_what_nobody_has_won_is_drawn(name: str) -> None:
    match, outcome = settled(name)
    drawn = outcome._replace(winner=None)
    assert result_of(match, drawn) == "The battle is drawn"
    assert match_verdict(match) == "The match is drawn"


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize(
    ("reason", "anna", "you"),
    [
        (Reason.RESIGNATION, "Anna resigns", "you resign"),
        (Reason.TIME, "Anna's time is up", "your time is up"),
        (Reason.CLAIM, "Anna has been away for too long", "you have been away for too long"),
    ],
)
def test_who_forfeits_a_battle_is_named(name: str, reason: Reason, anna: str, you: str) -> None:
    for player, said in ("Anna", anna), (YOU, you):
        match = Match(VARIANTS[name], (player, "Bert"))
        for number, loser in (1, Side.DWARFS), (2, Side.TROLLS):
            lost = match.variant.forfeited(match.battle.position, Forfeit(loser, reason))
            assert why_over(match, lost, number) == said


DRAWS = "needs to win the second battle by 32 points to draw the match."
FEWER = "dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5T7d/d13d/d11d/d9d/d7d/d5d/dd1dd d"


@pytest.mark.parametrize(
    ("variant", "start", "ends", "told"),
    [
        ("classic", "", "", "Whoever wins the second battle wins the match."),
        ("classic", FEWER, "", "Bert needs to win the second battle by 9 points or more."),
        (
            "classic",
            "",
            Side.DWARFS,
            f"Anna {DRAWS}",
        ),
        ("classic", FEWER, Side.TROLLS, f"Bert {DRAWS}"),
        ("koom", "", "", "Whoever wins the second battle wins the match."),
        ("koom", "", Side.TROLLS, "Bert needs to win the second battle to draw the match."),
    ],
)
def test_after_the_first_battle_it_is_said_what_the_match_needs(
    variant: str, start: str, ends: Side | str, told: str
) -> None:
    game = VARIANTS[variant]
    match = Match(game, ("Anna", "Bert"), game.position(start) if start else None)
    assert not needed(match)
    if isinstance(ends, Side):
        match.battle.lose(Forfeit(ends, Reason.RESIGNATION))
    else:
        match.battle.agree()
    assert needed(match) == told
    match.next_battle()
    assert needed(match) == told
    match.battle.agree()
    assert not needed(match)


def test_the_first_battle_is_told_to_you_as_within_a_sentence() -> None:
    match = Match(VARIANTS["classic"], (YOU, "Bert"))
    match.battle.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
    match.next_battle()
    told, needs = standing(match)[-2:]
    assert told == "In the first battle you made 0 points, Bert made 32 points."
    assert needs == f"You {DRAWS.replace('needs', 'need')}"


TWO_TROLLS = placed("TG8", "TP8", "dF8", "dJ1", "dF1")


def test_in_the_second_battle_it_is_said_once_that_the_match_cannot_be_won_any_more() -> None:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"), VARIANTS["classic"].position(TWO_TROLLS))
    match.battle.agree()
    match.next_battle()
    assert needed(match) == "Anna needs to win the second battle by 6 points or more."
    told = []
    for text in "dF8-G8xG8", "TP8-P9", "dJ1-J2":
        before = match.battle.position
        match.battle.play(parse_move(match.variant, before, text))
        told.append(newly_needed(match, before))
    assert told == [["Anna can not win the match."], [], []]
    assert standing(match)[-1] == "Anna can not win the match."


def test_what_a_forfeit_costs_is_said_of_the_battle_and_of_the_match() -> None:
    match = Match(VARIANTS["classic"], (YOU, "Bert"), VARIANTS["classic"].position(TWO_TROLLS))
    told = if_forfeited(match, Side.DWARFS, Reason.RESIGNATION)
    match.battle.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
    won = "Bert would win the battle by 8 points: your 3 would not count."
    assert told == f"{won} {needed(match)}"
    match.next_battle()
    told = if_forfeited(match, Side.TROLLS, Reason.RESIGNATION)
    match.battle.lose(Forfeit(Side.TROLLS, Reason.RESIGNATION))
    won = "Bert would win the battle by 3 points: your 8 would not count."
    assert told == f"{won} {match_verdict(match)}."


@pytest.mark.parametrize("name", [each for each in VARIANTS if not VARIANTS[each].counts_points])
def test_where_no_points_count_a_forfeit_costs_the_battle_and_no_more(name: str) -> None:
    match = Match(VARIANTS[name], ("Anna", "Bert"))
    told = if_forfeited(match, Side.DWARFS, Reason.RESIGNATION)
    needs = "Anna needs to win the second battle to draw the match."
    assert told == f"Bert would win the battle. {needs}"


@pytest.mark.parametrize("name", VARIANTS)
def test_a_proposal_in_the_second_battle_says_what_it_makes_of_the_match(name: str) -> None:
    match = Match(VARIANTS[name], ("Anna", "Bert"))
    assert "match" not in if_agreed(match)
    match.battle.lose(Forfeit(Side.TROLLS, Reason.RESIGNATION))
    match.next_battle()
    told = if_agreed(match)
    match.battle.agree()
    assert told.endswith(f"{match_verdict(match)}.")
    assert "Anna wins the match" in told
