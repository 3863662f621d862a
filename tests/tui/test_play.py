"""Whole battles and matches through the keys."""

import asyncio
import random
import re
from collections.abc import Awaitable
from threading import Event
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace
from rich.text import Text
from textual import events
from textual.containers import Vertical
from textual.screen import Screen
from textual.widget import AwaitMount, Widget
from textual.widgets import Static

from sampling import sampled
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.session import Session
from thud.tui.battle.pane import BattlePane
from thud.tui.battle.screen import BattleScreen
from thud.tui.looks.fitted import BETWEEN
from thud.tui.picking.move_entry import MoveEntry
from tui.driver import placed, playing

CLASSIC_END = placed("dF4", "TG7")
CLASSIC_CHOICE = placed("dE5", "dG5", "dA9", "TG7", to_move="T")
SHOVE = placed("dF3", "dH3", "TG6", "TG7", to_move="T")
TRAMPLES = "5/7/9/11/13/4dT9/3d11/7R7/2d1d10/4T10/3d9/11/9/3d3/5 T"


async def test_whose_turn_it_is_stands_at_the_name_where_there_is_room() -> None:
    names = ("Anna", "Christiane Quirm")
    async with playing("classic", CLASSIC_END, names=names, size=(120, 40)) as player:
        assert re.search(r"» Anna to move +1 dwarf\n", player.standing)
        assert re.search(r"  Christiane Quirm +1 troll\n", player.standing)
        await player.play("dF4-G4")
        assert re.search(r"  Anna +1 dwarf\n", player.standing)
        assert "» Christiane Quirm " in player.standing
        assert len({len(line) for line in player.standing.splitlines()[:2]}) == 1


async def test_a_classic_match_to_its_end() -> None:
    async with playing("classic", CLASSIC_END) as player:
        assert "» Anna" in player.standing
        assert "1 dwarf" in player.standing
        await player.play("dF4-F6")
        assert "» Bert" in player.standing
        await player.play("TG7-F7xF6")
        assert player.match.battle.outcome is not None
        assert "Battle 1 is over" in player.question
        assert "No dwarf is left" in player.question
        assert "Bert wins by 4 points" in player.question
        await player.press("n")
        assert player.match.number == 2
        assert "» Bert" in player.standing
        assert "2 of 2" in player.standing
        await player.play("dF4-F6")
        await player.play("TG7-F7xF6")
        assert "The match is over" in player.question
        assert "The match is drawn" in player.question
        await player.press("n")
        assert player.match.number == 1
        assert not player.question


async def test_an_empty_shove_is_refused_with_the_reason() -> None:
    async with playing("classic", SHOVE) as player:
        await player.choose("G6", "G4")
        assert "2 of 2" in player.question
        await player.press("7", "9", "enter")
        assert "A shove has to capture at least one dwarf" in player.message
        assert not player.match.battle.moves
        await player.press("7", "enter")
        assert "TG6-G4xF3" in player.moves


async def test_trampling_hop_by_hop_and_by_the_final_square() -> None:
    async with playing("koom", TRAMPLES) as player:
        await player.choose("F6", "D6", "D8")
        assert "Trampled D7 and E6" in player.message
        assert player.drawn("E6") == "   "
        await player.press("escape")
        assert player.drawn("D8") == "[×]"
        await player.choose("D8", "F10", "D12")
        assert "TF6-D12xD7xE6xE9xE11" in player.moves
        await player.press("u")
        await player.choose("F6", "B10")
        assert "TF6-B10xC9xD7xE6" in player.moves


@pytest.mark.parametrize("flipped", [False, True])
async def test_victims_stand_as_they_lie_around_with_their_keys(flipped: bool) -> None:
    position = placed("TG8", "dE6", "dE7", "dG6", "dJ1", to_move="T")
    async with playing("classic", position) as player:
        await player.choose("G8", "F7")
        if flipped:
            await player.press("f")
        rows = [line.split() for line in player.question.splitlines()[2:4]]
        usual = [["7[×]E6", "9[×]G6"], ["4[×]E7", "F7"]]
        assert rows == ([["F7", "6[×]E7"], ["1[×]G6", "3[×]E6"]] if flipped else usual)


async def test_ending_by_agreement_asks_the_other_by_name() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("e")
        assert "Bert proposes" in player.question
        assert "Anna, do you agree?" in player.question
        await player.press("n")
        assert player.match.battle.outcome is None
        assert "Anna plays on" in player.message
        await player.press("e", "y")
        assert "Both players agree." in player.question
        await player.press("u")
        assert player.match.battle.outcome is None
        assert len(player.match.battle.moves) == 1


