"""Where a battle left what the computer's battles know."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from thud.explore.files import corpus_of
from thud.explore.library import CannotIndex, Library
from thud.explore.zobrist import key_of
from thud.records.record import BattleRecord
from thud.rules.notation import move_text
from thud.rules.variant import Variant
from thud.text import capitalised, counted, plural


def left_known(variant: Variant, battle: BattleRecord, cache: Path) -> str:
    """Say how far the computer's battles go along with a battle, and what they do then.

    Mirrored and turned positions count as the same.  Empty if the battle has an unusual start or
    no move, or if the index of the computer's battles cannot be used.

    Args:
        variant: the game.
        battle: the battle.
        cache: the index's directory.
    """
    if battle.start != variant.start or not battle.moves or not corpus_of(variant).exists():
        return ""
    positions = list(battle.positions())
    with closing(Library([corpus_of(variant)], cache)) as library:
        try:
            library.update()
            for known, position in enumerate(positions):
                played = library.played(variant, position)
                went_to = {key_of(variant, position.after(each.move)).number for each in played}
                then = positions[known + 1 : known + 2]
                if not then or key_of(variant, then[0]).number not in went_to:
                    break
        except CannotIndex:
            return ""
    along = f"Playing itself, the computer has begun the same way for {counted(known, 'move')}"
    if not known:
        along = "Playing itself, the computer has never begun like this"
    if known == len(battle.moves) or not played:
        return f"{along}."
    first, of = played[0], sum(each.number for each in played)
    most = move_text(positions[known], first.move)
    share = f"{first.number} of {of} {plural(of, 'battle')}"
    go_on = "it went on" if known else "it began"
    if (others := played[1:]) and all(first.number > other.number for other in others):
        go_on = f"most often {go_on}"
    return f"{along}. {capitalised(go_on)} with {most} ({share})."
