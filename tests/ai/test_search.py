"""Properties of the search: it equals plain minimax, is reproducible, and stops."""

from random import Random

import pytest

from ai.wandering import endgames, wander, wanderings
from thud.ai.game import FULL, SELECTIVE, Game, Options, State
from thud.ai.games import game_for
from thud.ai.player import Limits
from thud.ai.quick import Result, think, tree_for
from thud.ai.scores import INFINITE, LIMIT, Score
from thud.ai.search import POLL, Tree
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from variants import every_quick

both_searches = pytest.mark.usefixtures("each_search")


def every_move(game: Game, state: State) -> list[int]:
    return [*(move for _, move in game.captures(state)), *game.all_quiets(state)]


def settled(game: Game, state: State, ply: int) -> Score:
    """Quiescence search without pruning: the best of standing pat and every capture."""
    over = game.decided(state)
    if over is not None:
        return nearer(over, ply)
    best = game.evaluate(state)
    for _, move in game.captures(state):
        best = max(best, -settled(game, game.make(state, move), ply + 1))
    return best


def nearer(score: Score, ply: int) -> Score:
    if -LIMIT <= score <= LIMIT:
        return score
    return score - ply if score > 0 else score + ply


def minimax(game: Game, state: State, depth: int, ply: int = 0) -> Score:
    """Return the score of a state by plain minimax."""
    if depth == 0:
        return settled(game, state, ply)
    over = game.decided(state)
    if over is not None:
        return nearer(over, ply)
    moves = every_move(game, state)
    if not moves:
        return game.stuck(state)
    return max(-minimax(game, game.make(state, move), depth - 1, ply + 1) for move in moves)


def searched(variant: Variant, position: Position, limits: Limits, options: Options) -> Result:
    game = game_for(variant, position.to_move)
    return think(tree_for(game, options), game.state(position), limits, chance=Random(5))


@both_searches
@every_quick
def test_nothing_pruned_it_finds_what_trying_everything_finds(variant: Variant, full: bool) -> None:
    compared = 0
    for position in endgames(variant, 12 if full else 6):
        game = game_for(variant, position.to_move)
        for depth in (1, 2):
            expected = minimax(game, game.state(position), depth)
            found = searched(variant, position, Limits(depth=depth), FULL)
            assert found.score == expected, position.to_text()
            compared += 1
    assert compared > (12 if full else 6)


@pytest.mark.slow
@both_searches
@every_quick
def test_three_plies_deep_too(variant: Variant) -> None:
    for position in endgames(variant, 6):
        game = game_for(variant, position.to_move)
        expected = minimax(game, game.state(position), 3)
        assert searched(variant, position, Limits(depth=3), FULL).score == expected


@both_searches
@every_quick
def test_the_same_depth_and_seed_find_the_same_move_in_as_many_nodes(variant: Variant) -> None:
    for position in list(wanderings(variant, 3))[:3]:
        first, again = (searched(variant, position, Limits(depth=3), SELECTIVE) for _ in range(2))
        assert first._replace(seconds=0) == again._replace(seconds=0)


class Watched(Tree):
    """A tree that checks every bound it stores against the earlier ones."""

    def __init__(self, game: Game, options: Options) -> None:
        super().__init__(game, options)
        self.bounds: dict[tuple[State, int], tuple[Score, Score]] = {}
        self.kept = 0

    def keep(self, state: State, depth: int, low: Score, high: Score, move: int) -> None:
        super().keep(state, depth, low, high, move)
        lowest, highest = self.bounds.get((state, depth), (-INFINITE, INFINITE))
        lowest, highest = max(low, lowest), min(high, highest)
        assert lowest <= highest
        self.bounds[state, depth] = lowest, highest
        self.kept += 1


@every_quick
def test_bounds_of_a_state_never_cross(variant: Variant, full: bool) -> None:
    """Without pruning, a state has one score per depth, which every bound must contain."""
    for position in endgames(variant, 6 if full else 3):
        game = game_for(variant, position.to_move)
        tree = Watched(game, FULL)
        think(tree, game.state(position), Limits(depth=3, nodes=20_000))
        assert tree.kept


@both_searches
@every_quick
def test_it_stops_within_its_nodes(variant: Variant) -> None:
    for nodes in (1, 500, 3000):
        for position in list(wanderings(variant, 2))[:3]:
            found = searched(variant, position, Limits(nodes=nodes), SELECTIVE)
            assert found.nodes <= nodes + POLL


@every_quick
def test_it_stops_when_told_to_and_still_has_a_move(variant: Variant, each_search: str) -> None:
    position = variant.start
    game = game_for(variant, position.to_move)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    found = think(tree_for(game), game.state(position), Limits(), stop)
    assert asked <= 5
    # The core polls only every few milliseconds.
    assert found.nodes <= (4 * POLL if each_search == "python" else 200_000)
    assert variant.is_legal(position, game.rules_move(game.state(position), found.move))


def test_the_table_keeps_within_its_size() -> None:
    variant = VARIANTS["classic"]
    game = game_for(variant, Side.DWARFS)
    tree = Tree(game, SELECTIVE._replace(table=100))
    think(tree, game.state(variant.start), Limits(nodes=20_000))
    assert 100 < tree.remembered <= 300


@both_searches
def test_a_report_tells_of_every_depth_and_its_line_can_be_played() -> None:
    variant = VARIANTS["classic"]
    position = wander(variant, 3, 30)[-1]
    game = game_for(variant, position.to_move)
    reports: list[Result] = []
    found = think(tree_for(game), game.state(position), Limits(depth=4), report=reports.append)
    assert {report.depth for report in reports} == {1, 2, 3, 4}
    assert reports[-1].move == found.move == found.line[0]
    state = game.state(position)
    for move in found.line:
        assert move in every_move(game, state)
        state = game.make(state, move)
