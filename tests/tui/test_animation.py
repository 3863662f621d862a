"""Moves shown step by step: whole, brief, and never in the way."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant, legal, open_positions
from thud.rules.geometry import bit, mask_of, parse_square
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.tui.board.animation import LONGEST, stills
from thud.tui.board.look import Mark, View
from tui.driver import Player, playing

HURL = drawn("   A B C D E F G\n8  d d d . . T .", "d")
LOOP = drawn(
    "   E F G H J\n4  . . . . .\n5  T d . . .\n6  . d d . .\n7  . . . . .", "T", stone="H9"
)


@every_variant
@given(data=st.data())
def test_steps_lead_from_the_move_to_the_view(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    shown = stills(View(position.after(move)), move)
    times = [still.until for still in shown]
    assert times == sorted(times)
    assert 0 < times[-1] <= LONGEST < 0.25
    first, *_, last = (still.view for still in [*shown, shown[-1]])
    assert first.position._replace(to_move=position.to_move) == position
    after, mover = position.after(move), position.to_move
    victims = mask_of(*(s for s, mark in last.marks.items() if mark is Mark.VICTIM))
    assert last.position.pieces(mover.other) & ~victims == after.pieces(mover.other)
    for still in shown:
        there = still.view.position
        assert there.pieces(mover).bit_count() == position.pieces(mover).bit_count()
        assert there.occupied.bit_count() >= after.occupied.bit_count()


def squares(position: Position, letter: str) -> list[str | None]:
    return [position.letter_at(parse_square(name)) for name in letter.split()]


def test_a_hurled_dwarf_flies_over_the_empty_squares() -> None:
    move = parse_move(VARIANTS["classic"], HURL, "dC8-F8xF8")
    shown = [still.view.position for still in stills(View(HURL.after(move)), move)]
    flight = [squares(position, "C8 D8 E8 F8") for position in shown]
    assert flight == [
        ["d", None, None, "T"],
        [None, "d", None, "T"],
        [None, None, "d", "T"],
        [None, None, None, "d"],
    ]


def test_a_trampling_troll_goes_hop_by_hop() -> None:
    koom = VARIANTS["koom"]
    move = max(koom.legal_moves(LOOP), key=lambda move: move.captures.bit_count())
    shown = [still.view.position for still in stills(View(LOOP.after(move)), move)]
    left = [position.dwarfs.bit_count() for position in shown]
    assert left == sorted(left, reverse=True)
    assert left[0] == LOOP.dwarfs.bit_count()
    assert left[-1] == LOOP.after(move).dwarfs.bit_count()
    assert len(set(left)) == move.captures.bit_count() + 1
    assert shown[0].trolls == LOOP.trolls
    assert shown[-1].trolls == bit(move.destination)


def hurl() -> tuple[View, Move]:
    move = parse_move(VARIANTS["classic"], HURL, "dC8-F8xF8")
    return View(HURL.after(move)), move


def text(player: Player) -> str:
    board = player.board
    return "\n".join(board.render_line(y).text for y in range(board.size.height))


async def test_the_end_of_the_steps_is_the_view() -> None:
    view, move = hurl()
    async with playing("classic", HURL.to_text()) as player:
        player.board.animated = True
        player.board.show(view)
        still = text(player)
        player.board.show(View(HURL))
        player.board.show(view, move=move)
        assert player.board.view == view
        assert player.drawn("C8") == "-d-"
        assert player.drawn("F8") == " T "
        await asyncio.sleep(LONGEST)
        async with asyncio.timeout(5):
            while text(player) != still:
                await player.pilot.pause(0.02)


@pytest.mark.parametrize("key", ["left", "tab", "z"])
async def test_a_key_ends_the_steps(key: str) -> None:
    view, move = hurl()
    async with playing("classic", HURL.to_text()) as player:
        player.board.animated = True
        player.board.show(view, move=move)
        assert player.drawn("C8") == "-d-"
        await player.press(key)
        assert player.drawn("C8")[1] == " "


async def test_what_is_shown_next_ends_the_steps() -> None:
    view, move = hurl()
    async with playing("classic", HURL.to_text()) as player:
        player.board.animated = True
        player.board.show(view, move=move)
        player.board.show(View(HURL))
        assert player.drawn("F8") == " T "
        await player.pilot.pause(LONGEST + 0.05)
        assert player.drawn("F8") == " T "
        assert player.drawn("C8") == " d "


@pytest.mark.parametrize("level", ["none", None])
async def test_without_animation_the_end_is_shown_at_once(level: str | None) -> None:
    view, move = hurl()
    async with playing("classic", HURL.to_text()) as player:
        player.board.animated = level is not None
        if level == "none":
            player.app.animation_level = "none"
        player.board.show(view, move=move)
        assert player.drawn("C8") == "   "
        assert player.drawn("F8") == " d "


async def test_steps_survive_a_resize_and_turning_the_board() -> None:
    view, move = hurl()
    async with playing("classic", HURL.to_text()) as player:
        player.board.animated = True
        player.board.show(view, move=move)
        player.board.flip()
        assert player.drawn("F8") == " d "
        player.board.show(view, move=move)
        await player.pilot.resize_terminal(120, 40)
        await player.pilot.pause()
        assert player.board.view == view
