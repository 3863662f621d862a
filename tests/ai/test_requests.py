"""Requests to the compiled module: any of them is answered or refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from random import Random

import pytest

from ai.valley_positions import crowds
from ai.wandering import endgames, wander
from thud.ai.core import CoreSearcher, Instance, perft, position_line
from thud.ai.player import Limits
from thud.rules.geometry import BOARD, SQUARES, mask_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variant import perft as in_python
from thud.rules.variants import VARIANTS
from toy_variant import SKIRMISH
from variants import every_quick

START = position_line(VARIANTS["classic"].start)


def no_battle(variant: Variant) -> Iterator[Position]:
    """Yield positions that no battle reaches: no pieces, one side only, no room, next to none."""
    stone = variant.start.stone
    room = BOARD & ~(1 << stone)
    half = mask_of(*SQUARES[::2]) & room
    corner, other = mask_of(SQUARES[0]), mask_of(SQUARES[-1])
    masks = [
        (0, 0),
        (room, 0),
        (0, room),
        (half, room & ~half),
        (half, 0),
        (0, half),
        (corner, other),
        (room ^ corner, corner),
        (room ^ corner ^ other, corner),
        (corner, room ^ corner ^ other),
    ]
    for dwarfs, trolls in masks:
        for side in Side:
            yield Position(dwarfs, trolls, stone, side)


REFUSED = {
    "": "unknown request",
    "castle": 'unknown request "castle"',
    "search": "there is no position",
    f"search\nposition {START}\ndepth 1\nhash 16": '"hash 16" is malformed',
    f"search\nvariant chess\nposition {START}": '"variant chess" is malformed',
    "search\nposition d1 T1 R1 >d": "is no position",
    "search\nposition": "is no position",
    "search\nposition \0\u00e9": "is no position",
    f"search\nposition {START}\nbefore x": "is no position",
    f"search\nposition {START}\nnodes -1": '"nodes -1" is malformed',
    f"search\nposition {START}\nnodes {2**64}": "is malformed",
    f"search\nposition {START}\ndepth {2**31}": "is malformed",
    f"search\nposition {START}\nlines": "is malformed",
    f"search\nposition {START}\nturned 8": '"turned 8" is malformed',
    f"search\nposition {START}\nwithout 5-300": "is malformed",
    f"search\nvariant koom\nposition d0 T0 R{1 << 5:x} >d": "the battle is over",
    f"perft\nposition {START}\ndepth 61": "the depth is between 0 and 60",
    f"perft\nposition {START}\ndepth -1": "the depth is between 0 and 60",
    "weights": 'unknown request "weights"',
    f"evaluate\nposition {START}\nweight": "is malformed",
}


def test_what_is_malformed_is_refused_and_the_next_request_answered() -> None:
    core = Instance()
    for request, why in REFUSED.items():
        with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared below
            core.ask(request)
        assert why in str(refused.value)
        assert core.usable
    assert core.ask(f"search\nposition {START}\nnodes 0\nlines 0")["thought"]["line"]


@every_quick
def test_no_request_is_too_odd(variant: Variant, full: bool) -> None:
    """Random lines, most of them sound: each is answered or refused, and no request traps."""
    core, chance, answered = Instance(), Random(1), 0
    numbers = ("0", "1", "2", "60", "1000", str(2**63), "-1", "x", "")
    starts = [*no_battle(variant), *wander(variant, 5, 60)]
    for _ in range(2_000 if full else 250):
        lines = [chance.choice(("search", "search", "search", "evaluate", "perft"))]
        lines += [f"variant {variant.name}"]
        lines += ["nodes 300"] if lines[0] == "search" else ["depth 2"]
        for position in chance.choices(starts, k=chance.choice((1, 1, 1, 0, 3))):
            lines.append(f"position {position_line(position)}")
        for _ in range(chance.choice((0, 1, 3))):
            words = (
                "lines",
                "before",
                "without",
                "microseconds",
                "full",
                "shuffled",
                "turned",
            )
            word = chance.choice(words)
            values = {"before": position_line(chance.choice(starts)), "without": "5-6 85-100x101"}
            lines.append(f"{word} {values.get(word) or chance.choice(numbers)}")
        try:
            assert core.ask("\n".join(lines), chance=chance)
            answered += 1
        except ValueError:
            continue
    assert answered > 50


@every_quick
def test_a_position_that_no_battle_reaches_is_searched_all_the_same(
    variant: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    for position in no_battle(variant):
        if variant.legal_moves(position) and not variant.outcome(position):
            for limits in (Limits(nodes=0), Limits(nodes=600), Limits(nodes=20_000, depth=1)):
                found = CoreSearcher(variant, 1).search([position], limits)
                variant.check(position, found.move)
    assert capsys.readouterr().err == ""


@every_quick
def test_it_counts_the_moves_that_the_rules_count(variant: Variant, full: bool) -> None:
    battles = chain.from_iterable(wander(variant, seed, 150, 0.5) for seed in range(5))
    positions = (
        battles if variant.counts_points else chain(battles, islice(crowds(variant), 0, None, 5))
    )
    for position in islice(positions, 0, None, 1 if full else 7):
        assert perft(variant, position, 1, 1) == variant.count_moves(position)
    for position in no_battle(variant):
        # None if there are too many moves: then the rules count.
        assert perft(variant, position, 1, 1) in (variant.count_moves(position), None)


@every_quick
def test_it_counts_sequences_of_moves_on_any_number_of_threads(variant: Variant) -> None:
    for position in Random(7).sample(wander(variant, 3, 80), 2):
        assert perft(variant, position, 2, 1) == in_python(variant, position, 2)
    position = next(endgames(variant, 9, (2, 2)))
    assert perft(variant, position, 4, 1) == perft(variant, position, 4, 3)


def test_what_it_does_not_know_it_leaves_to_the_rules() -> None:
    start = VARIANTS["classic"].start
    assert perft(SKIRMISH, SKIRMISH.start, 1, 1) is None
    for position in (
        start._replace(dwarfs=start.dwarfs | 1 << 300),
        start._replace(dwarfs=-1),
        start._replace(dwarfs=start.trolls),
        start._replace(dwarfs=start.dwarfs | 1),
        start._replace(stone=400),
    ):
        assert perft(VARIANTS["classic"], position, 1, 1) is None
