"""`thud replay`, `thud history` and `thud export`, and how a record is found."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from thud.records.atomic import write_atomic
from thud.records.files import format_records, read_file
from thud.records.intake import BadRecord
from thud.records.record import BattleRecord, Record
from thud.records.store import Store
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.rules.variants import VARIANTS


def opened(options: Namespace) -> Record:
    """Return the record that the options name: a file, or the id of a saved match.

    Of a file with a fault, the moves before it are returned, and the fault is told.

    Raises:
        ValueError: there is none, or nothing of it can be read.
    """
    path = Path(options.file)
    if not path.exists() and not path.suffix:
        return Store().load(options.file)
    variant = VARIANTS.get(getattr(options, "variant", None) or "")
    try:
        records = read_file(path, variant)
    except BadRecord as error:
        if error.partial is None:
            raise ValueError(f"{path}: {error}") from error
        print(f"thud: {path}: {error}; the moves before are kept", file=sys.stderr)
        return error.partial
    number = getattr(options, "match", 1)
    if not 1 <= number <= len(records):
        raise ValueError(f"{path} has {len(records)} matches, none is number {number}")
    return records[number - 1]


def place(record: Record, options: Namespace) -> tuple[BattleRecord, int]:
    """Return the battle and the number of moves played that the options name.

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
    return battle, ply


def replay(options: Namespace) -> None:
    """Replay a match on the board."""
    match = opened(options).match()
    from thud.commands.play import require_terminal, run

    require_terminal()
    from thud.tui.keeper import Keeper

    run(match, Keeper(Store()), replay=True)


def history(options: Namespace) -> None:
    """Print the finished matches and the totals of their players."""
    from thud.commands.tables import print_history

    print_history(Store(), options.name, VARIANTS.get(options.variant or ""))


def export(options: Namespace) -> None:
    """Write a record in another format, a position as a picture, or a battle as a moving one."""
    record = opened(options)
    if options.svg:
        _write(options.svg, _picture(record, options))
    if options.gif:
        _save_gif(record, options)
    if options.format or not (options.svg or options.gif):
        extension = f".{options.format or 'tgn'}"
        _write(options.output, format_records(extension, record, battle=options.battle))


def _write(name: str | None, text: str) -> None:
    if name in (None, "-"):
        sys.stdout.write(text)
        return
    path = Path(str(name))
    write_atomic(path, text.encode(), path.with_name(f".{path.name}.tmp"))


def _picture(record: Record, options: Namespace) -> str:
    from thud.pictures.svg import board_svg

    battle, ply = place(record, options)
    return board_svg(
        list(battle.positions())[ply],
        last=battle.moves[ply - 1] if ply else None,
        caption=_caption(record, battle, ply),
        flipped=options.flip,
        goals=record.variant.goals,
    )


def _caption(record: Record, battle: BattleRecord, ply: int) -> str:
    """Name the players, and the move that led to the position."""
    number = record.battles.index(battle) + 1
    dwarfs, trolls = record.commanders(number)
    who = f"{record.variant.title}: {dwarfs} (dwarfs) – {trolls} (trolls)"
    if not ply:
        return who
    before: Position = list(battle.positions())[ply - 1]
    return f"{who}\n{battle.turn(ply - 1)}. {move_text(before, battle.moves[ply - 1])}"


def _save_gif(record: Record, options: Namespace) -> None:
    from thud.pictures.gif import Frame, save_gif

    battle, last = place(record, options)
    frames = [
        Frame(position, battle.moves[ply - 1] if ply else None, _caption(record, battle, ply))
        for ply, position in enumerate(battle.positions())
        if ply <= last
    ]
    save_gif(Path(options.gif), frames)
