"""Time controls, and their effect over time."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, open_positions
from thud.rules.battle import Battle
from thud.rules.clock import (
    MOST_DAYS,
    MOST_MINUTES,
    MOST_PERIODS,
    MOST_SECONDS,
    Control,
    InvalidControl,
    TimeLeft,
    parse_control,
)
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, IllegalMove, Reason, Variant
from thud.rules.variants import VARIANTS

hundredths = st.integers(1, MOST_MINUTES * 100)
seconds = st.integers(0, MOST_SECONDS)
controls = st.one_of(
    st.builds(lambda main, added: Control(main * 600, added * 1000), hundredths, seconds),
    st.builds(
        lambda main, periods, period: Control(main * 600, 0, periods, period * 1000),
        st.integers(0, MOST_MINUTES * 100),
        st.integers(1, MOST_PERIODS),
        st.integers(1, MOST_SECONDS),
    ),
    st.integers(1, MOST_DAYS).map(lambda days: Control(0, 0, 1, days * 86_400_000)),
)
"""Every control there is."""


@given(controls)
def test_a_control_is_read_as_it_is_written(control: Control) -> None:
    assert parse_control(str(control)) == control


@pytest.mark.parametrize(
    "text", ["20", "20+10", "15/3x30", "0/5x60", "10/20x30", "0.5", "1.25+2", "600", "3d"]
)
def test_a_control_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_control(text)) == text


@given(st.one_of(st.text(max_size=20), st.from_regex(r"[0-9./x+d]{1,12}", fullmatch=True)))
def test_any_text_sets_a_clock_or_is_refused_in_a_sentence(text: str) -> None:
    try:
        control = parse_control(text)
    except InvalidControl as error:
        said = str(error)
    else:
        said = ""
        assert control.full.ms > 0
        assert parse_control(str(control)) == control
    assert "\n" not in said
    assert len(said) < 250


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("20x", "'20x' is not a clock: write 20 for minutes"),
        ("601", "a clock has at most 600 minutes"),
        ("10+601", "a move or a period has at most 600 seconds"),
        ("10/21x30", "a clock has at most 20 periods"),
        ("10/0x30", "a clock with periods has at least one"),
        ("10/3x0", "a clock with periods has at least one"),
        ("0+10", "a clock needs more than 0 minutes"),
        ("0d", "a clock has 1 to 14 days for each move"),
        ("15d", "a clock has 1 to 14 days for each move"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    with pytest.raises(InvalidControl) as caught:
        parse_control(text)
    assert str(caught.value).startswith(reason)


@given(controls, st.lists(st.integers(0, 2_000_000), max_size=5))
def test_time_only_passes_and_adds_up(control: Control, spent: list[int]) -> None:
    left = control.full
    for used in spent:
        after = control.spent(left, used)
        assert control.total_ms(after) == max(0, control.total_ms(left) - used)
        assert after.periods <= left.periods
        left = after
    assert left == control.spent(control.full, sum(spent))


@given(controls, st.lists(st.integers(0, 2_000_000), max_size=8))
def test_a_move_adds_what_it_shall_and_nothing_else(control: Control, spent: list[int]) -> None:
    left = control.full
    for used in spent:
        rest = control.spent(left, used)
        left = control.moved(rest)
        if rest.up:
            assert left.up
        elif control.in_period(rest):
            assert left == TimeLeft(control.period, rest.periods)
        else:
            assert left == TimeLeft(rest.ms + control.added, rest.periods)


@every_variant
@given(data=st.data())
def test_who_gives_a_battle_up_or_is_out_of_time_has_no_points_and_that_is_final(
    variant: Variant, data: st.DataObject
) -> None:
    start = data.draw(open_positions(variant))
    battle = Battle(variant, start)
    battle.play(data.draw(st.sampled_from(variant.legal_moves(start))), TimeLeft(5))
    reason = data.draw(st.sampled_from([Reason.TIME, Reason.RESIGNATION, Reason.CLAIM]))
    timed = reason is Reason.TIME
    loser = battle.position.to_move if timed else data.draw(st.sampled_from(Side))
    lose = battle.time_up if timed else partial(battle.lose, Forfeit(loser, reason))
    if battle.outcome:
        with pytest.raises(IllegalMove, match="the battle is over"):
            lose()
        return
    lose()
    outcome = battle.outcome
    assert outcome
    assert outcome.forfeit == Forfeit(loser, reason)
    assert outcome.winner is loser.other
    assert f"the {loser.plural}" in outcome.because
    settled = variant.settled(battle.position, Reason.AGREEMENT).score
    assert outcome.score.of(loser) == 0
    assert outcome.score.of(loser.other) == max(1, settled.of(loser.other))
    assert battle.timed_out is timed
    assert not battle.undo()
    assert not battle.redo()
    for what in battle.agree, battle.time_up, partial(battle.play, battle.moves[0]):
        with pytest.raises(IllegalMove, match=outcome.because):
            what()
    match = Match(variant, start=start)
    match.battle.repeat(battle, 1)
    assert match.battle.outcome == outcome
    assert match.battle.left == (TimeLeft(5),)


@every_variant
def test_what_was_left_goes_and_comes_with_its_move(variant: Variant) -> None:
    battle = Battle(variant)
    for ms in (900, 800, 700):
        battle.play(variant.legal_moves(battle.position)[0], TimeLeft(ms))
    battle.undo()
    assert battle.left == (TimeLeft(900), TimeLeft(800))
    battle.redo()
    assert battle.left[-1] == TimeLeft(700)
    battle.undo()
    battle.play(variant.legal_moves(battle.position)[0])
    assert battle.left == (TimeLeft(900), TimeLeft(800), None)


def test_who_has_no_piece_left_wins_a_point_where_pieces_count() -> None:
    variant = VARIANTS["classic"]
    battle = Battle(variant, variant.position("5/7/9/11/13/15/15/7R7/15/3T11/13/11/9/7/5 T"))
    battle.time_up()
    assert battle.outcome
    assert battle.outcome.score == (1, 0)
