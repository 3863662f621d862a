"""Who plays from a position that was set up, and what they are called."""

from __future__ import annotations

import pytest

from thud.rules.geometry import parse_square
from thud.rules.position import InvalidPosition
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.session.editor import match_of, seats_of

SETUP = Setup.usual(VARIANTS["koom"]).remove(parse_square("H15"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ("Player 1", "Player 2")),
        ("human", ("Player 1", "Player 2")),
        ("human 3", ("Player 1", "Miner")),
        ("cpu:3 human", ("Miner", "Player 2")),
        ("3", ("Miner 1", "Miner 2")),
    ],
)
def test_both_battles_begin_there(text: str, names: tuple[str, str]) -> None:
    match = match_of(SETUP, seats_of(text))
    assert match.players == names
    assert match.starts == (SETUP.position, SETUP.position)


@pytest.mark.parametrize("text", ["1 2 3", "nobody", "human 9"])
def test_nobody_else_plays(text: str) -> None:
    with pytest.raises(ValueError, match="human"):
        seats_of(text)


def test_what_is_no_position_of_the_game_is_not_played() -> None:
    with pytest.raises(InvalidPosition, match="17 dwarfs"):
        match_of(SETUP.put("d", parse_square("H8")).put("d", parse_square("H5")), seats_of(""))
