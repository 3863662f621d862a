"""A match for elsewhere: as a file, as text and as a picture."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from thud.records.files import read_file, write_file
from thud.records.intake import BadRecord
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.notation import move_text


def record_of(match: Match) -> Record:
    """Return the record of a match, dated today."""
    return Record.of(match, date=date.today().isoformat())


def proposed_name(match: Match) -> str:
    """Return a name for a file of the match."""
    return f"thud-{match.variant.name}-{date.today().isoformat()}.tgn"


def save_as(match: Match, name: str) -> str:
    """Write a match to a new `.tgn`, `.thud` or `.json` file; return what there is to say."""
    try:
        write_file(Path(name).expanduser(), record_of(match), battle=match.number)
    except FileExistsError:
        return f"{name} is there already: nothing was written"
    except (ValueError, OSError) as error:
        return f"not saved: {error}"
    return f"saved as {name}"


def open_file(name: str) -> Match | str:
    """Read a match from a file, as far as it can be; return it, or why there is none."""
    try:
        return read_file(Path(name).expanduser())[0].match()
    except BadRecord as error:
        return error.partial.match() if error.partial else f"not opened: {error}"
    except OSError as error:
        return f"not opened: {error.strerror or error}"
    except ValueError as error:
        return f"not opened: {error}"


def moves_text(match: Match) -> str:
    """Return the moves of the battle, one a line."""
    battle = match.battle
    pairs = zip(battle.positions, battle.moves, strict=False)
    return "\n".join(move_text(position, move) for position, move in pairs)


def picture(match: Match, *, flipped: bool) -> str:
    """Return an SVG picture of the position."""
    from thud.pictures.svg import board_svg

    battle = match.battle
    return board_svg(
        battle.position,
        last=battle.moves[-1] if battle.moves else None,
        caption=f"{match.variant.title}: {' – '.join(match.players)}",
        flipped=flipped,
        goals=match.variant.goals,
    )
