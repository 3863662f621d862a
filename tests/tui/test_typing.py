"""Moves that are typed, told by the keys and by what is shown."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from textual import events

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.geometry import RAYS
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.variants import VARIANTS
from thud.session.law import Hold
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.widget import Board
from thud.tui.picking.move_entry import MoveEntry
from thud.tui.start import Explore, Lessons, PlayMatch, Replay, Start
from thud.tui.widgets.modals import TextScreen
from tui.driver import Player, placed, playing, running


def entry(player: Player) -> MoveEntry | None:
    found = player.screen.query(MoveEntry)
    return found.first() if found and player.screen.pane.typing else None


async def test_a_typed_move_is_played_in_any_form() -> None:
    async with playing() as player:
        for text, key in zip(
            ("dF1-F5", "f1f5", "f1 f5", "F1,F5"), ("colon", "slash") * 2, strict=True
        ):
            await player.press(key, *text, "enter")
            assert played(player) == ["dF1-F5"]
            assert entry(player) is None
            await player.press("u")
            assert not played(player), "the keys belong to the board again"


@pytest.mark.parametrize("keys", [(":", *"h7h6"), ("enter",)])
async def test_what_is_begun_before_the_match_is_is_not_lost(
    keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = BattleScreen.begin

    async def begin_late(_: BattleScreen) -> None:
        pass

    monkeypatch.setattr(BattleScreen, "begin", begin_late)
    async with playing("classic", placed("RH8", "dH7", "TA6")) as player:
        await player.press(*keys)
        opened, picked = entry(player), player.screen.picker.selection.picked
        await begin(player.screen)
        assert entry(player) is opened
        assert player.screen.picker.selection.picked is picked
        assert (opened is None) is (picked is not None)


@pytest.mark.slow
async def test_what_was_refused_is_replaced_by_what_is_typed_next() -> None:
    async with playing() as player:
        await player.type("f1f15")
        await player.press(*"f1f5", "enter")
        assert "dF1-F5" in player.moves


@pytest.mark.parametrize("size", sampled([(80, 24), (160, 50)]))
async def test_what_is_typed_too_early_is_kept_to_be_sent_again(size: tuple[int, int]) -> None:
    seats = parse_contender("human"), parse_contender("random")
    async with playing(seats=seats, size=size) as player:
        await player.screen.session.request(Hold())
        await player.play("dF1-F5")
        await player.type("g1g5")
        assert "Press Enter again when it is your turn" in player.text("#message").splitlines()[0]
        opened = entry(player)
        assert opened
        assert opened.value == "g1g5"
        await player.press(*"k1k2")
        assert opened.value == "k1k2"


async def test_the_ways_to_go_on_are_shown_and_tab_takes_the_first() -> None:
    async with playing() as player:
        await player.press("colon", *"f1-f")
        await player.pilot.pause()
        assert "f1-f14" in player.message
        await player.press("4", "tab", "enter")
        assert "dF1-F4" in player.moves


async def test_the_line_shows_a_move_that_is_legal_and_its_keys() -> None:
    async with playing("classic", placed("TG8", "dE7", to_move="T")) as player:
        await player.press(":")
        await player.pilot.pause()
        opened = entry(player)
        assert opened
        written, typed = opened.placeholder.split(", or just ")
        assert " ".join(player.text("KeyBar").split()) == "Enter Play it Tab Complete Esc Back"
        await player.press(*typed, "enter")
        assert f"T{written}" in player.moves


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50), (165, 48), (48, 40)])
@pytest.mark.parametrize("start", ["battle", "lesson", "replay", "explorer"])
async def test_the_board_stays_where_it_is_while_one_types(
    start: str, size: tuple[int, int], tmp_path: Path
) -> None:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    starts: dict[str, Start] = {
        "battle": PlayMatch(Session(match)),
        "lesson": Lessons("lines"),
        "replay": Replay(Record.of(match)),
        "explorer": Explore(match),
    }
    async with running(ThudApp(starts[start], store=Store(tmp_path)), size) as player:
        await player.settled()
        board = player.app.screen.query_one(Board)
        before = board.region, board.cell
        await player.do(*["tab"] * (start == "explorer"), ":")
        assert (board.region, board.cell) == before
        last_row = max(board.region_of(square).bottom for square in RAYS)
        assert board.region.y + last_row <= player.app.screen.query_one(MoveEntry).region.y


async def test_escape_closes_the_line_and_nothing_is_played() -> None:
    async with playing() as player:
        await player.press("colon", *"f1f5", "escape")
        assert entry(player) is None
        assert not player.match.battle.moves
        assert "Anna to move" in player.message


def opening(number: int, variant: str = "classic") -> list[str]:
    """Return the texts of some moves from the start that say all of what they do."""
    battle = Battle(VARIANTS[variant])
    texts = []
    for _ in range(number):
        moves = battle.variant.legal_moves(battle.position)
        ends = Counter((move.origin, move.destination) for move in moves)
        move = next(move for move in moves if ends[move.origin, move.destination] == 1)
        texts.append(move_text(battle.position, move))
        battle.play(move)
    return texts


def played(player: Player) -> list[str]:
    battle = player.match.battle
    return [move_text(*turn) for turn in zip(battle.positions, battle.moves, strict=False)]


def keys(texts: list[str]) -> list[str]:
    return [key for text in texts for key in (":", *text, "enter")]


async def paste(player: Player, text: str) -> None:
    player.app.post_message(events.Paste(text))
    await player.pilot.pause()


@pytest.mark.slow
async def test_moves_typed_faster_than_they_are_kept_are_played_in_order(tmp_path: Path) -> None:
    texts = opening(10)
    async with playing(store=Store(tmp_path)) as player:
        await player.press(*keys(texts))
        await player.pilot.pause()
        assert played(player) == texts
        await player.press(*keys(opening(12)[10:]), "u")
        assert played(player) == opening(11), "the key after them meant the last move"


@pytest.mark.parametrize(
    ("open_with", "form"),
    [
        ((), ":{}"),
        pytest.param(("colon",), "{}\u3000", marks=pytest.mark.slow),
        pytest.param((), "\ufeff7. {}", marks=pytest.mark.slow),
    ],
)
async def test_a_paste_of_several_moves_is_played_in_order(
    open_with: tuple[str, ...], form: str
) -> None:
    texts = opening(10)
    async with playing() as player:
        await player.press(*open_with)
        await paste(player, "\r\n".join(form.format(text) for text in texts))
        assert played(player) == texts
        assert entry(player) is None


async def test_a_paste_with_one_wrong_move_plays_none() -> None:
    async with playing() as player:
        for wrong, reason in (
            ("f1f15", "F15"),
            ("nonsense", "is not a move"),
            ("c1c2\n" * 100, "100"),
        ):
            await player.press("colon")
            await paste(player, "\n".join([*opening(4), wrong]))
            assert not player.match.battle.moves
            assert reason in player.message
            await player.press("escape")


async def test_a_paste_that_leaves_captures_open_plays_none() -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1")
    async with playing("classic", position) as player:
        await paste(player, "j1j2\ng8f7")
        assert not player.match.battle.moves
        assert "say what it captures" in player.message


async def test_a_paste_plays_no_moves_of_a_computer() -> None:
    async with playing(seats=(parse_contender("human"), parse_contender("random"))) as player:
        await paste(player, "\n".join(opening(3)))
        assert not player.match.battle.moves
        assert "another player's turn" in player.message


@pytest.mark.slow
async def test_one_line_is_pasted_to_be_confirmed() -> None:
    async with playing() as player:
        await paste(player, "f1f5\n")
        assert not player.match.battle.moves
        await player.press("enter")
        assert played(player) == ["dF1-F5"]
        await player.press(":", "g")
        player.app.post_message(events.Paste("7f6 all"))
        await player.press("enter")
        assert played(player)[1:] == ["TG7-F6xF5"]


async def test_nothing_is_typed_or_pasted_where_nobody_here_plays() -> None:
    async with playing(seats=(parse_contender("random"),) * 2) as player:
        await player.press("colon")
        assert entry(player) is None
        await paste(player, "f1f5")
        assert entry(player) is None


async def test_a_command_is_typed_as_in_plain_text() -> None:
    async with playing() as player:
        await player.type("END")
        assert "proposes to end the battle" in player.question.replace("\n", " ")
        assert entry(player) is None
        await player.press("n")
        await player.type("flip")
        assert player.board.flipped
        await player.type("undo")
        assert player.message.endswith("There is nothing to undo.")
        await player.type("solution")
        assert player.message.endswith("That does nothing here now.")
        for word, because in (
            ("withdraw", "You have not proposed anything."),
            ("next", "The first battle is not over."),
            ("again", "No computer has failed."),
            ("claim", "Battles cannot be claimed in this match."),
            ("clock", "There is no clock."),
            ("say hello", "This match has no chat."),
            ("redo", "There is nothing to redo."),
            ("give", "Nobody is asking for a seat."),
        ):
            await player.type(word)
            assert player.message.endswith(because), word
        await player.type("score")
        assert isinstance(player.app.screen, TextScreen)
        await player.press("escape")
        await player.type("new")
        assert "Start a new match?" in player.question
        await player.press("n")
        await player.type("resign")
        assert "Anna resigns?" in player.question


async def test_commands_are_completed_where_no_move_is() -> None:
    async with playing() as player:
        await player.press("colon", *"sc", "tab")
        box = entry(player)
        assert box
        assert box.value == "score"


async def test_captures_left_open_are_asked_for_and_can_be_typed_too() -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await player.type("g8f7")
        assert "Capture from F7: 2 of 2" in player.question
        await player.press("7", "enter")
        assert "TG8-F7xE7" in player.moves
        await player.press("u")
        await player.type("g8-f7 x e6")
        assert "TG8-F7xE6" in player.moves
        await player.pilot.pause()
        assert "» Anna" in player.standing
        assert "captured" in player.standing


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e6", "TG8-F7xE6"),
        ("x e7", "TG8-F7xE7"),
        ("none", "TG8-F7"),
        ("all", "TG8-F7xE6xE7"),
        ("g8f7xe6", "TG8-F7xE6"),
    ],
)
async def test_what_is_typed_while_captures_are_chosen_answers_that(text: str, move: str) -> None:
    async with playing("classic", placed("TG8", "dE6", "dE7", "dJ1", to_move="T")) as player:
        await player.type("g8f7")
        await player.type(text)
        assert played(player) == [move]
        assert "put back" not in player.message


async def test_another_move_typed_while_captures_are_chosen_says_what_is_put_back() -> None:
    position = placed("TG8", "TK8", "dE6", "dE7", "dL6", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await player.type("g8f7")
        await player.press(":")
        assert "Type what G8-F7 captures: E6 or E7, all or none" in player.message
        await player.press(*"b9", "enter")
        assert "No troll can go to B9" in player.message
        assert "Type what G8-F7 captures" in player.message
        await player.press("escape")
        assert "Capture from F7: 2 of 2" in player.question, "nothing is lost"
        await player.type("k8k7")
        assert "Capture from K7" in player.question
        assert "G8-F7 was put back." in player.message
        await player.type("g8g9")
        assert played(player) == ["TG8-G9"]
        assert "K8-K7 was put back. Bert steps G8-G9" in player.message


async def test_nothing_is_typed_or_pasted_over_a_question() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("e", "colon")
        assert entry(player) is None
        await paste(player, "g7f6 all\nf2f3")
        assert "agree?" in player.question
        assert len(player.match.battle.moves) == 1
