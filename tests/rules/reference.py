"""A deliberately slow reference move generator, written straight from the rules text."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

Square = tuple[int, int]
Board = dict[Square, str]

# The names of the 165 squares of the octagon, in reading order.
NAMES: dict[Square, str] = {
    (x, y): f"{file}{y}"
    for y in range(1, 16)
    for x, file in enumerate("ABCDEFGHJKLMNOP", start=1)
    if abs(x - 8) + abs(y - 8) <= 9
}
SQUARES = {name: square for square, name in NAMES.items()}
CLASSICS = ("classic", "single")
FAR_SIDE = [(6, 1), (7, 1), (8, 1), (9, 1), (10, 1)]
DIRECTIONS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]


def along(square: Square, direction: Square, distance: int) -> Square:
    """Return the square a number of steps away in a direction, on the board or not."""
    return square[0] + distance * direction[0], square[1] + distance * direction[1]


def is_edge(square: Square) -> bool:
    """Whether a square has an orthogonal neighbour off the board."""
    return not all(along(square, d, 1) in NAMES for d in [(0, -1), (-1, 0), (1, 0), (0, 1)])


def is_empty(board: Board, square: Square) -> bool:
    """Whether a square is on the board and empty."""
    return square in NAMES and square not in board


def parse(text: str) -> tuple[Board, str]:
    """Parse a valid position text into a board and the side to move."""
    ranks, side = text.split(" ")
    cells = re.sub(r"\d+", lambda run: "." * int(run.group()), ranks).replace("/", "")
    return {square: cell for square, cell in zip(NAMES, cells, strict=True) if cell != "."}, side


def write(board: Board, side: str) -> str:
    """Return the canonical position text of a board and the side to move."""
    ranks = []
    for y in range(1, 16):
        cells = "".join(board.get(square, ".") for square in NAMES if square[1] == y)
        ranks.append(re.sub(r"\.+", lambda run: str(len(run.group())), cells))
    return "/".join(ranks) + " " + side


def move_text(piece: str, origin: Square, to: Square, captured: Iterable[Square] = ()) -> str:
    """Return a move's text, with captured squares sorted by file and then rank."""
    taken = "".join("x" + NAMES[square] for square in sorted(captured))
    return f"{piece}{NAMES[origin]}-{NAMES[to]}{taken}"


def pieces(board: Board, letter: str) -> list[Square]:
    """List the squares with a kind of piece."""
    return [square for square, piece in board.items() if piece == letter]


def adjacent(board: Board, square: Square, letter: str) -> list[Square]:
    """List the squares next to a square with a kind of piece."""
    neighbours = [along(square, direction, 1) for direction in DIRECTIONS]
    return [neighbour for neighbour in neighbours if board.get(neighbour) == letter]


def line_length(board: Board, square: Square, direction: Square) -> int:
    """Count the same pieces in the unbroken line from here backwards along a direction."""
    length = 1
    while board.get(along(square, direction, -length)) == board[square]:
        length += 1
    return length


def slides(board: Board, origin: Square, direction: Square, limit: int) -> Iterator[Square]:
    """Yield the empty squares within a limit in one direction, up to the first obstacle."""
    for distance in range(1, limit + 1):
        square = along(origin, direction, distance)
        if not is_empty(board, square):
            return
        yield square


def all_slides(board: Board, origin: Square, limit: int) -> Iterator[Square]:
    """Yield the empty squares within a limit in all directions, up to the first obstacle."""
    for direction in DIRECTIONS:
        yield from slides(board, origin, direction, limit)


def subsets(squares: list[Square], smallest: int, largest: int) -> Iterator[tuple[Square, ...]]:
    """Yield every subset whose size lies between two bounds."""
    for size in range(smallest, largest + 1):
        yield from combinations(squares, size)


def classic_dwarf_moves(board: Board) -> Iterator[str]:
    """Yield the queen moves and the hurls of all dwarfs."""
    for origin in pieces(board, "d"):
        for to in all_slides(board, origin, 15):
            yield move_text("d", origin, to)
        for direction in DIRECTIONS:
            flight = line_length(board, origin, direction)
            clear = len(list(slides(board, origin, direction, flight)))
            target = along(origin, direction, clear + 1)
            if clear + 1 <= flight and board.get(target) == "T":
                yield move_text("d", origin, target, [target])


def classic_troll_moves(board: Board, most_by_step: int) -> Iterator[str]:
    """Yield all trolls' steps, which capture up to a number of dwarfs, and shoves."""
    for origin in pieces(board, "T"):
        for to in all_slides(board, origin, 1):
            dwarfs = adjacent(board, to, "d")
            for captured in subsets(dwarfs, 0, min(most_by_step, len(dwarfs))):
                yield move_text("T", origin, to, captured)
        for direction in DIRECTIONS:
            flight = line_length(board, origin, direction)
            for to in slides(board, origin, direction, flight if flight >= 2 else 0):
                dwarfs = adjacent(board, to, "d")
                for captured in subsets(dwarfs, 1, len(dwarfs)):
                    yield move_text("T", origin, to, captured)


