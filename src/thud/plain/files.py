"""A match written to a file that the player names, and read from one."""

from __future__ import annotations

from os.path import expanduser
from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic
from thud.records.files import read_match, write_file
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match

_PICTURE: Final = ".svg"


def save(record: Record, name: str) -> str:
    """Write a match to a new file, or a picture of its position; return what there is to say.

    Raises:
        ValueError: it cannot be written; the message says why.
    """
    path = Path(expanduser(name))
    try:
        if not path.suffix:
            path = path.with_name(f"{path.name}.tgn")
        if path.suffix.lower() == _PICTURE:
            _save_picture(path, record)
        else:
            write_file(path, record, battle=len(record.battles))
    except FileExistsError as error:
        raise ValueError(f"{path} is there already: nothing was written") from error
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror or error}") from error
    return f"saved as {path}"


def _save_picture(path: Path, record: Record) -> None:
    from thud.pictures.svg import board_svg

    if path.exists():
        raise FileExistsError
    battle = record.battles[-1]
    *_, position = battle.positions()
    last = battle.moves[-1] if battle.moves else None
    caption = f"{record.variant.title}: {' – '.join(record.players)}"
    text = board_svg(position, last=last, caption=caption, goals=record.variant.goals)
    write_atomic(path, text.encode())


def opened(name: str, store: Store) -> tuple[Record, Match, str]:
    """Read a record from a file, or of a saved match, as far as it can be read.

    Returns:
        The record, its match, and its fault, which is empty if it has none.

    Raises:
        ValueError: nothing of it can be read; the message says why.
    """
    path = Path(expanduser(name))
    if path.exists() or path.suffix:
        record, fault = read_match(path)
    else:
        record, fault = store.load(name), ""
    return record, record.match(), fault
