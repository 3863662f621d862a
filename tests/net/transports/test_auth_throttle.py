"""The throttle limits failing callers, and delays others only briefly."""

from asyncio import StreamWriter
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.transports.serving import Clock
from thud.net.transports import auth_throttle as bounds
from thud.net.transports.auth_throttle import Attempt, AuthThrottle


def somebody() -> StreamWriter:
    return cast("StreamWriter", object())


def tried(throttle: AuthThrottle, caller: str, *, wrong: bool = True) -> bool:
    """Enter, fail if `wrong` and leave; return whether the caller was admitted."""
    attempt = throttle.enter(caller)
    if attempt is None:
        return False
    writer = somebody()
    throttle.meet(attempt, writer)
    if wrong:
        throttle.wrong(writer)
    throttle.leave(attempt)
    return True


def proven(throttle: AuthThrottle, caller: str) -> tuple[Attempt, StreamWriter]:
    attempt = throttle.enter(caller)
    assert attempt is not None
    writer = somebody()
    throttle.meet(attempt, writer)
    throttle.right(writer)
    return attempt, writer


def test_there_are_few_unproven_visitors_of_a_place_and_in_all() -> None:
    throttle = AuthThrottle(Clock())
    for _ in range(3 * bounds.UNPROVEN):
        proven(throttle, "here")
    throttle.right(somebody())
    throttle.wrong(somebody())
    assert all(throttle.enter("here") for _ in range(bounds.UNPROVEN_EACH))
    assert throttle.enter("here") is None
    for each in range(bounds.UNPROVEN - bounds.UNPROVEN_EACH):
        assert throttle.enter(f"place {each}")
    assert throttle.enter("another") is None
    assert throttle.unproven == bounds.UNPROVEN


@pytest.mark.parametrize("wrong", [True, False], ids=["wrong secrets", "without a word"])
def test_trying_makes_a_place_wait_longer_each_time(wrong: bool) -> None:
    clock = Clock()
    throttle = AuthThrottle(clock)
    waits = []
    for _ in range(20):
        waits.append(0.0)
        while not tried(throttle, "here", wrong=wrong):
            clock.now += 0.25
            waits[-1] += 0.25
    assert waits[: bounds.FREE] == [0.0] * bounds.FREE
    assert waits == sorted(waits)
    assert 0 < waits[bounds.FREE] < waits[-1] / 10
    assert waits[-1] == bounds.LONGEST_WAIT


def test_a_right_secret_makes_up_for_wrong_ones() -> None:
    throttle = AuthThrottle(Clock())
    for _ in range(bounds.FREE - 1):
        tried(throttle, "here")
    attempt, _ = proven(throttle, "here")
    throttle.leave(attempt)
    assert [tried(throttle, "here") for _ in range(2)] == [True, True]


def test_a_wrong_secret_after_the_right_one_is_nothing() -> None:
    throttle = AuthThrottle(Clock())
    attempt, writer = proven(throttle, "here")
    for _ in range(100):
        throttle.wrong(writer)
    throttle.right(writer)
    throttle.leave(attempt)
    assert throttle.unproven == 0
    assert throttle.enter("here") is not None


def test_tries_of_many_places_hold_up_those_that_were_never_right_and_not_for_long() -> None:
    clock = Clock()
    throttle = AuthThrottle(clock)
    attempt, _ = proven(throttle, "friend")
    throttle.leave(attempt)
    for each in range(bounds.FREE_IN_ALL + 50):
        assert tried(throttle, f"place {each}")
    stranger, friend = throttle.enter("stranger"), throttle.enter("friend")
    assert stranger
    assert friend
    assert 0 < stranger.hold <= bounds.LONGEST_HOLD
    assert friend.hold == 0
    clock.now += bounds.FADES * 200
    later = throttle.enter("somebody else")
    assert later
    assert later.hold == 0


def test_what_is_remembered_is_bounded() -> None:
    throttle = AuthThrottle(Clock())
    for each in range(3 * bounds.REMEMBERED):
        tried(throttle, f"place {each}")
        proven(throttle, f"friend {each}")
    assert len(throttle._tries) == len(throttle._good) == bounds.REMEMBERED


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["come", "right", "wrong", "go"])))
)
def test_the_count_of_unproven_visitors_is_true(steps: list[tuple[str, str]]) -> None:
    clock = Clock()
    throttle = AuthThrottle(clock)
    inside: list[tuple[Attempt, StreamWriter]] = []
    for caller, step in steps:
        clock.now += 20
        if step == "come" and (attempt := throttle.enter(caller)):
            inside.append((attempt, somebody()))
            throttle.meet(*inside[-1])
        elif inside and step == "right":
            throttle.right(inside[0][1])
        elif inside and step == "wrong":
            throttle.wrong(inside[0][1])
        elif inside and step == "go":
            throttle.leave(inside.pop(0)[0])
        assert throttle.unproven == sum(not attempt.proven for attempt, _ in inside)
