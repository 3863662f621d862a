"""`thud replay`, `thud history` and `thud export`."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from thud.commands import launch
from thud.commands.sources import (
    excerpt,
    library,
    name_of_saved,
    opened,
    opened_with_warning,
)
from thud.records.excerpt import Excerpt
from thud.records.files import write_file
from thud.records.formats import FORMATS, USUAL, Format, format_of
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.position import Move
from thud.rules.variants import VARIANTS
from thud.settings.values import CARVED

_THEME: Final = "koom-valley"
"""Whose pieces are drawn where no theme is asked for."""


def replay(options: Namespace) -> None:
    """Replay a match on the board."""
    record, fault = opened(options)
    launch.require_terminal()
    from thud.tui.app import ThudApp

    name = name_of_saved(options)
    others = partial(library, [] if name else [options.file])
    launch.run(
        ThudApp(replay=record, replay_name=name, library=others, store=Store(), notice=fault)
    )


def history(options: Namespace) -> None:
    """Print the finished matches and the totals of their players, or let ratings begin anew."""
    if options.reset_rating:
        _reset_rating(options)
        return
    from thud.commands.tables import print_history

    print_history(Store(), options.name, VARIANTS.get(options.variant or ""))


def _reset_rating(options: Namespace) -> None:
    from thud.strength.kept import begin_anew

    if options.variant:
        raise ValueError("a rating is of all games: leave --variant out")
    names = begin_anew(Store(), options.name)
    whose = "rating begins" if len(names) == 1 else "ratings begin"
    print(f"{len(names)} {whose} anew with the next match; the matches are all kept.")


def export(options: Namespace) -> None:
    """Write a record in another format, a position as a picture, or a battle as a moving one."""
    record = opened_with_warning(options)
    if options.no_judgements:
        from thud.review.judged import without_judgements

        record = without_judgements(record)
    place = _looked(record, options)
    for kind, name in _outputs(options):
        _write(record, kind, name, place, overwrite=options.force)


def _looked(record: Record, options: Namespace) -> Excerpt:
    """Return the part that is meant, and how a picture of it looks."""
    place = excerpt(options)
    if options.theme or options.pieces:
        from thud.tui.board.designs import design_named

        stone = record.variant.stone
        design = design_named(options.theme or _THEME, options.pieces or CARVED, stone)
        # Who asks for no theme has the colours of pictures.
        place = place._replace(design=design if options.theme else design._replace(colours={}))
    if options.arrows in ("hint", "both"):
        place = place._replace(advised=_advised(record, place))
    return place._replace(arrow=options.arrows in ("last", "both"))


def _advised(record: Record, place: Excerpt) -> Move | None:
    """Return what the best computer would do there; nothing where nobody can move."""
    from thud.editing.judging import judged
    from thud.rules.setup import Setup

    position = place.of(record).position
    if record.variant.outcome(position):
        return None
    return asyncio.run(judged(Setup(record.variant, position))).move


def _outputs(options: Namespace) -> Iterator[tuple[Format, str]]:
    """Yield what is to be written, each with its format; `-` is the screen."""
    for kind in "svg", "png", "gif":
        if name := getattr(options, kind):
            yield FORMATS[f".{kind}"], name
    if options.format or options.output or not (options.svg or options.png or options.gif):
        yield _format(options), options.output or "-"


def _format(options: Namespace) -> Format:
    """Return the format: what was said, else that of the output, else the usual one."""
    if options.format:
        return FORMATS[f".{options.format}"]
    path = Path(options.output or "")
    return format_of(path) if path.suffix else FORMATS[USUAL]


def _write(record: Record, kind: Format, name: str, place: Excerpt, *, overwrite: bool) -> None:
    if name == "-":
        # The same bytes as in a file, whatever the screen can show: it may be read again.
        sys.stdout.flush()
        kind.write(sys.stdout.buffer, [record], place)
        return
    try:
        write_file(Path(name), record, excerpt=place, overwrite=overwrite, kind=kind)
    except FileExistsError as error:
        raise ValueError(f"{name} is there already: --force replaces it") from error
    except OSError as error:
        raise ValueError(f"{name} cannot be written: {error.strerror or error}") from error
