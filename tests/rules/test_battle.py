"""A battle against a simple model: a list of the moves played."""

from __future__ import annotations

import gc
from functools import partial
from typing import cast

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rules import reference
from rules.drawing import drawn
from rules.strategies import any_move, open_positions
from thud.rules.battle import Battle
from thud.rules.clock import Control
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Outcome, Reason, Variant
from thud.rules.variants import VARIANTS
from variants import every_told

KOOM = VARIANTS["koom"]


class BattleMachine(RuleBasedStateMachine):
    """Drive a battle and a model of texts and lists side by side."""

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        self.variant = variant

    @initialize(data=st.data(), limit=st.sampled_from([None, None, 3, 6]))
    def begin(self, data: st.DataObject, limit: int | None) -> None:
        start = data.draw(st.one_of(st.none(), open_positions(self.variant)))
        self.battle = Battle(self.variant, start, limit)
        self.limit = limit
        self.texts = [(start or self.variant.start).to_text()]
        self.moves: list[str] = []
        self.undone: list[str] = []
        self.agreed = False

    @property
    def quiet(self) -> int:
        """Count the moves since the last one with a capture."""
        captures = [number for number, move in enumerate(self.moves, 1) if "x" in move]
        return len(self.moves) - max(captures, default=0)

    @property
    def over(self) -> bool:
        held = self.agreed or (self.limit is not None and self.quiet >= self.limit)
        return held or reference.ending(self.variant.name, self.texts[-1]) is not None

    def push(self, text: str) -> None:
        self.texts.append(reference.after(self.texts[-1], text))
        self.moves.append(text)

    @precondition(lambda self: not self.over)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        choices = sorted(reference.legal_moves(self.variant.name, self.texts[-1]))
        captures = [text for text in choices if "x" in text]
        text = data.draw(st.sampled_from(captures * 20 + choices))
        self.battle.play(parse_move(self.variant, self.battle.position, text))
        self.push(text)
        self.undone.clear()

    @rule(move=any_move)
    def refuse(self, move: Move) -> None:
        position = self.battle.position
        assume(self.over or not self.variant.is_legal(position, move))
        with pytest.raises(IllegalMove):
            self.battle.play(move)

    @rule()
    def undo(self) -> None:
        assert self.battle.undo() == bool(self.agreed or self.moves)
        if self.agreed:
            self.agreed = False
        elif self.moves:
            self.undone.insert(0, self.moves.pop())
            self.texts.pop()

    @rule()
    def redo(self) -> None:
        possible = bool(self.undone) and not self.agreed
        assert self.battle.redo() == possible
        if possible:
            self.push(self.undone.pop(0))

    @rule(limit=st.sampled_from([None, 1, 3, 6]))
    def limit_quiet(self, limit: int | None) -> None:
        self.battle.quiet_limit = self.limit = limit

    @rule()
    def agree(self) -> None:
        if self.over:
            with pytest.raises(IllegalMove, match=r"^the battle is over: "):
                self.battle.agree()
        else:
            self.battle.agree()
            self.agreed = True

    @invariant()
    def battle_and_model_agree(self) -> None:
        battle = self.battle
        assert [position.to_text() for position in battle.positions] == self.texts
        assert battle.position == battle.positions[-1]
        steps = list(zip(battle.positions, battle.moves, strict=False))
        assert [move_text(*step) for step in steps] == self.moves
        assert battle.last == (steps[-1] if steps else None)
        assert [*battle.earlier()] == [*battle.positions[-2::-1]]
        assert (battle.start, battle.played) == (battle.positions[0], len(steps))
        position, redone = battle.position, []
        for move in battle.undone:
            redone.append(move_text(position, move))
            position = position.after(move)
        assert redone == self.undone
        assert battle.quiet_moves == self.quiet

    @invariant()
    def outcome_and_model_agree(self) -> None:
        outcome = self.battle.outcome
        assert (outcome is not None) == self.over
        ended = reference.ending(self.variant.name, self.texts[-1])
        if outcome and not ended:
            reason = Reason.AGREEMENT if self.agreed else Reason.QUIET
            assert outcome == self.variant.settled(self.battle.position, reason)
        elif outcome:
            assert outcome == self.variant.outcome(self.battle.position)


@every_told
def test_play_undo_redo_and_agree_are_those_of_a_plain_list(variant: Variant, full: bool) -> None:
    steps = settings(max_examples=40 if full else 4, stateful_step_count=25)
    machine = cast("type[BattleMachine]", partial(BattleMachine, variant))
    run_state_machine_as_test(machine, settings=steps)


def played(battle: Battle, *texts: str) -> Battle:
    for text in texts:
        battle.play(parse_move(battle.variant, battle.position, text))
    return battle


def test_looking_again_costs_nothing_until_something_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Position] = []
    judge = KOOM.outcome

    def counted(_: Variant, position: Position) -> Outcome | None:
        asked.append(position)
        return judge(position)

    monkeypatch.setattr(type(KOOM), "outcome", counted)
    battle = played(Battle(KOOM), "dH9-G9")
    asked.clear()
    assert [battle.outcome for _ in range(9)] == [None] * 9
    assert len(asked) <= 1
    assert battle.positions is battle.positions
    assert battle.moves is battle.moves
    battle.undo()
    assert battle.outcome is None
    assert asked[-1] == KOOM.start


def test_what_somebody_holds_of_a_battle_stays_as_it_was() -> None:
    battle = played(Battle(KOOM), "dH15-H14", "TF3-F4")
    held = battle.moves, battle.positions, battle.left
    copies = [list(each) for each in held]
    battle.undo()
    other = next(each for each in KOOM.legal_moves(battle.position) if each != held[0][1])
    battle.play(other)
    assert [list(each) for each in held] == copies
    assert battle.moves == (held[0][0], other)
    assert battle.positions == (*held[1][:2], battle.position)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of items in each copy made from battles."""
    lengths: list[int] = []

    def counted(items: list[object]) -> tuple[object, ...]:
        made = tuple(items)
        lengths.append(len(made))
        return made

    monkeypatch.setattr("thud.rules.battle.tuple", counted, raising=False)
    return lengths


def long_battle(turns: int) -> Battle:
    battle = Battle(KOOM)
    for _ in range(turns):
        played(battle, "dH15-H14", "TF3-F4", "dH14-H15", "TF4-F3")
    return battle


def long_tuples() -> list[tuple[object, ...]]:
    """Return all live long tuples of moves or positions."""
    tuples = [each for each in gc.get_objects() if type(each) is tuple and len(each) > 300]
    return [each for each in tuples if isinstance(each[0], Move | Position)]


def test_what_a_move_costs_does_not_grow_with_the_battle(copied: list[int]) -> None:
    control = Control(600_000)
    # Other tests may have left some in caches.
    before, battle = long_tuples(), long_battle(80)
    battle.times(control)
    battle.undo()
    battle.redo()
    other = Battle(KOOM)
    other.repeat(battle, 310)
    assert other.played == 310
    assert copied == []
    assert [each for each in long_tuples() if not any(each is one for one in before)] == []
    assert len(battle.moves) == len(battle.moves) == 320
    assert copied == [320]


def test_a_quiet_limit_does_not_rob_anybody_of_a_goal() -> None:
    position = drawn("   F G H J\n1  . . . .\n2  d R . .\n3  . . . T", "d")
    battle = played(Battle(KOOM, position, quiet_limit=1), "RG2-F1")
    assert battle.outcome is not None
    assert battle.outcome.reason is Reason.GOAL
