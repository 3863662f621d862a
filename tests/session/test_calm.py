"""That a battle has become calm is told once, by the sign that it is."""

import pytest

from thud.ai.player import CALM, is_calm
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.state import TableState
from thud.session.words import calmed

RETURNED = "This position has come up for the third time since the last capture."


def told(variant: str, start: str, moves: list[str]) -> dict[int, str]:
    """Return what is told after each number of moves, where anything is."""
    game = VARIANTS[variant]
    state = TableState(Match(game, ("Anna", "Bert"), game.position(start)))
    found = {}
    for number, text in enumerate(moves, 1):
        state.battle.play(parse_move(game, state.battle.position, text))
        if words := calmed(state):
            found[number] = words
    return found


SHUFFLE = ["dF1-F2", "TF15-F14", "dF2-F1", "TF14-F15"]
FEW = "d4/7/9/11/13/15/15/7R7/15/15/13/11/9/7/T4 d"


def test_a_position_for_the_third_time_is_told_once() -> None:
    assert told("classic", FEW, SHUFFLE * 4) == {8: RETURNED}


def test_a_game_in_which_pieces_do_not_count_is_never_calm() -> None:
    assert (
        told("koom", "d4/7/9/11/13/15/15/7R7/15/15/13/11/9/7/TTT2 d", ["dF1-F2", "TF15-F14"]) == {}
    )


@pytest.mark.parametrize("quiet", [CALM - 1, CALM, CALM + 1])
def test_a_long_quiet_is_calm(quiet: int) -> None:
    start = VARIANTS["classic"].start
    before = [start._replace(stone=turn) for turn in range(quiet)]
    assert is_calm([*before, start]) is (quiet >= CALM), "no two positions are alike"
