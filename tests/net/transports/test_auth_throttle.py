"""A guard bounds who tries, and nobody else for long."""

from asyncio import StreamWriter
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from net.transports.serving import Clock
from thud.net.transports import auth_throttle as bounds
from thud.net.transports.auth_throttle import Attempt, AuthThrottle


def somebody() -> StreamWriter:
    return cast("StreamWriter", object())


def tried(guard: AuthThrottle, caller: str, *, wrong: bool = True) -> bool:
    """Come in, be wrong and leave; say whether one was let in."""
    visit = guard.enter(caller)
    if visit is None:
        return False
    writer = somebody()
    guard.meet(visit, writer)
    if wrong:
        guard.wrong(writer)
    guard.leave(visit)
    return True


def proven(guard: AuthThrottle, caller: str) -> tuple[Attempt, StreamWriter]:
    visit = guard.enter(caller)
    assert visit is not None
    writer = somebody()
    guard.meet(visit, writer)
    guard.right(writer)
    return visit, writer


def test_a_place_has_few_unproven_visitors_at_once() -> None:
    guard = AuthThrottle(Clock())
    visits = [guard.enter("here") for _ in range(bounds.UNPROVEN_EACH)]
    assert None not in visits
    assert guard.enter("here") is None
    assert guard.enter("there") is not None


def test_there_are_few_unproven_visitors_in_all() -> None:
    guard = AuthThrottle(Clock())
    assert all(guard.enter(f"place {each}") for each in range(bounds.UNPROVEN))
    assert guard.enter("another") is None
    assert guard.unproven == bounds.UNPROVEN


def test_who_has_shown_a_secret_is_not_counted() -> None:
    guard = AuthThrottle(Clock())
    for _ in range(3 * bounds.UNPROVEN):
        proven(guard, "here")
    assert guard.unproven == 0
    assert guard.enter("here") is not None


def test_trying_makes_a_place_wait_longer_each_time() -> None:
    clock = Clock()
    guard = AuthThrottle(clock)
    waits = []
    for _ in range(20):
        waits.append(0.0)
        while not tried(guard, "here"):
            clock.now += 0.25
            waits[-1] += 0.25
    assert waits[: bounds.FREE] == [0.0] * bounds.FREE
    assert waits == sorted(waits)
    assert 0 < waits[bounds.FREE] < waits[-1] / 10
    assert waits[-1] == bounds.LONGEST_WAIT


def test_coming_and_going_without_a_word_is_trying_too() -> None:
    guard = AuthThrottle(Clock())
    assert [tried(guard, "here", wrong=False) for _ in range(bounds.FREE + 1)] == [
        *[True] * bounds.FREE,
        False,
    ]


def test_nobody_is_kept_out_for_long_after_the_last_try() -> None:
    clock = Clock()
    guard = AuthThrottle(clock)
    for _ in range(500):
        tried(guard, "here")
        clock.now += 1
    clock.now += bounds.LONGEST_WAIT
    assert guard.enter("here") is not None


def test_a_right_secret_makes_up_for_wrong_ones() -> None:
    guard = AuthThrottle(Clock())
    for _ in range(bounds.FREE - 1):
        tried(guard, "here")
    visit, _ = proven(guard, "here")
    guard.leave(visit)
    assert [tried(guard, "here") for _ in range(2)] == [True, True]


def test_a_wrong_secret_after_the_right_one_is_nothing() -> None:
    guard = AuthThrottle(Clock())
    visit, writer = proven(guard, "here")
    for _ in range(100):
        guard.wrong(writer)
    guard.right(writer)
    guard.leave(visit)
    assert guard.unproven == 0
    assert guard.enter("here") is not None


def test_tries_of_many_places_hold_up_those_that_were_never_right_and_not_for_long() -> None:
    clock = Clock()
    guard = AuthThrottle(clock)
    visit, _ = proven(guard, "friend")
    guard.leave(visit)
    for each in range(bounds.FREE_IN_ALL + 50):
        assert tried(guard, f"place {each}")
    stranger, friend = guard.enter("stranger"), guard.enter("friend")
    assert stranger
    assert friend
    assert 0 < stranger.hold <= bounds.LONGEST_HOLD
    assert friend.hold == 0
    clock.now += bounds.FADES * 200
    later = guard.enter("somebody else")
    assert later
    assert later.hold == 0


def test_what_is_remembered_is_bounded() -> None:
    guard = AuthThrottle(Clock())
    for each in range(3 * bounds.REMEMBERED):
        tried(guard, f"place {each}")
        proven(guard, f"friend {each}")
    assert len(guard._tries) == len(guard._good) == bounds.REMEMBERED


def test_who_was_never_let_in_here_is_passed_over() -> None:
    guard = AuthThrottle(Clock())
    guard.right(somebody())
    guard.wrong(somebody())
    assert guard.unproven == 0


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["come", "right", "wrong", "go"])))
)
def test_the_count_of_unproven_visitors_is_true(steps: list[tuple[str, str]]) -> None:
    clock = Clock()
    guard = AuthThrottle(clock)
    inside: list[tuple[Attempt, StreamWriter]] = []
    for caller, step in steps:
        clock.now += 20
        if step == "come" and (visit := guard.enter(caller)):
            inside.append((visit, somebody()))
            guard.meet(*inside[-1])
        elif inside and step == "right":
            guard.right(inside[0][1])
        elif inside and step == "wrong":
            guard.wrong(inside[0][1])
        elif inside and step == "go":
            guard.leave(inside.pop(0)[0])
        assert guard.unproven == sum(not visit.proven for visit, _ in inside)
