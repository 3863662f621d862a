"""Search by material: battles in which so many dwarfs and trolls are left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from thud.explore.files import Where, line_of, records_of
from thud.explore.library import MOST_SAMPLES, Sample
from thud.rules.variant import Variant
from thud.text import counted, quoted

_WRITTEN: Final = re.compile(
    r"(\d{1,3})(?:\s*dwarfs?)?(?:\s*(?:[,:/-]|and|to|against)\s*|\s+)(\d{1,3})(?:\s*trolls?)?",
    re.ASCII | re.IGNORECASE,
)


class Material(NamedTuple):
    """Numbers of dwarfs and trolls."""

    dwarfs: int
    trolls: int

    def __str__(self) -> str:
        """Return it as text, such as `24 dwarfs and one troll`."""
        return f"{counted(self.dwarfs, 'dwarf')} and {counted(self.trolls, 'troll')}"


def parse_material(text: str) -> Material:
    """Parse numbers of pieces, such as `24 1`, `24:1` or `24 dwarfs, 1 troll`.

    Raises:
        ValueError: the text has no such numbers.
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        instead = f", not {quoted(text)}" if text else ""
        raise ValueError(f"say how many dwarfs and trolls, such as 24 1{instead}")
    return Material(int(match[1]), int(match[2]))


def battles_with(
    paths: Iterable[Path],
    variant: Variant,
    material: Material,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Sample]:
    """Return battles of a variant that have some material, with where they first have it.

    At most `MOST_SAMPLES`.  Files and matches that cannot be read are passed over.

    Args:
        paths: the files.
        variant: the game.
        material: the pieces.
        stopped: polled before each file; True ends the search.
    """
    found = list[Sample]()
    for path in paths:
        if stopped() or len(found) >= MOST_SAMPLES:
            break
        try:
            records, _ = records_of(path, variant)
        except (OSError, ValueError):
            continue
        for match, record in records.items():
            if record.variant is not variant:
                continue
            for number, battle in enumerate(record.battles, 1):
                for ply, position in enumerate(battle.positions()):
                    if material == (position.dwarfs.bit_count(), position.trolls.bit_count()):
                        margin = battle.outcome.margin if battle.outcome else None
                        found.append(
                            Sample(path, Where(match, number, ply), line_of(record, battle), margin)
                        )
                        break
    return found[:MOST_SAMPLES]
