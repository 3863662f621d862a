"""The search's valley moves agree with the rules, except that dwarfs capture all they trap."""

from collections import Counter
from collections.abc import Iterable

import pytest

from ai.valley_positions import crowds, everything, ongoing, some
from thud.ai.game import Game, State
from thud.ai.games import game_for
from thud.ai.scores import GOAL, LIMIT
from thud.ai.valley.football import FOOTBALL_GAME
from thud.ai.valley.game import ValleyGame
from thud.ai.valley.koom import KOOM
from thud.ai.valley.moves import MOST_TRAMPLES
from thud.rules.geometry import BOARD, SQUARES, bit, mask_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant

BOTH = pytest.mark.parametrize("game", [KOOM, FOOTBALL_GAME], ids=lambda game: game.variant.name)


def every_move(game: Game, state: State) -> list[int]:
    return [*(move for _, move in game.captures(state)), *game.all_quiets(state)]


def rules_moves(variant: Variant, position: Position) -> set[Move]:
    """Return the moves for the search: of each trap's choices the one that captures all."""
    moves = variant.legal_moves(position)
    if position.to_move is Side.TROLLS:
        return set(moves)
    most: dict[tuple[int, int], int] = {}
    for origin, destination, captures in moves:
        path = origin, destination
        most[path] = most.get(path, 0) | captures
    return {Move(*path, captures) for path, captures in most.items()}


def most_tramples(moves: Iterable[Move]) -> int:
    """Return the most capturing moves of any piece; crowds allow a troll hundreds."""
    return max(Counter(move.origin for move in moves if move.captures).values(), default=0)


@BOTH
def test_every_move_is_found_once(game: ValleyGame, full: bool) -> None:
    tried = 0
    for position in some(ongoing(game.variant), full=full):
        state = game.state(position)
        found = [game.rules_move(state, move) for move in every_move(game, state)]
        assert len(found) == len(set(found))
        expected = rules_moves(game.variant, position)
        if most_tramples(expected) <= MOST_TRAMPLES:
            assert set(found) == expected, position.to_text()
            tried += 1
        else:
            assert set(found) < expected, position.to_text()
            assert most_tramples(found) >= MOST_TRAMPLES
    assert tried > (900 if full else 300)


@BOTH
def test_a_move_leads_where_the_rules_lead(game: ValleyGame, full: bool) -> None:
    for position in some(crowds(game.variant), full=full):
        if game.variant.decided(position) is None:
            state = game.state(position)
            for move in every_move(game, state):
                after = position.after(game.rules_move(state, move))
                assert game.make(state, move) == game.state(after)


@BOTH
def test_what_is_decided_is_what_the_rules_say(game: ValleyGame, full: bool) -> None:
    seen = set()
    for position in some(everything(game.variant), full=full):
        outcome = game.variant.decided(position)
        scores = {None: 0, position.to_move: GOAL, position.to_move.other: -GOAL}
        score = game.decided(game.state(position))
        assert score == (None if outcome is None else scores[outcome.winner])
        seen.add(score)
    assert seen >= {None, GOAL, -GOAL}


@BOTH
def test_the_moves_that_win_come_first_and_no_other_is_called_so(
    game: ValleyGame, full: bool
) -> None:
    winners = dict.fromkeys(Side, 0)
    for position in some(ongoing(game.variant), full=full):
        side, state = position.to_move, game.state(position)
        winning = set()
        for move in every_move(game, state):
            outcome = game.variant.decided(position.after(game.rules_move(state, move)))
            if outcome and outcome.winner is side:
                winning.add(move)
        captures = game.captures(state)
        assert {move for gain, move in captures if gain == GOAL} == winning
        assert sorted(captures, key=lambda capture: -capture[0]) == list(captures)
        winners[side] += bool(winning)
    assert min(winners.values()) > (10 if full else 3)


@BOTH
def test_who_threatens_to_win_presses_the_other(game: ValleyGame, full: bool) -> None:
    pressed = 0
    for position in some(ongoing(game.variant), full=full):
        state = game.state(position)
        passed = game.passed(state)
        if passed is not None and game.decided(passed) is None:
            assert game.pressed(state) == bool(game.goals(passed)), position.to_text()
            pressed += game.pressed(state)
    assert pressed > (20 if full else 6)


@BOTH
def test_a_held_stone_cannot_be_passed_over(game: ValleyGame) -> None:
    stone = SQUARES[80]
    held = Position(bit(0x8D), mask_of(stone - 1, stone + 1, stone + 16), stone, Side.TROLLS)
    assert game.passed(game.state(held)) is None


@BOTH
def test_who_cannot_move_has_lost_or_drawn_as_in_the_rules(game: ValleyGame) -> None:
    for dwarfs, trolls, side, score in (
        (0, 3, Side.DWARFS, -GOAL),
        (0, 2, Side.DWARFS, 0),
        (1, 0, Side.TROLLS, -GOAL),
    ):
        pieces = mask_of(*SQUARES[70 : 70 + dwarfs]), mask_of(*SQUARES[90 : 90 + trolls])
        position = Position(*pieces, SQUARES[40], side)
        outcome = game.variant.stuck(position)
        assert (outcome.winner is side.other) == (score == -GOAL)
        assert game.stuck(game.state(position)) == score


@BOTH
def test_the_selection_is_of_quiet_moves_each_once(game: ValleyGame, full: bool) -> None:
    for position in some(ongoing(game.variant), full=full):
        state = game.state(position)
        everything = set(game.all_quiets(state))
        for depth in (1, 2, 4):
            chosen = list(game.quiets(state, depth))
            assert len(chosen) == len(set(chosen))
            assert everything.issuperset(chosen)


@BOTH
def test_the_evaluation_stays_within_its_limit_and_sees_both_halves_alike(
    game: ValleyGame, full: bool
) -> None:
    for position in some(everything(game.variant), full=full):
        state = game.state(position)
        score = game.evaluate(state)
        assert -LIMIT < score < LIMIT
        assert game.evaluate(mirrored(state)) == score


def mirrored(state: State) -> State:
    """Return a state with its files in the opposite order."""
    dwarfs, trolls, side, stone = state
    return mirror(dwarfs), mirror(trolls), side, mirror(bit(stone)).bit_length() - 1


def mirror(mask: int) -> int:
    assert not mask & ~BOARD
    return mask_of(*(s - s % 16 + 14 - s % 16 for s in SQUARES if mask >> s & 1))


@BOTH
def test_both_sides_search_the_same_game(game: ValleyGame) -> None:
    assert all(game_for(game.variant, side) is game for side in Side)
