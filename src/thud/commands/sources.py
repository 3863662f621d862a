"""What a command line names: a position, or a match to go on with."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

if TYPE_CHECKING:
    from thud.records.record import Record


def chosen(options: Namespace) -> tuple[Variant, Position]:
    """Return the variant and the position that the options name, or the variant's start."""
    variant = VARIANTS[options.variant or "classic"]
    if options.position is None:
        return variant, variant.start
    return variant, variant.position(options.position)


def source(options: Namespace) -> tuple[Record, str]:
    """Return the record that --from names, as far as it can be read, and its fault.

    Raises:
        ValueError: nothing of it can be read, its match is over, or other options contradict it.
    """
    if options.position is not None or options.names is not None:
        raise ValueError("--from takes position and names from the record")
    from thud.commands.records import opened

    options.file = options.source
    record, fault = opened(options)
    if record.over:
        raise ValueError(
            f"that match is over: 'thud replay {options.source}' plays on from any of its moves"
        )
    return record, fault
