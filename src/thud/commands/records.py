"""`thud replay`, `thud history` and `thud export`, and how a record is found."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import NamedTuple

from thud.records.files import WRITABLE, format_records, read_match, write_text
from thud.records.record import BattleRecord, Record
from thud.records.store import Store
from thud.rules.geometry import shown
from thud.rules.notation import move_text
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


def opened(options: Namespace) -> tuple[Record, str]:
    """Return the record that the options name: a file, or the id of a saved match.

    Of a file with a fault, the moves before it are returned, and what the fault is.

    Raises:
        ValueError: there is none, or nothing of it can be read.
    """
    path = Path(options.file)
    variant = VARIANTS.get(getattr(options, "variant", None) or "")
    if not path.exists() and not path.suffix:
        return _of(Store().load(options.file), variant), ""
    try:
        record, fault = read_match(path, variant, getattr(options, "match", 1))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return _of(record, variant), f"{path}: {fault}" if fault else ""


def _of(record: Record, variant: Variant | None) -> Record:
    """Pass a record of a variant, or of any if that is None."""
    if variant not in (None, record.variant):
        raise ValueError(f"the record is of {record.variant.name}")
    return record


def opened_with_warning(options: Namespace) -> Record:
    """Return the record that the options name; tell a fault on standard error."""
    record, fault = opened(options)
    if fault:
        print(f"thud: {fault}", file=sys.stderr)
    return record


class Place(NamedTuple):
    """A place in a record: the battle, its number, and how many of its moves are played."""

    battle: BattleRecord
    number: int
    ply: int


def place(record: Record, options: Namespace) -> Place:
    """Return the place that the options name.

    Raises:
        ValueError: the record has no such place.
    """
    count = len(record.battles)
    number = count if options.battle is None else options.battle
    if not 1 <= number <= count:
        raise ValueError(f"the record has no battle {number}")
    battle = record.battles[number - 1]
    ply = len(battle.moves) if options.ply is None else options.ply
    if not 0 <= ply <= len(battle.moves):
        raise ValueError(f"battle {number} has no ply {ply}, the last is {len(battle.moves)}")
    return Place(battle, number, ply)


def replay(options: Namespace) -> None:
    """Replay a match on the board."""
    from thud.commands.play import require_terminal, run

    record, fault = opened(options)
    require_terminal()
    from thud.tui.app import ThudApp
    from thud.tui.keeper import Keeper

    keeper = Keeper(Store())
    run(ThudApp(record.match(), keeper, replay=record, notice=fault), keeper)


def history(options: Namespace) -> None:
    """Print the finished matches and the totals of their players."""
    from thud.commands.tables import print_history

    print_history(Store(), options.name, VARIANTS.get(options.variant or ""))


def export(options: Namespace) -> None:
    """Write a record in another format, a position as a picture, or a battle as a moving one."""
    record = opened_with_warning(options)
    if options.svg:
        _write(options.svg, _picture(record, options), options)
    if options.gif:
        _save_gif(record, options)
    if options.format or options.output or not (options.svg or options.gif):
        text = format_records(_extension(options), record, battle=options.battle)
        _write(options.output, text, options)


def _extension(options: Namespace) -> str:
    """Return the extension of the format: what was said, else that of the output, else `.tgn`."""
    if options.format:
        return f".{options.format}"
    extension = Path(options.output or "").suffix.lower() or ".tgn"
    if extension in {".svg", ".gif"}:
        raise ValueError(f"a picture is written by --{extension[1:]} {shown(options.output)}")
    if extension not in WRITABLE:
        raise ValueError(f"there is no format {shown(extension)}: --format says which to write")
    return extension


def _write(name: str | None, text: str, options: Namespace) -> None:
    if name in (None, "-"):
        # The same bytes as in a file, whatever the screen can show: it may be read again.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        return
    path = Path(str(name))
    _refuse_existing(path, options)
    try:
        write_text(path, text)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _refuse_existing(path: Path, options: Namespace) -> None:
    if path.is_file() and not options.force:
        raise ValueError(f"{path} is there already: --force replaces it")


def _cannot_write(path: Path, error: OSError) -> ValueError:
    return ValueError(f"{path} cannot be written: {error.strerror or error}")


def _picture(record: Record, options: Namespace) -> str:
    from thud.pictures.svg import board_svg

    battle, number, ply = place(record, options)
    positions = list(battle.positions())
    return board_svg(
        positions[ply],
        last=battle.moves[ply - 1] if ply else None,
        caption=_captions(record, battle, number)[ply],
        flipped=options.flip,
        goals=record.variant.goals,
    )


def _captions(record: Record, battle: BattleRecord, number: int) -> list[str]:
    """Name the players and the move that led there, for every position of a battle."""
    dwarfs, trolls = record.commanders(number)
    who = f"{dwarfs} (dwarfs) – {trolls} (trolls)"
    moves = zip(battle.positions(), battle.moves, strict=False)
    texts = (f"{battle.turn(ply)}. {move_text(*move)}" for ply, move in enumerate(moves))
    return [who, *(f"{who} · {text}" for text in texts)]


def _save_gif(record: Record, options: Namespace) -> None:
    from thud.pictures.gif import Frame, save_gif

    battle, number, last = place(record, options)
    frames = [
        Frame(*frame)
        for frame in zip(
            battle.positions(),
            (None, *battle.moves),
            _captions(record, battle, number),
            strict=True,
        )
    ]
    path = Path(options.gif)
    try:
        _refuse_existing(path, options)
        save_gif(path, frames[: last + 1], flipped=options.flip, goals=record.variant.goals)
    except OSError as error:
        raise _cannot_write(path, error) from error
