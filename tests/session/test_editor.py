"""Undo and redo of what is set up."""

from __future__ import annotations

from random import Random

import pytest

from thud.rules.geometry import SQUARES, parse_square
from thud.rules.position import InvalidPosition
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.session.editor import Editor, match_of, seats_of


def test_undo_and_redo_are_those_of_a_list() -> None:
    chance, variant = Random(3), VARIANTS["classic"]
    editor = Editor(Setup.usual(variant))
    line, place = [editor.setup], 0
    for _ in range(300):
        done = chance.choice(("change", "undo", "redo"))
        if done == "change":
            setup = editor.setup.put(chance.choice("dTR"), chance.choice(SQUARES))
            if editor.change(setup):
                line, place = [*line[: place + 1], setup], place + 1
        elif done == "undo":
            assert editor.undo() is (place > 0)
            place = max(0, place - 1)
        else:
            assert editor.redo() is (place < len(line) - 1)
            place = min(place + 1, len(line) - 1)
        assert editor.setup == line[place]
        assert (editor.can_undo, editor.can_redo) == (place > 0, place < len(line) - 1)


SETUP = Setup.usual(VARIANTS["koom"]).remove(parse_square("H15"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ("Player 1", "Player 2")),
        ("human", ("Player 1", "Player 2")),
        ("human 3", ("Player 1", "Lamplighter")),
        ("cpu:3 human", ("Lamplighter", "Player 2")),
        ("3", ("Lamplighter 1", "Lamplighter 2")),
    ],
)
def test_both_battles_begin_there(text: str, names: tuple[str, str]) -> None:
    match = match_of(SETUP, seats_of(text))
    assert match.players == names
    assert match.starts == (SETUP.position, SETUP.position)


@pytest.mark.parametrize("text", ["1 2 3", "nobody", "human 16"])
def test_nobody_else_plays(text: str) -> None:
    with pytest.raises(ValueError, match="human"):
        seats_of(text)


def test_what_is_no_position_of_the_game_is_not_played() -> None:
    with pytest.raises(InvalidPosition, match="17 dwarfs"):
        match_of(SETUP.put("d", parse_square("H8")).put("d", parse_square("H5")), seats_of(""))
