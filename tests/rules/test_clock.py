"""The clock alone, with a manual time source."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.test_control import controls
from session.timing import ManualClock
from thud.rules.clock import (
    Clock,
    Control,
    TimeLeft,
    parse_control,
    time_for_move,
)
from thud.rules.position import Side

steps = st.lists(
    st.tuples(st.integers(0, 90_000), st.sampled_from(["wait", "press", "stop", "run"])),
    max_size=20,
)


@given(controls, steps)
def test_no_time_comes_from_nowhere(control: Control, steps: list[tuple[int, str]]) -> None:
    glass = ManualClock()
    clock = Clock(control, now=glass)
    for ms, what in steps:
        ran, turn = clock.running, clock.turn
        before = {side: clock.total_ms(side) for side in Side}
        glass.pass_ms(ms)
        assert clock.total_ms(turn) == max(0, before[turn] - ms * ran)
        assert clock.total_ms(turn.other) == before[turn.other]
        assert clock.up == (clock.running and not clock.total_ms(turn))
        assert clock.seconds_left == (clock.total_ms(turn) / 1000 if clock.running else None)
        left, promised = clock.left(turn), clock.after_move
        if what == "press":
            assert clock.press() == promised
            assert clock.left(turn) == (control.moved(left) if ran else left)
            assert clock.turn is turn.other
            assert clock.running
        elif what != "wait":
            clock.run(what == "run")
            assert clock.left(turn) == left


@given(controls, steps)
def test_a_clock_goes_on_elsewhere_as_it_stood(
    control: Control, steps: list[tuple[int, str]]
) -> None:
    glass = ManualClock()
    clock = Clock(control, now=glass)
    for ms, what in steps:
        glass.pass_ms(ms)
        if what == "press" and not clock.up:
            clock.press()
    elsewhere = Clock(control, now=glass)
    elsewhere.adopt(clock.times)
    glass.pass_ms(1500)
    assert [elsewhere.left(side) for side in Side] == [clock.left(side) for side in Side]
    assert (elsewhere.turn, elsewhere.up) == (clock.turn, clock.up)


def test_a_period_is_lost_only_by_who_thinks_longer_than_it_lasts() -> None:
    glass = ManualClock()
    clock = Clock(parse_control("1/2x30"), now=glass)
    clock.run()
    glass.pass_ms(70_000)
    assert clock.left(Side.DWARFS) == TimeLeft(20_000, 1)
    assert clock.press() == TimeLeft(30_000, 1)
    clock.press()
    glass.pass_ms(31_000)
    assert clock.left(Side.DWARFS) == TimeLeft(29_000, 0)
    assert clock.seconds_left == 29
    glass.pass_ms(29_000)
    assert clock.up


@given(controls, st.integers(0, 10_000_000))
def test_a_computer_takes_no_more_than_there_is(control: Control, used: int) -> None:
    left = control.spent(control.full, used)
    assert 0 <= time_for_move(control, left) <= left.ms / 1000
    if left.ms >= 10:
        assert time_for_move(control, left) >= 0.01
