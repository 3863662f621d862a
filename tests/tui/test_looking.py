"""Earlier positions, what a piece may do, and what has been captured."""

from __future__ import annotations

import pytest

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.rules.geometry import bit, parse_square, squares_of
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.law import Play
from thud.tui.board.sprites import heads
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.standing import Standing
from tui.driver import placed, playing

CLASSIC = VARIANTS["classic"]


async def test_a_click_in_the_list_shows_an_earlier_position_until_a_key() -> None:
    async with playing() as player:
        for text in ("dF1-F5", "TG7-F6xF5", "dG1-G4"):
            await player.play(text)
        assert "31 dwarfs" in player.standing
        await player.pilot.click(MoveList, offset=(6, 8))
        assert "returns to the battle" not in player.message, "that was beside the moves"
        await player.pilot.click(MoveList, offset=(6, 0))
        assert "d" in player.drawn("F5")
        assert "T" in player.drawn("G7")
        assert "Turn 1 of 2: Anna moves F1-F5" in player.message
        assert "31 dwarfs" not in player.standing, "as it was then"
        await player.pilot.pause()
        assert " ".join(player.text("KeyBar").split()) == "[ Earlier ] Later Esc Back"
        assert player.text("KeyBar").startswith("[ Earlier ] Later "), (
            "the way back alone at the end"
        )
        await player.press("u")
        assert "T" in player.drawn("F6"), "the key returned to now"
        assert len(player.match.battle.moves) == 3, "and did nothing else"
        await player.press("u")
        assert len(player.match.battle.moves) == 2


async def test_brackets_step_back_and_forward_until_now() -> None:
    async with playing() as player:
        for text in ("dF1-F5", "TG7-F6"):
            await player.play(text)
        await player.press("left_square_bracket")
        assert "Turn 1 of 1: Anna moves F1-F5" in player.message
        await player.press("left_square_bracket", "left_square_bracket")
        assert "The battle begins" in player.message
        await player.until(lambda: player.text("KeyBar").startswith("] Later "))
        assert "d" in player.drawn("F1")
        await player.press("right_square_bracket")
        assert "Turn 1 of 1" in player.message
        await player.press("right_square_bracket")
        assert "returns to the battle" not in player.message
        assert player.board.view.position == player.match.battle.position
        await player.press("right_square_bracket", "left_square_bracket", "u")
        assert len(player.match.battle.moves) == 2, "the key only returned to now"


async def test_nobody_looks_back_with_a_piece_in_hand_or_where_nothing_was_played() -> None:
    async with playing() as player:
        await player.press("left_square_bracket")
        assert "Turn" not in player.message
        await player.play("dF1-F5")
        await player.choose("G7")
        await player.press("left_square_bracket")
        assert player.screen.pane.past_ply is None
        assert player.screen.picker.selection.picked


@pytest.mark.parametrize("merged", sampled([False, True]))
async def test_a_roomy_panel_shows_the_heads_of_captured_pieces(
    merged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.tui.widgets.standing.tones_merge", lambda _: merged)
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position, size=(120, 40)) as player:
        player.app.change_setting("pieces", "sprites")
        await player.play("TG8-F7xE6xE7")
        (head,) = heads("sprites")["dwarf"]
        drawn = "".join(glyph for glyph, _ in filter(None, head))
        (line,) = (each for each in player.standing.splitlines() if "captured" in each)
        assert line.endswith(f"  {drawn} {drawn}") is not merged
        assert (" ▲▲\n" in player.standing) is merged


async def test_captured_pieces_take_one_row_however_many_they_are() -> None:
    match = Match(CLASSIC)
    async with playing(size=(160, 50)) as player:
        player.app.change_setting("pieces", "sprites")
        standing = player.screen.query_one(Standing)
        for left in range(CLASSIC.start.dwarfs.bit_count()):
            dwarfs = sum(map(bit, list(squares_of(CLASSIC.start.dwarfs))[:left]))
            standing.show(match, 1, CLASSIC.start._replace(dwarfs=dwarfs), over=True)
            lines = player.standing.splitlines()
            assert ["captured" in each for each in lines] == [False, False, True]