@pytest.mark.parametrize("variant", VARIANTS)
async def test_random_moves_through_the_keys(variant: str, full: bool) -> None:
    moves_to_play = 24 if full else 8
    chooser = random.Random("keys")
    async with playing(variant) as player:
        for _ in range(moves_to_play):
            battle = player.match.battle
            if battle.outcome:
                break
            moves = battle.variant.legal_moves(battle.position)
            captures = [move for move in moves if move.captures]
            await player.play_move(chooser.choice(captures or moves))
        assert len(player.match.battle.moves) == moves_to_play


@pytest.mark.parametrize("key", ["enter", "q"])
async def test_quitting_asks_in_the_middle_of_a_battle(key: str) -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("q")
        assert "Quit?" in player.question
        await player.press("n")
        assert player.app.is_running
        assert not player.question
        await player.press("q", key)
        assert player.app._exit


async def test_quitting_before_the_first_move_does_not_ask() -> None:
    async with playing() as player:
        await player.press("q")
        assert player.app._exit


async def test_the_threat_map_says_what_its_marks_mean_as_long_as_it_is_shown() -> None:
    async with playing("classic", placed("dF1", "TF2")) as player:
        assert "in danger" not in player.message
        await player.press("t")
        assert player.message.endswith("\no lands safely   # lands in danger")
        assert "to move: pick up a dwarf" in player.message
        assert player.drawn("G1").strip() == "o"
        await player.press("x")
        assert "Pick up a piece first" in player.message
        assert "in danger" in player.message
        await player.choose("F1")
        assert "in danger" in player.message
        await player.press("escape", "t")
        assert "in danger" not in player.message


async def test_the_threat_map_tells_landings_where_a_capture_could_be_answered() -> None:
    """A line of two looks at E5; on E6 the troll captures one of the two."""
    start = placed("dF5", "dE7", "dE8", "TD5")
    async with playing("classic", start) as player:
        await player.press("t")
        marks = [player.drawn(square).strip() for square in ("E4", "E5", "E6")]
        assert marks == ["o", "#", "o"]


@pytest.mark.parametrize("size", sampled([(80, 24), (120, 40), (160, 50)]))
async def test_what_is_said_is_never_cut(size: tuple[int, int]) -> None:
    notice = "A long notice that goes on. " * 6 + "This is the end."
    async with playing("classic", placed("dF1", "TF2"), size=size) as player:
        await player.press("t")
        for said, there in ((notice, True), ("Short.", False)):
            player.screen.say(said)
            await player.pilot.pause()
            shown = [*player.app.screen.query("#message, #aside").results(Static)]
            assert all(each.size.height >= len(wrapped(each)) for each in shown if each.display)
            assert "to move: pick up a dwarf" in player.message
            assert "! in danger" in player.message
            assert ("This is the end." in player.message) is there


async def test_a_piece_in_hand_is_told_of_in_one_line() -> None:
    async with playing("classic", placed("dL13", "TF2"), size=(80, 24)) as player:
        await player.choose("L13")
        message = player.app.screen.query_one("#message", Static)
        assert wrapped(message) == ["Dwarf on L13 in hand: put it down; Esc lets go"]


def wrapped(shown: Static) -> list[str]:
    """Return the lines that a text takes in its width."""
    text = Text(str(shown.render()))
    return [row.plain for row in text.wrap(shown.app.console, shown.content_size.width)]


@pytest.mark.slow
async def test_keys_that_come_before_a_screen_has_begun_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin, gate = BattleScreen.begin, asyncio.Event()

    async def begin_late(screen: BattleScreen) -> None:
        await gate.wait()
        await begin(screen)

    async with playing() as player:
        monkeypatch.setattr(BattleScreen, "begin", begin_late)
        later = BattleScreen(Session(Match(VARIANTS["koom"]), Autosave(None)))
        player.app.push_screen(later)
        for key in ("f", "colon", "h", "7"):
            player.app.post_message(events.Key(key, None))
        while not later.is_mounted:
            await asyncio.sleep(0)
        for _ in range(50):
            await asyncio.sleep(0)
        flipped = later.pane.board.flipped
        gate.set()
        assert not flipped
        await player.until(lambda: [each.value for each in later.query(MoveEntry)] == ["h7"])
        assert later.pane.board.flipped


