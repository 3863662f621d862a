"""Plays in a terminal by sending terminal sequences, and reads the board off the screen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from terminal.emulator import Terminal
from thud.rules.battle import Battle
from thud.rules.geometry import FILES, SQUARES, Square, parse_square, rank_of, square_name
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.tui.board.cursor import nearest
from tui.driver import path

NUMPAD: Final = {
    "7": "\x1b[H",
    "8": "\x1b[A",
    "9": "\x1b[5~",
    "4": "\x1b[D",
    "6": "\x1b[C",
    "1": "\x1b[F",
    "2": "\x1b[B",
    "3": "\x1b[6~",
}
"""The numpad's sequences without NumLock, by digit; 8, 4, 6 and 2 are the arrows."""

APPLICATION: Final = NUMPAD | {"8": "\x1bOA", "4": "\x1bOD", "6": "\x1bOC", "2": "\x1bOB"}
"""The same with the arrow keys in application mode."""

ENTER: Final = "\r"

_HEADER: Final = re.compile(r"\bF(\W+)G\1H\1J\1K\b")
"""The file letters above and below the board, whatever is drawn between them."""
_STONES: Final = {"S": "R", "B": "R"}
"""Maps the board's letters of Thudstone and Ball to the stone's letter in a position."""
_RANK: Final = re.compile(r"\s*(\d{1,2})(?=\D)")


def settings(directory: Path) -> dict[str, str]:
    """Return an environment with its files in a directory, and settings for ASCII letters."""
    (directory / "settings.toml").write_text('pieces = "letters"\nascii = true\n')
    return {"THUD_DATA_DIR": str(directory / "data"), "THUD_CONFIG_DIR": str(directory)}


def pieces(position: Position) -> dict[str, str]:
    """Return the letters of a position's pieces by square name."""
    letters = {square_name(square): position.letter_at(square) for square in SQUARES}
    return {name: letter for name, letter in letters.items() if letter}


class Player:
    """Plays a battle in a terminal.

    Args:
        terminal: the program's terminal.
        battle: the battle; moves are also played in it.
    """

    def __init__(self, terminal: Terminal, battle: Battle) -> None:
        self.terminal = terminal
        self.battle = battle
        movable = {move.origin for move in battle.variant.legal_moves(battle.position)}
        self.cursor: Square = nearest(parse_square("H8"), movable)

    @property
    def places(self) -> dict[str, tuple[int, int]]:
        """Column and line of each square on the screen; empty if there is no board."""
        lines = self.terminal.lines
        header = next((found for line in lines if (found := _HEADER.search(line))), None)
        if header is None:
            return {}
        width = 1 + len(header[1])
        first = header.start() - width * FILES.index("F")
        columns = {letter: first + width * number for number, letter in enumerate(FILES)}
        ranks = {int(found[1]): y for y, line in enumerate(lines) if (found := _RANK.match(line))}
        names = (square_name(square) for square in SQUARES if rank_of(square) in ranks)
        return {name: (columns[name[0]], ranks[int(name[1:])]) for name in names}

    @property
    def shown(self) -> dict[str, str]:
        """The letters of the pieces on the screen, by square name."""
        lines = self.terminal.lines
        letters = {name: lines[y][x] for name, (x, y) in self.places.items()}
        shown = {name: _STONES.get(letter, letter) for name, letter in letters.items()}
        return {name: letter for name, letter in shown.items() if letter in "dTR"}

    def wait_for_board(self) -> None:
        """Wait until the board on the screen shows exactly the battle's position."""
        expected = pieces(self.battle.position)
        self.terminal.wait_for(lambda: self.shown == expected)

    def play(self, how: Callable[[Player, Move], None], move: Move) -> None:
        """Play a move by a given method, and wait until the screen shows it."""
        how(self, move)
        self.battle.play(move)
        self.cursor = move.destination
        self.wait_for_board()

    def go_to(self, square: Square, keys: Mapping[str, str] = NUMPAD) -> None:
        """Move the cursor with the numpad, without waiting for frames."""
        self.terminal.send(*(keys[digit] for digit in path(self.cursor, square)))
        self.cursor = square

    def mouse(self, button: int, square: Square, *, pressed: bool = True) -> None:
        """Send a mouse event in SGR mode."""
        x, y = self.places[square_name(square)]
        self.terminal.send(f"\x1b[<{button};{x + 1};{y + 1}{'M' if pressed else 'm'}")

    def click(self, square: Square) -> None:
        """Click a square."""
        self.mouse(0, square)
        self.mouse(0, square, pressed=False)


def by_numpad(player: Player, move: Move) -> None:
    """Play with the cursor and Enter."""
    for square in (move.origin, move.destination):
        player.go_to(square)
        player.terminal.send(ENTER)


def by_application_keys(player: Player, move: Move) -> None:
    """Play with the cursor, with arrow keys in application mode, and the space bar."""
    for square in (move.origin, move.destination):
        player.go_to(square, APPLICATION)
        player.terminal.send(" ")


def by_clicks(player: Player, move: Move) -> None:
    """Play with two clicks."""
    player.click(move.origin)
    player.click(move.destination)


def by_dragging(player: Player, move: Move) -> None:
    """Play by dragging: press, move with the button held, release."""
    player.mouse(0, move.origin)
    player.mouse(32, move.destination)
    player.mouse(0, move.destination, pressed=False)


def by_text(player: Player, move: Move) -> None:
    """Play by typing the move."""
    player.terminal.send(":", move_text(player.battle.position, move), ENTER)


def plain_moves(battle: Battle) -> list[Move]:
    """List the moves determined by their origin and destination alone."""
    moves = battle.variant.legal_moves(battle.position)
    ends = Counter((move.origin, move.destination) for move in moves)
    return [move for move in moves if ends[move.origin, move.destination] == 1]
