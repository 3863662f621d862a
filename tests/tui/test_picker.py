"""What is picked, marked and told, without a board."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from thud.rules.geometry import bit, parse_square
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.variant import IllegalMove
from thud.rules.variants import VARIANTS
from thud.settings.values import Settings
from thud.tui.picking.picker import Picker, Take
from tui.driver import placed

E5, G5, F6, G7 = map(parse_square, ("E5", "G5", "F6", "G7"))
BOTH = Move(G7, F6, bit(E5) | bit(G5))


def picker() -> Picker:
    """Return a picker of a troll that may capture two dwarfs on its next move."""
    classic = VARIANTS["classic"]
    start = classic.position(placed("dE5", "dG5", "dA9", "TG7", to_move="T"))
    return Picker.of(Match(classic, ("Anna", "Bert"), start))


def test_captures_are_chosen_until_they_are_confirmed() -> None:
    picked, move = picker().choose(G7)
    assert move is None
    assert picked.texts(F6, "")[0] == "Step to F6: can capture E5 and G5"
    picked, move = picked.choose(F6)
    assert move is None
    picked, move = picked.take(E5)
    assert move is None
    assert picked.choice
    assert picked.choice.taken == bit(G5)
    picked, move = picked.take(Take.NONE)
    assert move is None
    assert picked.take(Take.ALL)[1] == BOTH
    assert picked.take(Take.THESE)[1] == Move(G7, F6, 0)


def test_all_is_captured_at_once_where_the_settings_say_so() -> None:
    picked, _ = replace(picker(), settings=Settings(captures="all")).choose(G7)
    assert picked.choose(F6)[1] == BOTH


def test_nothing_is_picked_while_that_is_blocked() -> None:
    picked = replace(picker(), blocked="Waiting for Anna")
    with pytest.raises(IllegalMove, match="Waiting for Anna"):
        picked.choose(G7)
    assert picked.grab(G7) is None
    assert picked.texts(G7, "")[0] == "Waiting for Anna"