async def test_a_key_waits_for_no_screen_that_has_gone() -> None:
    async with playing() as player:
        below = player.screen
        gone = BattleScreen(Session(Match(VARIANTS["koom"]), Autosave(None)))
        player.app.push_screen(gone)
        player.app.post_message(events.Key("t", "t"))
        player.app.pop_screen()
        await player.press("f")
        assert player.screen is below
        assert player.board.flipped


async def test_keys_that_come_after_leaving_do_nothing() -> None:
    async with playing() as player:
        player.app.exit()
        for key in ("colon", "t", "enter"):
            player.app.post_message(events.Key(key, None))


async def test_a_program_that_ends_while_its_panel_is_completed_ends_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match(VARIANTS["classic"])
    pane = BattlePane(Session(match, Autosave(None)).state, AsyncMock())
    mount = Vertical.mount

    async def mounted_and_ended(mounted: AwaitMount) -> None:
        await mounted
        pane.app.exit()

    def mounting(panel: Vertical, *widgets: Widget, **where: Widget) -> Awaitable[None]:
        return mounted_and_ended(mount(panel, *widgets, **where))

    async with playing("classic") as player:
        await player.app.push_screen(Screen())
        await player.app.screen.mount(pane)
        monkeypatch.setattr(Vertical, "mount", mounting)
        await pane.complete()
        assert not pane.is_attached


@pytest.mark.parametrize(("wanted", "club"), [(True, False), (False, False), (True, True)])
async def test_a_capture_is_heard_if_the_settings_say_so_and_never_in_a_club(
    monkeypatch: pytest.MonkeyPatch, wanted: bool, club: bool
) -> None:
    heard = Event()
    monkeypatch.setattr("thud.terminal.sound.play", lambda _: heard.set())
    async with playing() as player:
        player.app.change_setting("sound", wanted)
        player.app.deployment = replace(player.app.deployment, sounds=not club)
        await player.play("dF1-F5")
        await player.play("TG7-F6xF5")
        if wanted and not club:
            assert await asyncio.to_thread(heard.wait, 60)
        await player.pilot.pause()
        assert heard.is_set() is (wanted and not club)


async def test_older_messages_are_read_again_the_newest_first() -> None:
    async with playing() as player:
        await player.press("apostrophe")
        assert "Nothing has been said yet." in player.written
        await player.press("escape")
        await player.play("dF1-F5")
        player.screen.say("A refusal.")
        player.screen.say("Another one.")
        player.screen.say("")
        player.screen.pane.advise(None, "A hint.")
        for said in "", "Another one.", "":
            player.screen.say(said)
        await player.press("apostrophe")
        told = "Notices:\nAnother one.\nA hint.\nAnother one.\nA refusal.\nAnna moves F1-F5"
        assert player.text("VerticalScroll Static") == told


async def test_captures_are_chosen_by_keys_unless_something_else_is_asked() -> None:
    async with playing("classic", CLASSIC_CHOICE) as player:
        await player.choose("G7")
        await player.go_to(parse_square("F6"))
        assert player.drawn("E5") == player.drawn("G5") == "×d×"
        await player.press("c", "a", "u", "e", "enter")
        assert "clipboard" in player.question
        assert not player.match.battle.moves
        await player.press("escape")
        assert player.screen.focused is player.board
        await player.choose("G7")
        await player.go_to(parse_square("F6"))
        await player.press("5", "7", "5")
        assert "TG7-F6xG5" in player.moves
        await player.press("u")
        await player.choose("G7")
        await player.go_to(parse_square("F6"))
        await player.press("a")
        assert "TG7-F6xE5xG5" in player.moves


@pytest.mark.parametrize("size", [(160, 50), (120, 40)])
async def test_no_item_of_the_legend_is_broken_beside_the_board(size: tuple[int, int]) -> None:
    items = "! in danger", ": can capture", "o lands safely", "* best move", "+ takes two at once"
    async with playing(size=size) as player:
        player.screen.pane.tell("Move.", "It is so.", BETWEEN.join(items), "A hint.")
        await player.pilot.pause()
        assert items[0] in player.text("#aside")
        lines = player.written.splitlines()
        assert all(any(item in line for line in lines) for item in items), player.written


async def test_football_offers_no_keys_for_captures_and_says_why() -> None:
    async with playing("football") as player:
        offered = player.screen._actions
        assert offered["threats"]
        assert offered["cycle_captures"]
        await player.press("t")
        assert "Nobody is captured in Football." in player.screen.pane.lines_now()[1]
