"""Computers at the table: they move, propose, fail, advise and are watched."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from session.test_calm import FEW, RETURNED, SHUFFLE
from thud.ai.player import Decision, Limits, Thought
from thud.engines.client import Engine
from thud.engines.faults import EngineIllegal
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.review.judgement import Band
from thud.rules.battle import QUIET_LIMIT, Battle
from thud.rules.geometry import parse_square
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.session.events import Redone, Thinking
from thud.session.law import Open
from thud.session.participants import Computer
from thud.tui.battle.widgets import EvaluationBar, share
from thud.tui.keys.bar import KeyBar
from tui.driver import Player, playing

HUMAN, RANDOM = parse_contender("human"), parse_contender("random")


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Decision | Exception]:
    """Let computers answer what the list says, one after the other, and else the first move."""
    queue: list[Decision | Exception] = []

    async def decide(engine: Engine, battle: Battle, *_: object, **__: object) -> Decision:
        await asyncio.sleep(0)
        answer = queue.pop(0) if queue else first_move(battle)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(Engine, "decide", decide)
    monkeypatch.setattr("thud.session.session._AGAINST_PEOPLE", 0)
    return queue


@pytest.fixture
def most(answers: list[object], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let computers wait after as many moves as the list says: keys are slow on a busy machine."""
    most = [0]
    decide = Engine.decide

    async def wait(engine: Engine, battle: Battle, *rest: Any, **options: Any) -> Decision:
        while battle.played >= most[0]:
            await asyncio.sleep(0.005)
        return await decide(engine, battle, *rest, **options)

    monkeypatch.setattr(Engine, "decide", wait)
    return most


def first_move(battle: Battle) -> Decision:
    return Decision(battle.variant.legal_moves(battle.position)[0])


def played(player: Player) -> int:
    return len(player.match.battle.moves)


async def test_a_process_of_its_own_answers_a_move_and_is_gone_in_the_end() -> None:
    async with playing(seats=(HUMAN, RANDOM)) as player:
        await player.play_move(player.match.variant.legal_moves(player.match.battle.position)[0])
        await player.until(lambda: played(player) == 2)
        seat = player.screen.session.state.seats[1]
        assert isinstance(seat, Computer)
        engine = seat._engine
        assert engine
        assert "Your move" in player.message
    assert not engine.running


async def test_that_nothing_can_be_saved_is_still_to_be_read_after_the_computers_move(
    tmp_path: Path,
) -> None:
    (tmp_path / "matches").write_text("no directory")
    async with playing(seats=(HUMAN, RANDOM), store=Store(tmp_path)) as player:
        await player.play_move(player.match.variant.legal_moves(player.match.battle.position)[0])
        await player.until(lambda: played(player) == 2)
        opening = re.compile(r"Bert .*\. The match cannot be saved")
        await player.until(lambda: bool(opening.match(player.screen.pane.notice)))


