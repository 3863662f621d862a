"""The search's moves in Classic agree with the rules, except that trolls capture all they can."""

import pytest

from ai.wandering import wanderings
from thud.ai.classic.game import ClassicGame, make_game
from thud.ai.game import SIDE
from thud.rules.moves import landings
from thud.rules.position import Move, Position, Side
from thud.rules.variants.classic import CLASSIC, SINGLE, Classic


def rules_moves(variant: Classic, position: Position) -> set[Move]:
    """Return the moves for the search: of each landing's choices those that capture most."""
    moves = variant.legal_moves(position)
    if position.to_move is Side.DWARFS:
        return set(moves)
    most: dict[tuple[int, int], int] = {}
    for landing in landings(position, position.trolls):
        victims = landing.victims.bit_count()
        if variant.single_capture and landing.line == 1:
            victims = min(victims, 1)
        most[landing.origin, landing.destination] = victims
    return {
        move for move in moves if move.captures.bit_count() == most[move.origin, move.destination]
    }


def quick_moves(game: ClassicGame, position: Position) -> list[Move]:
    state = game.state(position)
    captures = [move for _, move in game.captures(state)]
    return [game.rules_move(state, move) for move in [*captures, *game.all_quiets(state)]]


@pytest.mark.parametrize("variant", [CLASSIC, SINGLE], ids=lambda variant: variant.name)
def test_every_move_is_found_once(variant: Classic, full: bool) -> None:
    game = make_game(variant, Side.DWARFS)
    for position in wanderings(variant, 40 if full else 8):
        found = quick_moves(game, position)
        assert len(found) == len(set(found))
        assert set(found) == rules_moves(variant, position), position.to_text()


@pytest.mark.parametrize("variant", [CLASSIC, SINGLE], ids=lambda variant: variant.name)
def test_a_move_leads_where_the_rules_lead(variant: Classic, full: bool) -> None:
    game = make_game(variant, Side.TROLLS)
    for position in wanderings(variant, 20 if full else 5):
        state = game.state(position)
        for move in [*(move for _, move in game.captures(state)), *game.all_quiets(state)]:
            after = position.after(game.rules_move(state, move))
            assert game.make(state, move) == game.state(after)


@pytest.mark.parametrize("variant", [CLASSIC, SINGLE], ids=lambda variant: variant.name)
def test_the_selection_is_of_quiet_moves_each_once(variant: Classic, full: bool) -> None:
    game = make_game(variant, Side.DWARFS)
    for position in wanderings(variant, 20 if full else 5):
        state = game.state(position)
        everything = set(game.all_quiets(state))
        for depth in range(1, 5):
            chosen = game.quiets(state, depth)
            assert len(chosen) == len(set(chosen))
            assert everything.issuperset(chosen)
        assert everything.issuperset(game.rescues(state))


@pytest.mark.parametrize("variant", [CLASSIC, SINGLE], ids=lambda variant: variant.name)
def test_captures_come_with_their_gains_the_highest_first(variant: Classic, full: bool) -> None:
    game = make_game(variant, Side.DWARFS)
    for position in wanderings(variant, 40 if full else 8):
        state = game.state(position)
        worth = game.weights.dwarf if state[SIDE] else game.weights.troll
        gains = [gain for gain, _ in game.captures(state)]
        assert gains == sorted(gains, reverse=True)
        for gain, move in game.captures(state):
            assert gain == worth * game.rules_move(state, move).captures.bit_count() > 0


def test_what_stands_well_is_the_same_from_either_side() -> None:
    game = make_game(CLASSIC, Side.TROLLS)
    for position in wanderings(CLASSIC, 10):
        state = game.state(position)
        passed = game.passed(state)
        assert passed is not None
        assert game.evaluate(state) == -game.evaluate(passed)
