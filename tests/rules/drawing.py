"""Positions drawn in tests as text: a window of the board, with everything else empty."""

from __future__ import annotations

from thud.rules.geometry import Mask, mask_of, parse_square
from thud.rules.position import Position, Side


def drawn(drawing: str, to_move: str, stone: str = "H8") -> Position:
    """Parse a drawing: a line of file letters, then lines of a rank number and its squares.

    The letters are those of the position text, with `.` for an empty square and a blank for one off
    the board.  If the drawing does not show the stone, it is on the square `stone`.
    """
    files, *ranks = drawing.strip("\n").splitlines()
    found: dict[str, list[int]] = {"d": [], "T": [], "R": [], ".": []}
    for line in ranks:
        number, _, _ = line.strip().partition(" ")
        for column, file in enumerate(files):
            letter = line[column : column + 1].strip()
            if file.strip() and letter:
                found[letter].append(parse_square(f"{file}{number}"))
    (where,) = found["R"] or [parse_square(stone)]
    assert where not in found["."], "the stone stands on a square that is drawn empty"
    return Position(mask_of(*found["d"]), mask_of(*found["T"]), where, Side(to_move))


def mask(names: str) -> Mask:
    """Return the mask of squares named in a text: `"C4 C5"`."""
    return mask_of(*map(parse_square, names.split()))
