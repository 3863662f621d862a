"""Moves shown step by step: whole, brief, and never in the way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from textual.types import AnimationLevel

from rules.drawing import drawn
from rules.strategies import every_variant, legal, open_positions
from thud.rules.geometry import bit, mask_of, parse_square, square_name, squares_of
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.tui.board.animation import LONGEST, AnimationFrame, Ending, frames
from thud.tui.board.look import SquareMark, View
from tui.driver import Player, playing

HURL = drawn("   A B C D E F G\n8  d d d . . T .", "d")


@every_variant
@given(data=st.data())
def test_steps_lead_from_the_move_to_the_view(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    shown = frames(View(position.after(move)), move)
    times = [frame.until for frame in shown]
    assert times == sorted(times)
    assert 0 < times[-1] <= LONGEST + 1e-9 < 0.5
    first, *_, last = (frame.view for frame in [*shown, shown[-1]])
    assert first.position._replace(to_move=position.to_move) == position
    after, mover = position.after(move), position.to_move
    victims = mask_of(*(s for s, mark in last.marks.items() if mark is SquareMark.VICTIM))
    assert last.position.pieces(mover.other) & ~victims == after.pieces(mover.other)
    for frame in shown:
        there = frame.view.position
        assert there.pieces(mover).bit_count() == position.pieces(mover).bit_count()
        assert there.occupied.bit_count() >= after.occupied.bit_count()


def effects(view: View, move: Move | None, ending: Ending | None = None) -> list[View]:
    shown = frames(view, move, ending)
    assert shown[-1].until <= LONGEST + 1e-9
    return [frame.view for frame in shown if not frame.view.thud]


def marked(view: View, mark: SquareMark) -> set[str]:
    return {square_name(square) for square, each in view.marks.items() if each is mark}


FAR = drawn("   A B C D E F G H J\n9  d d d d d . . . .", "d")
FAR = FAR._replace(trolls=bit(parse_square("K9")))


def test_a_dwarf_that_is_hurled_far_leaves_a_trail_and_lands_with_a_burst() -> None:
    far = effects(*hurled(FAR, "dE9-K9xK9"))
    assert any(len(view.strokes) == 3 for view in far)
    assert len(far[-1].strokes) > 4
    assert marked(far[-1], SquareMark.CAPTURE) == {"K9"}
    near = effects(*hurled(HURL, "dC8-F8xF8"))
    assert not any(view.strokes for view in near)


SHOVED = drawn(
    "   E F G H J\n6  . . . . .\n7  . d d d .\n8  . d . d .\n9  . . . . .\n10 . . T . .",
    "T",
    stone="A8",
)


@pytest.mark.parametrize(("taken", "one_by_one"), [("xF7xG7xH7xF8xH8", True), ("xF7", False)])
def test_many_dwarfs_that_are_shoved_over_fall_one_after_the_other(
    taken: str, one_by_one: bool
) -> None:
    victims = mask_of(*map(parse_square, taken[1:].split("x")))
    move = Move(parse_square("G10"), parse_square("G8"), victims)
    shown = effects(View(SHOVED.after(move)), move)
    left = [view.position.dwarfs.bit_count() for view in shown]
    assert left == sorted(left, reverse=True)
    assert (len(set(left)) > 4) is one_by_one
    assert marked(shown[-1], SquareMark.CAPTURE) == {*taken[1:].split("x")}


def test_the_goals_light_up_round_a_rock_that_is_brought_home() -> None:
    koom = VARIANTS["koom"]
    position = koom.start._replace(stone=parse_square("H1"))
    move = Move(parse_square("H2"), parse_square("H1"))
    shown = effects(View(position, goals=koom.goals), move)
    lit = [len(marked(view, SquareMark.HELD)) for view in shown]
    assert lit == sorted(lit)
    assert marked(shown[-1], SquareMark.HELD) == {"F1", "G1", "H1", "J1", "K1"}
    elsewhere = View(koom.start, goals=koom.goals)
    assert not any(view.marks.get(parse_square("F1")) for view in effects(elsewhere, Move(*THERE)))


@pytest.mark.parametrize("last", [False, True])
def test_the_winners_light_up_at_the_end_after_a_match_twice(last: bool) -> None:
    start = VARIANTS["classic"].start
    shown = effects(View(start), None, Ending(start.trolls, last))
    full = {square_name(square) for square in squares_of(start.trolls)}
    lit = [marked(view, SquareMark.HELD) for view in shown]
    assert full in lit
    assert all(each <= full for each in lit)
    shown = effects(View(start), None, Ending(start.dwarfs, last))
    lit = [marked(view, SquareMark.HELD) for view in shown]
    assert (lit[0] == lit[-1] and len(lit) > 1) is last
    assert frames(View(start), None, Ending(0)) == []


async def test_the_end_by_agreement_is_seen_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[Ending | None]()

    def noted(view: View, move: Move | None, ending: Ending | None) -> list[AnimationFrame]:
        seen.append(ending)
        return frames(view, move, ending)

    monkeypatch.setattr("thud.tui.board.animation.frames", noted)
    async with playing("classic", HURL.to_text()) as player:
        player.board.animated = True
        await player.press("e", "y")
        assert "is over" in player.question
        assert seen == [Ending(player.match.battle.position.trolls)]


def hurled(position: Position, text: str) -> tuple[View, Move]:
    move = parse_move(VARIANTS["classic"], position, text)
    return View(position.after(move)), move


THERE = parse_square("H9"), VARIANTS["koom"].start.stone


def text(player: Player) -> str:
    board = player.board
    return "\n".join(board.render_line(y).text for y in range(board.size.height))


@pytest.mark.parametrize(
    ("drawing", "text", "is_loud"),
    [
        (HURL, "dC8-F8xF8", True),
        (SHOVED, "TG10-G8xF7xG7xH7", True),
        (SHOVED, "TG10-G8xF7xG7", False),
        (SHOVED, "TG10-G9", False),
    ],
)
def test_a_hurl_that_lands_and_three_dwarfs_at_once_make_a_thud(
    drawing: Position, text: str, is_loud: bool
) -> None:
    origin, destination, *victims = map(parse_square, re.findall(r"[A-P]\d+", text))
    move = Move(origin, destination, mask_of(*victims))
    *before, last = (frame.view.thud for frame in frames(View(drawing.after(move)), move))
    assert (any(before), last) == (False, is_loud)


async def test_a_thud_stands_across_the_board_until_the_next_key() -> None:
    view, move = hurled(HURL, "dC8-F8xF8")
    async with playing("classic", HURL.to_text()) as player:
        still = text(player)
        player.board.animated = True
        player.board.show(view, move=move)
        player.board._begun -= LONGEST - 0.01
        player.board._frames[-1] = replace(player.board._frames[-1], until=3600)
        player.board._show_frame()
        assert text(player).count("██████") == 2
        await player.press("left")
        assert "██" not in text(player)
        assert still != text(player)


async def test_a_key_a_resize_and_what_is_shown_next_end_the_steps() -> None:
    view, move = hurled(HURL, "dC8-F8xF8")
    async with playing("classic", HURL.to_text()) as player:
        await player.go_to(parse_square("H8"))
        player.board.animated = True
        player.board.show(view, move=move)
        assert player.drawn("C8") == "-d-"
        await player.press("left")
        assert player.drawn("C8")[1] == " "
        player.board.show(view, move=move)
        player.board.show(View(HURL))
        player.board._show_frame()
        assert (player.drawn("C8"), player.drawn("F8")) == (" d ", " T ")
        player.board.show(view, move=move)
        player.board.flip()
        assert player.drawn("F8") == " d "
        player.board.show(view, move=move)
        await player.pilot.resize_terminal(120, 40)
        await player.pilot.pause()
        assert player.board.view == view


@pytest.mark.parametrize("level", ["none", "full"])
async def test_without_animation_the_end_is_shown_at_once(level: AnimationLevel) -> None:
    view, move = hurled(HURL, "dC8-F8xF8")
    async with playing("classic", HURL.to_text()) as player:
        await player.go_to(parse_square("C8"))
        player.app.animation_level = level
        player.board.animated = level == "none"
        player.board.show(view, move=move)
        assert (player.drawn("C8"), player.drawn("F8")) == ("[ ]", " d ")