@pytest.fixture
def gate(answers: list[Decision | Exception], monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let computers wait until the gate is opened."""
    gate, decide = asyncio.Event(), Engine.decide

    async def wait(engine: Engine, battle: Battle, *_: object, **__: object) -> Decision:
        decision = await decide(engine, battle, Limits())
        await gate.wait()
        return decision

    monkeypatch.setattr(Engine, "decide", wait)
    return gate


async def test_undo_while_the_computer_thinks_does_not_wait(gate: asyncio.Event) -> None:
    async with playing(seats=(HUMAN, RANDOM)) as player:
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: "Bert is thinking" in player.message)
        await player.press("enter")
        assert "Bert is thinking" in player.message
        await player.press("u")
        assert played(player) == 0
        assert "Your move" in player.message


@pytest.mark.slow
async def test_watched_computers_pause_and_take_back(most: list[int]) -> None:
    most[0] = 5
    async with playing(seats=(RANDOM, RANDOM)) as player:
        await player.until(lambda: footer(player).startswith("Space Pause + Faster - Slower"))
        assert "Choose" not in footer(player)
        assert "Undo" not in footer(player)
        await player.press("plus", "plus", "plus")
        await player.until(lambda: played(player) == 5)
        await player.press("space")
        paused = played(player)
        assert "Paused" in player.message
        await player.until(lambda: footer(player).startswith("Space Go on"))
        assert "u Undo" in footer(player)
        assert footer(player).rstrip().endswith("F1 Help q Quit")
        most[0] = 10
        await player.pilot.pause()
        assert played(player) == paused
        await player.press("u")
        assert played(player) == paused - 1
        await player.press("space")
        await player.until(lambda: played(player) > paused)
        assert player.match.battle.quiet_limit == QUIET_LIMIT


async def test_what_happens_while_the_screen_is_taken_down_is_no_fault() -> None:
    async with playing() as player:
        screen = player.screen
        player.app.push_screen(Screen())
        removal = screen.remove()
        while screen.is_attached:
            screen.session.emit(Redone(()))
            await asyncio.sleep(0)
        await removal


def footer(player: Player) -> str:
    return player.screen.query_one(KeyBar).render().plain


async def test_the_evaluation_is_always_shown_when_both_are_computers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def think(
        engine: Engine, battle: Battle, limits: Limits, *, back: int, report: object, tries: int
    ) -> Decision:
        decision = first_move(battle)
        report(Thought(1, 1000, 1, 0.1, (decision.move,)))  # type: ignore[operator]
        return decision

    monkeypatch.setattr(Engine, "decide", think)
    async with playing(seats=(RANDOM, RANDOM)) as player:
        bar = player.screen.query_one(EvaluationBar)
        await player.until(lambda: bar.share is not None)


def test_the_bar_is_half_full_where_the_battle_is_level() -> None:
    def bar(name: str, side: Side, thought: Thought) -> float:
        return band(name, side, thought).expected

    def band(name: str, side: Side, thought: Thought) -> Band:
        return share(VARIANTS[name], VARIANTS[name].start._replace(to_move=side), thought)

    assert bar("classic", Side.DWARFS, Thought(1, 0, 1, 0, ())) == 0.5
    assert bar("classic", Side.TROLLS, Thought(1, 1000, 1, 0, ())) == 0.25
    assert bar("classic", Side.DWARFS, Thought(1, 99_999, 1, 0, ())) == 1
    assert bar("koom", Side.TROLLS, Thought(1, -99_997, 1, 0, (), goal_in=-3)) == 1
    assert bar("koom", Side.TROLLS, Thought(1, -400, 1, 0, ())) == 0.5
    assert bar("koom", Side.TROLLS, Thought(1, 99_997, 1, 0, (), goal_in=3)) == 0
    classic = band("classic", Side.DWARFS, Thought(1, 0, 1, 0, ()))
    assert 0 < classic.low < 0.5 < classic.high < 1, "give or take"
    koom = band("koom", Side.DWARFS, Thought(1, 400, 1, 0, ()))
    assert koom.high - koom.low == pytest.approx(2 * (koom.high - 0.5)) != 0, "draws"
    assert bar("football", Side.DWARFS, Thought(1, 300, 1, 0, ())) > 0.8, "it is the dwarfs' game"


async def test_a_computer_that_cheats_may_try_again(
    answers: list[Decision | Exception],
) -> None:
    answers.append(EngineIllegal("Bert played A1-A2, which is not legal"))
    async with playing(seats=(HUMAN, RANDOM)) as player:
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: "cannot go on" in player.question)
        await player.until(lambda: "has failed" in player.text("#message"))
        await player.press("a")
        await player.until(lambda: played(player) == 2)


@pytest.mark.slow
async def test_a_computer_is_asked_to_end_as_it_stood_at_its_own_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Side] = []

    async def decide(
        engine: Engine, battle: Battle, *_: object, back: int = 0, **__: object
    ) -> Decision:
        position = battle.positions[len(battle.moves) - back]
        asked.append(position.to_move)
        return Decision(battle.variant.legal_moves(position)[0])

    monkeypatch.setattr(Engine, "decide", decide)
    async with playing(seats=(HUMAN, RANDOM)) as player:
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: played(player) == 2)
        await player.press("e")
        assert "Bert may agree." in player.question
        await player.press("y")
        await player.until(lambda: "plays on" in player.message)
        assert asked == [Side.TROLLS, Side.TROLLS]


async def test_a_computer_that_proposes_the_end_is_not_said_to_think(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def decide(_: Engine, battle: Battle, *__: object, **___: object) -> Decision:
        return Decision(battle.variant.legal_moves(battle.position)[0], ends=True)

    monkeypatch.setattr(Engine, "decide", decide)
    async with playing(seats=(HUMAN, RANDOM)) as player:
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: "Do you agree?" in player.question)
        assert player.message.startswith("Your answer")
        await player.press("n")
        await player.until(lambda: played(player) == 2)
        assert player.message.startswith("Your move")


async def test_a_computer_that_agrees_later_is_not_asked_but_said_to() -> None:
    async with playing(seats=(HUMAN, parse_contender("cpu:1"))) as player:
        await player.press("e")
        assert not player.question
        later = "agrees to end the battle only after 40 more moves without a capture"
        assert later in player.message
        assert player.message.endswith("R resigns.")


async def test_where_a_goal_decides_a_computer_agrees_no_sooner(
    answers: list[Decision | Exception],
) -> None:
    async with playing("football", seats=(HUMAN, parse_contender("cpu:3"))) as player:
        for keys in ("e",), ("colon", *"end", "enter"):
            await player.press(*keys)
            assert not player.question
            assert "agrees to end the battle only after 40 more moves, or when" in player.message


async def test_a_hint_stays_until_a_move_is_made(answers: list[Decision | Exception]) -> None:
    async with playing() as player:
        decision = first_move(player.match.battle)
        answers.append(decision._replace(thought=Thought(5, 300, 1, 0.1, (decision.move,))))
        await player.press("i")
        await player.until(lambda: "Try this: " in player.message)
        hint = player.text("#aside")
        assert hint.startswith("Try this: "), "a hint has its own place"
        assert player.board.cursor == decision.move.origin
        await player.press("t")
        assert "Anna to move: pick up a dwarf" in player.message
        assert hint in player.message
        await player.press("t", "tab", "enter")
        assert "in hand" in player.message
        assert hint in player.message
        await player.press("escape")
        player.screen.say("A refusal.")
        assert player.text("#message").startswith("Anna to move: pick up a dwarf\nA refusal.")
        assert player.text("#aside").startswith(hint)
        await player.play_move(decision.move)
        assert "Try this" not in player.message


async def test_a_hint_leaves_the_cursor_of_who_has_a_piece_in_hand(
    answers: list[Decision | Exception],
) -> None:
    async with playing() as player:
        answers.append(first_move(player.match.battle))
        await player.choose("F1")
        await player.go_to(parse_square("F5"))
        await player.press("i")
        await player.until(lambda: "Try this: " in player.message)
        assert player.board.cursor == parse_square("F5")


async def test_the_bar_judges_every_position_while_it_is_on(
    answers: list[Decision | Exception],
) -> None:
    async with playing() as player:
        decision = first_move(player.match.battle)
        judgement = decision._replace(thought=Thought(5, 1000, 1, 0.1, (decision.move,)))
        answers += [judgement, judgement]
        bar = player.screen.query_one(EvaluationBar)
        assert bar.share is None
        assert "expected" not in player.standing
        await player.press("v")
        await player.until(lambda: bar.share is not None and bar.share.expected == 0.75)
        assert re.search("expected +dwarfs \\+10 ±[0-9]+", player.standing)
        await player.press("v")
        assert bar.share is None
        assert "expected" not in player.standing
        await player.press("v")
        await player.until(lambda: bar.share is not None)
        await player.press("e", "y")
        await player.until(lambda: player.match.battle.outcome is not None)
        await player.until(lambda: bar.share is None)
        assert "expected" not in player.standing


async def test_a_hint_that_a_proposal_breaks_off_is_told_so(gate: asyncio.Event) -> None:
    async with playing(seats=(HUMAN, parse_contender("guest"))) as player:
        await player.session.arrive(1, "Bert")
        await player.press("i", "i")
        assert player.message.endswith("Looking for the best move …")
        await player.press("e")
        assert "Waiting for Bert" in player.question
        await player.until(lambda: "Looking" not in player.message)
        assert player.message.endswith("The search for a hint was broken off.")
        gate.set()


@pytest.mark.parametrize("judging", [False, True])
async def test_what_computers_expected_is_taken_back_with_their_moves(
    most: list[int], *, judging: bool
) -> None:
    async with playing(seats=(RANDOM, RANDOM)) as player:
        player.app.change_setting("evaluation_bar", judging)
        most[0] = 2
        await player.until(lambda: played(player) == 2)
        await player.press("space")
        thought = Thought(5, 1000, 1, 0.1, (first_move(player.match.battle).move,))
        player.session.emit(Thinking(Side.DWARFS, thought))
        assert "expected" in player.standing
        await player.press("u")
        assert played(player) == 1
        assert "expected" not in player.standing
        assert player.screen.query_one(EvaluationBar).share is None


@pytest.mark.parametrize("judging", [False, True])
async def test_what_an_opponent_plans_is_shown_with_evaluations_alone(
    gate: asyncio.Event, *, judging: bool
) -> None:
    async with playing(seats=(HUMAN, RANDOM)) as player:
        player.app.change_setting("evaluation_bar", judging)
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: "Bert is thinking" in player.message)
        thought = Thought(5, 1000, 1, 0.1, (first_move(player.match.battle).move,))
        player.session.emit(Thinking(Side.TROLLS, thought))
        assert ("depth 5" in player.message) is judging
        gate.set()


async def test_the_bar_marks_where_the_battle_is_level_and_follows_the_settings() -> None:
    async with playing() as player:
        player.app.change_setting("ascii", True)
        bar = player.screen.query_one(EvaluationBar)
        bar.show(Band(0.75, 0.75, 0.75))
        height = bar.size.height
        glyphs = "".join(bar.render_line(y).text for y in range(height))
        unfilled = height - round(0.75 * height)
        strokes = {at for at, glyph in enumerate(glyphs) if glyph == "-"}
        assert strokes == {round((height - 1) / 4), height // 2, round((height - 1) * 3 / 4)}
        assert glyphs[0] + glyphs[-1] == "Td", "whose end is whose"
        drawn = "." * unfilled + "#" * (height - unfilled)
        assert all(
            glyph == drawn[at]
            for at, glyph in enumerate(glyphs)
            if glyph != "-" and glyph not in "Td"
        )
        bar.show(Band(0.0, 0.75, 1.0))
        glyphs = "".join(bar.render_line(y).text for y in range(height))
        assert glyphs[1:-1].replace("-", ":") == ":" * (height - 2), "all is open"


@pytest.mark.slow
async def test_keys_work_while_a_computer_considers_the_end(
    answers: list[Decision | Exception], gate: asyncio.Event
) -> None:
    async with playing(seats=(HUMAN, RANDOM)) as player:
        answers.append(first_move(player.match.battle)._replace(ends=True))
        await player.press("e", "y")
        await player.until(lambda: not answers)
        await player.press("up")
        assert player.board.cursor != 0
        await player.press("colon", *"f1f5", "enter")
        assert played(player) == 1, "a move withdraws the proposal"
        gate.set()
        await player.until(lambda: played(player) == 2)
        assert "is over" not in player.question


@pytest.mark.slow
async def test_looking_back_and_a_question_outlast_a_computers_move(gate: asyncio.Event) -> None:
    async with playing(seats=(HUMAN, RANDOM)) as player:
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: "Bert is thinking" in player.message)
        player.screen.pane.show_past(1)
        await player.pilot.resize_terminal(120, 40)
        await player.pilot.hover(offset=(30, 10))
        assert player.screen.pane.past_ply == 1
        gate.set()
        await player.until(lambda: played(player) == 2)
        assert player.screen.pane.past_ply == 1
        assert "returns to the battle" in player.message
        await player.press("x")
        assert player.screen.pane.past_ply is None
        assert "Your move" in player.message
        gate.clear()
        await player.press("colon", *"k1k5", "enter")
        await player.until(lambda: "Bert is thinking" in player.message)
        await player.press("c")
        gate.set()
        await player.until(lambda: played(player) == 4)
        assert "Copy to the clipboard" in player.question


async def test_who_is_typing_is_told_that_a_computer_has_made_the_battle_calm(
    answers: list[Decision | Exception], most: list[int]
) -> None:
    game = VARIANTS["classic"]
    battle = Battle(game, game.position(FEW))
    for text in SHUFFLE * 2:
        move = parse_move(game, battle.position, text)
        if battle.position.to_move is Side.TROLLS:
            answers.append(Decision(move))
        battle.play(move)
    async with playing(position=FEW, seats=(HUMAN, RANDOM)) as player:
        for number in range(4):
            most[0] = 2 * number
            await player.until(lambda: played(player) == most[0])
            await player.play(SHUFFLE[2 * number % 4])
        await player.press("colon")
        most[0] = 8
        await player.until(lambda: played(player) == 8)
        assert "Bert steps F14-F15" in player.message
        assert RETURNED in player.message


@pytest.mark.slow
async def test_a_computer_that_breaks_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    async def decide(*_: object, **__: object) -> Decision:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Engine, "decide", decide)
    with pytest.raises(Exception, match="a fault of ours"):  # noqa: PT012 - it comes in the end
        async with playing(seats=(HUMAN, RANDOM)) as player:
            await player.press("colon", *"f1f5", "enter")
            await player.until(lambda: player.app._exception is not None)


@pytest.mark.slow
async def test_pausing_is_for_watching_only(answers: list[Decision | Exception]) -> None:
    async with playing(seats=(RANDOM, RANDOM)) as player:
        await player.until(lambda: played(player) > 0)
        await player.press("space")
        await player.screen.session.request(
            Open(Record.of(player.match.again(), programs=("", "Thud 1 random")))
        )
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: played(player) == 2)


@pytest.mark.slow
async def test_what_a_computer_said_leaves_with_the_next_move() -> None:
    async with playing(seats=(HUMAN, RANDOM)) as player:
        session = player.session
        session.emit(session.state.participants.add_message(1, "Bert", "Ha!"))
        chat = player.screen.query_one("#chat")
        assert chat.display
        await player.press("colon", *"f1f5", "enter")
        await player.until(lambda: played(player) == 2)
        assert not chat.display
