"""What is said of how pieces stand is so, by the rules alone, in positions of every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import or_
from random import Random

import pytest

from thud.rules.battle import Battle
from thud.rules.formation import weakness
from thud.rules.geometry import SQUARES, distance, listed, square_name
from thud.rules.position import Position, Side
from thud.rules.tactics import OF_FORMATION, Compared, Fault
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.text import counted, spelled
from thud.words.formation import describe_weakness
from variants import TOLD

WORDS = {"none": 0, "no": 0} | {spelled(number): number for number in range(40)}


def choices(variant: Variant, seed: int) -> Iterator[Compared]:
    """Yield pairs of moves in positions of battles played at random, captures first."""
    random = Random(seed)
    while True:
        battle = Battle(variant)
        for _ in range(random.randrange(2, 60)):
            moves = variant.legal_moves(battle.position)
            takes = [move for move in moves if move.captures]
            battle.play(random.choice(takes if takes and random.random() < 0.7 else moves))
            if battle.outcome:
                break
        if battle.outcome:
            continue
        moves = variant.legal_moves(battle.position)
        move, best = random.choices(moves, k=2)
        yield Compared(battle.position, move, best, None)


def open_to(variant: Variant, position: Position, side: Side) -> dict[int, int]:
    """Return where a side could capture without an answer, with the most victims, move by move."""
    turn, found = position._replace(to_move=side), dict[int, int]()
    for move in variant.legal_moves(turn):
        if move.captures:
            replies = variant.legal_moves(turn.after(move))
            if not any(reply.captures >> move.destination & 1 for reply in replies):
                most = max(found.get(move.destination, 0), move.captures.bit_count())
                found[move.destination] = most
    return found


def in_danger(variant: Variant, position: Position, side: Side) -> int:
    """Return how many pieces of a side the other could capture, if it is its turn."""
    if variant.outcome(position):
        return 0
    moves = variant.legal_moves(position._replace(to_move=side.other))
    return (reduce(or_, (move.captures for move in moves), 0) & position.pieces(side)).bit_count()


def groups(pieces: int) -> list[set[int]]:
    """Return the groups of pieces that touch, by distances."""
    found: list[set[int]] = []
    for square in (each for each in SQUARES if pieces >> each & 1):
        near = [group for group in found if any(distance(square, other) == 1 for other in group)]
        found = [group for group in found if group not in near]
        found.append({square}.union(*near))
    return found


def check(variant: Variant, compared: Compared) -> Fault:
    position, move, best, _ = compared
    after, instead, side = position.after(move), position.after(best), position.to_move
    found, words = weakness(variant, compared), describe_weakness(variant, compared)
    assert found in OF_FORMATION
    three = position, after, instead
    numbers = [WORDS[word] for word in re.findall(r"\w+", words.lower()) if word in WORDS]
    if found is Fault.LEAVES_OPEN:
        one, other = (open_to(variant, each, Side.TROLLS) for each in (after, instead))
        (where, number) = next(
            (s, n) for s, n in one.items() if f" {square_name(s)} and capture" in words
        )
        assert counted(number, "dwarf") in words
        assert number > other.get(where, 0)
    elif found is Fault.BREAKS_BLOCK:
        before, then, better = (max(map(len, groups(each.dwarfs)), default=0) for each in three)
        assert numbers[:2] == [before, then]
        assert then < before <= better
    elif found is Fault.OPENS_MORE:
        before, then, better = (len(open_to(variant, each, Side.TROLLS)) for each in three)
        assert numbers == [then, before]
        assert better <= before < then
    elif found is Fault.STRAYS:
        lone = [{min(g) for g in groups(each.dwarfs) if len(g) == 1} for each in three]
        strayed = reduce(or_, (1 << square for square in lone[1] - lone[0]))
        assert re.match(f"The dwarfs? on {listed(strayed)} ha", words)
        assert not lone[2] - lone[0]
    elif found is Fault.FORGOES_BLOCK:
        before, then, better = (max(map(len, groups(each.dwarfs)), default=0) for each in three)
        assert numbers == [then, better]
        assert then == before < better
    elif found is Fault.EXPOSES:
        before, then, better = (in_danger(variant, each, side) for each in three)
        assert numbers == [then, better]
        assert better < before <= then
    else:
        before, then, better = (in_danger(variant, each, side.other) for each in three)
        assert numbers == [then, better]
        assert then <= before < better
    assert found
    return found


@pytest.mark.parametrize("name", TOLD)
def test_what_is_said_of_how_pieces_stand_is_so(name: str, full: bool) -> None:
    """In 500 positions of each game in the slow run; in Football nobody is captured."""
    variant, found = VARIANTS[name], Counter[Fault]()
    for compared in islice(choices(variant, 68), 500 if full else 12):
        if weakness(variant, compared):
            found[check(variant, compared)] += 1
    wanted = OF_FORMATION if variant.counts_points else {Fault.EXPOSES, Fault.FORGOES_THREAT}
    if full:
        assert set(found) == (set() if name == "football" else wanted)
