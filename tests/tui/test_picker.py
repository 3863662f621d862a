"""What is picked, marked and told, without a board."""

from __future__ import annotations

import pytest

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
    return Picker(Match(classic, ("Anna", "Bert"), start))


def test_captures_are_chosen_until_they_are_confirmed() -> None:
    hand = picker()
    assert hand.choose(G7) is None
    assert hand.choose(F6) is None
    assert hand.take(E5) is None
    assert hand.choice
    assert hand.choice.taken == bit(G5)
    assert hand.take(Take.NONE) is None
    assert hand.take(Take.ALL) == BOTH
    assert hand.take(Take.THESE) == Move(G7, F6, 0)


def test_all_is_captured_at_once_where_the_settings_say_so() -> None:
    hand = picker()
    hand.settings = Settings(captures="all")
    hand.choose(G7)
    assert hand.choose(F6) == BOTH


def test_nothing_is_picked_while_that_is_blocked() -> None:
    hand = picker()
    hand.blocked = "Waiting for Anna"
    with pytest.raises(IllegalMove, match="Waiting for Anna"):
        hand.choose(G7)
    assert not hand.grab(G7)
    assert hand.hand.grip is None
    assert hand.texts(G7, "")[0] == "Waiting for Anna"


def test_what_is_shown_follows_what_is_picked() -> None:
    hand = picker()
    before = hand.view(flipped=False)
    hand.choose(G7)
    assert hand.view(flipped=False) != before
    assert hand.texts(F6, "")[0] == "Step to F6: can capture E5 and G5"
    hand.let_go()
    assert hand.view(flipped=False) == before