async def test_a_renamed_computer_is_still_told_to_be_one_and_its_level() -> None:
    seats = parse_contender("human"), parse_contender("cpu:4")
    async with playing(seats=seats, names=("Anna", "Rocky")) as player:
        lines = player.standing.splitlines()
        (rocky,) = (n for n, line in enumerate(lines) if "Rocky" in line)
        assert lines[rocky + 1].strip() == "computer, level 4"
        assert player.standing.count("computer") == 1


async def test_a_graph_is_drawn_before_anything_is_shown_in_it() -> None:
    async with playing() as player:
        graph = MarginGraph()
        graph.styles.display, graph.styles.height, graph.styles.width = "block", 6, 40
        await player.screen.mount(graph)
        await player.pilot.pause()
        lines = [graph.render_line(y).text.strip() for y in range(graph.size.height)]
        assert lines
        assert not any(lines)


@pytest.mark.parametrize(("turns", "step"), [(12, 1), (90, 10), (130, 10), (131, 20)])
async def test_the_turns_below_a_graph_have_no_gaps(turns: int, step: int) -> None:
    async with playing() as player:
        graph = MarginGraph(fills=True, scaled=True)
        graph.styles.display, graph.styles.height, graph.styles.width = "block", 5, 76
        await player.screen.mount(graph)
        places = range(2 * turns + 1)
        graph.show([0.0] * len(places), -1, [1 + max(0, place - 1) // 2 for place in places])
        await player.pilot.pause()
        _, *told = graph.render_line(graph.size.height - 1).text.split()
        last = f"{turns // step * step}"
        assert [*told, *[last] * (told[-1] != last)] == [
            f"{max(1, turn)}" for turn in range(step == 1, turns + 1, step)
        ], "but the last one may have no room"


@pytest.mark.parametrize("size", sampled([(160, 50), (80, 24)]))
async def test_a_tall_panel_shows_who_was_ahead_when(size: tuple[int, int]) -> None:
    position = placed("TG8", "dE6", "dE7", "dJ1", to_move="T")
    async with playing("classic", position, size=size) as player:
        await player.play("TG8-F7xE6xE7")
        graph = player.screen.query_one(MarginGraph)
        assert graph.display is (size[1] > 30)
        assert player.screen.pane.leads == [-1, -3]
        await player.press("u")
        assert player.screen.pane.leads == [-1]
        await player.press("r")
        await player.pilot.pause()
        if graph.display:
            assert player.screen.query_one("#panel").region.right == size[0]
            await player.pilot.click(MarginGraph, offset=(9, 3))
            assert player.screen.pane.past_ply == 0


@pytest.mark.slow
async def test_the_last_move_is_in_sight_in_the_list_of_moves() -> None:
    async with playing(size=(100, 40)) as player:
        listed = player.app.screen.query_one(MoveList)
        while listed.virtual_size.height <= listed.size.height:
            battle = player.match.battle
            for _ in range(10):
                move = battle.variant.legal_moves(battle.position)[0]
                await player.screen.session.request(Play(move))
            await player.pilot.pause()
        assert listed.scroll_offset.y == listed.virtual_size.height - listed.size.height


async def test_the_moves_of_a_piece_are_listed_even_if_it_is_not_its_turn() -> None:
    async with playing("classic", placed("TG8", "dE6", "dE7", "dJ1")) as player:
        await player.go_to(parse_square("J1"))
        await player.press("d")
        assert "Dwarf on J1" in player.question
        assert "move: " in player.question
        assert "K2" in player.question
        await player.press("escape")
        assert not player.question
        await player.go_to(parse_square("G8"))
        await player.press("d")
        assert "if it were its turn" in player.question
        assert "F7×2" in player.question
        await player.press("escape", "8", "d")
        assert not player.question
        assert "There is no piece under the cursor." in player.message
