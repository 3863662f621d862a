"""Match files to index, and a slow reference count of the moves played in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from records.matches import random_match
from rules.test_symmetry import SYMMETRIES, mapped, mapped_move, of_variant
from thud.records.record import Record
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


def played(*moves: str, variant: str = "classic", over: bool = True) -> Record:
    """Return a match whose first battle has the given moves, ended by agreement if `over`."""
    match = Match(VARIANTS[variant], ("Ann", "Bob"))
    for text in moves:
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    if over:
        match.battle.agree()
    return Record.of(match)


def some(variant: Variant, count: int, seed: int = 1) -> list[Record]:
    """Return random matches."""
    rng = Random(seed)
    return [Record.of(random_match(variant, rng)) for _ in range(count)]


def write(path: Path, *records: Record) -> None:
    """Write a file of matches."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(tgn_text(*records), encoding="utf-8")


def battles_with(
    records: Iterable[Record], variant: Variant, position: Position, move: Move
) -> Sequence[float | None]:
    """Return the margins of battles where a move followed a position's first occurrence.

    Positions and moves count in every orientation.
    """
    turns = [SYMMETRIES[name] for name in of_variant(variant)]
    wanted = {mapped(turn, position) for turn in turns}
    alike = {(mapped(turn, position), mapped_move(turn, move)) for turn in turns}
    margins = []
    for battle in (each for one in records if one.variant is variant for each in one.battles):
        made = zip(battle.positions(), battle.moves, strict=False)
        first = next((each for each in made if each[0] in wanted), None)
        if first in alike:
            margins.append(battle.outcome and battle.outcome.margin)
    return margins