def trapped(board: Board, dwarf: Square) -> list[Square]:
    """List the trolls between this dwarf and another one straight behind them."""
    trolls = adjacent(board, dwarf, "T")
    return [(x, y) for x, y in trolls if board.get((2 * x - dwarf[0], 2 * y - dwarf[1])) == "d"]


def koom_dwarf_moves(board: Board, football: bool) -> Iterator[str]:
    """Yield the queen moves of all dwarfs, with their captures unless it is football."""
    for origin in pieces(board, "d"):
        rest = {square: piece for square, piece in board.items() if square != origin}
        for to in all_slides(board, origin, 15):
            trolls = [] if football else trapped({**rest, to: "d"}, to)
            for captured in subsets(trolls, 0, len(trolls)):
                yield move_text("d", origin, to, captured)


def rock_moves(board: Board, limit: int) -> Iterator[str]:
    """Yield the moves of the stone, which has a dwarf beside it before and after."""
    (rock,) = pieces(board, "R")
    if adjacent(board, rock, "d"):
        for to in all_slides(board, rock, limit):
            if adjacent(board, to, "d"):
                yield move_text("R", rock, to)


def koom_troll_moves(board: Board, football: bool) -> Iterator[str]:
    """Yield the moves of all trolls, and their trampling unless it is football."""
    for origin in pieces(board, "T"):
        for to in all_slides(board, origin, 3):
            if not (football and is_edge(to)):
                yield move_text("T", origin, to)
        if not football:
            for to, captured in tramples(board, origin):
                yield move_text("T", origin, to, captured)


def tramples(board: Board, origin: Square) -> set[tuple[Square, frozenset[Square]]]:
    """Return every combination of square and captured dwarfs at which a trampling may stop."""
    start: tuple[Square, frozenset[Square]] = (origin, frozenset())
    visited = {start}
    waiting = [start]
    while waiting:
        square, captured = waiting.pop()
        gone = captured | {origin}
        now = {other: piece for other, piece in board.items() if other not in gone}
        for direction in DIRECTIONS:
            over, to = along(square, direction, 1), along(square, direction, 2)
            state = (to, captured | {over})
            if now.get(over) == "d" and is_empty(now, to) and state not in visited:
                visited.add(state)
                waiting.append(state)
    return visited - {start}


def all_moves(variant: str, board: Board, side: str) -> set[str]:
    """Generate the moves of the side to move, even if the battle is over."""
    football = variant == "football"
    if variant in CLASSICS and side == "d":
        return set(classic_dwarf_moves(board))
    if variant in CLASSICS:
        return set(classic_troll_moves(board, 1 if variant == "single" else 8))
    if side == "T":
        return set(koom_troll_moves(board, football))
    return {*koom_dwarf_moves(board, football), *rock_moves(board, 15 if football else 1)}


def decided(variant: str, board: Board, side: str) -> str | None:
    """Return a result that does not depend on moves: a goal reached, or none left to reach."""
    if variant in CLASSICS:
        return None
    (rock,) = pieces(board, "R")
    if rock in FAR_SIDE:
        return "dwarfs"
    if side == "d" and len(adjacent(board, rock, "T")) >= 3:
        return "trolls"
    if not pieces(board, "d") and len(pieces(board, "T")) < 3:
        return "draw"
    return None


def legal_moves(variant: str, text: str) -> set[str]:
    """Return all legal moves as canonical texts; none if the battle is over."""
    board, side = parse(text)
    return set() if decided(variant, board, side) else all_moves(variant, board, side)


def after(text: str, move: str) -> str:
    """Return the position text after a move given as canonical text."""
    board, side = parse(text)
    path, *captured = move[1:].split("x")
    origin, to = path.split("-")
    piece = board.pop(SQUARES[origin])
    for square in captured:
        del board[SQUARES[square]]
    board[SQUARES[to]] = piece
    return write(board, "T" if side == "d" else "d")


def ending(variant: str, text: str) -> str | None:
    """Return the result of a battle, None if it is not over."""
    board, side = parse(text)
    result = decided(variant, board, side)
    if result or all_moves(variant, board, side):
        return result
    dwarfs, trolls = len(pieces(board, "d")), len(pieces(board, "T"))
    if variant in CLASSICS:
        return f"{dwarfs}-{4 * trolls}"
    if side == "d":
        return "trolls" if trolls >= 3 else "draw"
    return "dwarfs" if dwarfs >= 1 else "draw"
