"""Each end of the protocol parses what the other one writes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, legal, open_positions, played
from thud.ai.player import Decision, Limits, Thought
from thud.ai.scores import GOAL
from thud.engines import protocol
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

numbers = st.integers(0, 10**9)
CLASSIC = VARIANTS["classic"]


def _line(draw: st.DrawFn, variant: Variant, position: Position) -> tuple[Move, ...]:
    line: list[Move] = []
    while len(line) < 4 and variant.count_moves(position):
        line.append(draw(legal(variant, position)))
        position = position.after(line[-1])
    return tuple(line)


@every_variant
@given(st.data())
def test_a_thought_is_told(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    line = data.draw(st.composite(_line)(variant, position))
    milliseconds, depth, nodes = data.draw(st.tuples(numbers, numbers, numbers))
    goal_in = data.draw(st.none() | st.integers(-20, 20).map(lambda n: 2 * n - (n > 0) or None))
    score = data.draw(st.integers(-(10**6), 10**6))
    if goal_in is not None:
        score = GOAL - goal_in if goal_in > 0 else -GOAL - goal_in
    rank = data.draw(st.integers(1, 8))
    thought = Thought(depth, score, nodes, milliseconds / 1000, line, goal_in, rank)
    text = protocol.thought_line(position, thought)
    assert protocol.parse_thought(variant, position, text) == thought


@every_variant
@given(st.data())
def test_a_decision_is_told(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move, ends = data.draw(legal(variant, position)), data.draw(st.booleans())
    line = protocol.decision_line(position, Decision(move, ends=ends))
    assert protocol.parse_decision(line) == (move_text(position, move), ends)


@every_variant
@given(st.randoms(use_true_random=False), st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_a_battle_is_told(
    variant: Variant, random: object, plies: int, told: int, later: bool
) -> None:
    positions = list(played(variant, random, 3))  # type: ignore[arg-type]
    battle = Battle(variant, positions[-1] if later else None)
    for _ in range(plies):
        if moves := variant.legal_moves(battle.position):
            battle.play(moves[len(moves) // 2])
    told = min(told, len(battle.moves))
    line = protocol.position_line(battle, told)
    assert ("startpos" in line) is (battle.positions[0] == variant.start)
    start, texts = protocol.parse_position(variant, line.removeprefix("position "))
    assert (start, *protocol.played(variant, start, texts)) == battle.positions[: told + 1]


@given(
    st.none() | st.integers(1, 10**8),
    st.none() | st.integers(1, 10**12),
    st.none() | st.integers(1, 200),
)
def test_limits_are_told(milliseconds: int | None, nodes: int | None, depth: int | None) -> None:
    limits = Limits(None if milliseconds is None else milliseconds / 1000, nodes, depth)
    assert protocol.parse_go(protocol.go_line(limits).removeprefix("go")) == (limits, False)


def test_no_limit_is_so_small_that_an_engine_refuses_it() -> None:
    # An engine does not answer what it cannot parse, and the client would wait for ever.
    told = protocol.go_line(Limits(0.0, 0, 0)).removeprefix("go")
    assert protocol.parse_go(told) == (Limits(0.001, 1, 1), False)


@given(st.text(max_size=600))
def test_a_sentence_is_one_line_that_prints(text: str) -> None:
    line = protocol.sentence_line(text)
    assert line.isprintable()
    assert len(line) < 450
    assert protocol.parse_sentence(line) == line.removeprefix("info string ").strip()


@given(st.text(max_size=80).map("info score cp 3 ".__add__) | st.text(max_size=80))
def test_garbage_is_no_thought_or_a_harmless_one(text: str) -> None:
    thought = protocol.parse_thought(CLASSIC, CLASSIC.start, text)
    assert thought is None or thought.line == ()
    assert protocol.parse_offer(text) == {}


def test_a_line_of_moves_is_cut_before_the_first_that_is_illegal() -> None:
    text = "info score cp 5 depth 2 pv dF1-F5 TG7-F6 TF6-F7 dG1-G5"
    thought = protocol.parse_thought(CLASSIC, CLASSIC.start, text)
    assert thought is not None
    assert (len(thought.line), thought.depth, thought.score) == (2, 2, 5)


def test_an_offer_names_the_values_of_an_option() -> None:
    line = "option name Thud Variant type combo default koom var koom var classic"
    assert protocol.parse_offer(line) == {"thud variant": ("koom", "classic")}
