"""How well the search plays Koom Valley and Football, and how its battles against itself end.

Usage: python benchmarks/valley.py [--variant koom] [--battles 100] [--nodes 2000] [--jobs 2]
                                   [--against random material one-ply itself]

Every battle begins with two random moves by each side.  Each such opening is played twice: with
the search as dwarfs and as trolls.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import NamedTuple

from thud.ai.core import Instance, position_line
from thud.ai.player import Decision, Limits, Player
from thud.ai.simple import MaterialPlayer, RandomPlayer
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

QUIET_LIMIT = 200
OPENING_MOVES = 4


class OnePly:
    """Wins at once if it can, else maximizes the evaluation after its move, without a search."""

    name = "One ply"

    def __init__(self, variant: Variant, seed: int) -> None:
        self.variant = variant
        self.chance = Random(seed)
        self.core = Instance()

    def decide(self, positions: Sequence[Position], limits: Limits) -> Decision:
        """Return the move after which the evaluation is best."""
        side, moves = positions[-1].to_move, list[Move]()
        request = ["evaluate", f"variant {self.variant.name}"]
        for move in self.variant.legal_moves(positions[-1]):
            after = positions[-1].after(move)
            outcome = self.variant.decided(after)
            if outcome and outcome.winner is side:
                return Decision(move)
            if not outcome:
                moves.append(move)
                request.append(f"position {position_line(after)}")
        if not moves:
            return Decision(self.chance.choice(self.variant.legal_moves(positions[-1])))
        sign = 1 if side is Side.DWARFS else -1
        found = self.core.ask("\n".join(request))["evaluations"]
        worth = [sign * each["score"] + self.chance.random() for each in found]
        return Decision(moves[worth.index(max(worth))])


class Result(NamedTuple):
    """How a battle ended."""

    winner: Side | None
    reason: str
    moves: int
    nodes: int
    depth: int
    thoughts: int


OPPONENTS = {"random": RandomPlayer, "material": MaterialPlayer, "one-ply": OnePly}


def opened(variant: Variant, seed: int) -> Battle:
    """Return a battle after a random opening that has not decided it."""
    chance = Random(seed)
    while True:
        battle = Battle(variant, quiet_limit=QUIET_LIMIT)
        while battle.outcome is None and len(battle.moves) < OPENING_MOVES:
            battle.play(chance.choice(variant.legal_moves(battle.position)))
        if battle.outcome is None:
            return battle


def fought(job: tuple[int, Side], variant: str, nodes: int, against: str) -> Result:
    """Play a battle with the search on one side."""
    number, side = job
    battle = opened(VARIANTS[variant], number)
    players: dict[Side, Player] = {side: Thinker(battle.variant, number)}
    players[side.other] = OPPONENTS.get(against, Thinker)(battle.variant, number + 1)
    seen = depth = thoughts = 0
    while battle.outcome is None:
        mover = battle.position.to_move
        decision = players[mover].decide(battle.positions, Limits(nodes=nodes))
        if mover is side and decision.thought:
            seen += decision.thought.nodes
            depth += decision.thought.depth
            thoughts += 1
        battle.play(decision.move)
    outcome = battle.outcome
    return Result(outcome.winner, outcome.reason.value, len(battle.moves), seen, depth, thoughts)


def report(side: Side, against: str, results: list[Result]) -> None:
    won = sum(result.winner is side for result in results)
    drawn = sum(result.winner is None for result in results)
    moves = sum(result.moves for result in results) / len(results)
    thoughts = sum(result.thoughts for result in results)
    depth = sum(result.depth for result in results) / max(thoughts, 1)
    reasons = Counter(result.reason for result in results).most_common()
    print(
        f"as {side.plural} against {against}: {won} of {len(results)} won, {drawn} drawn; "
        f"{moves:.0f} moves a battle, {depth:.1f} plies deep; "
        + ", ".join(f"{reason} ({count})" for reason, count in reasons),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--variant", choices=["koom", "football"], default="koom")
    parser.add_argument("--battles", type=int, default=100, help="of each side")
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--against", nargs="+", default=[*OPPONENTS, "itself"])
    args = parser.parse_args()
    print(f"{args.variant}, {args.nodes} nodes a move")
    with ProcessPoolExecutor(args.jobs) as pool:
        for against in args.against:
            for side in Side:
                play = partial(fought, variant=args.variant, nodes=args.nodes, against=against)
                jobs = [(number, side) for number in range(args.battles)]
                report(side, against, list(pool.map(play, jobs)))
                if against == "itself":
                    break


if __name__ == "__main__":
    main()
