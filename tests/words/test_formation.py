"""What is said of how dwarfs stand is true on the board."""

import re

from thud.exercises.lessons.model_battles import model_battles
from thud.rules.geometry import distance, mask_of, parse_square, squares_of
from thud.rules.position import Position, Side
from thud.rules.variants import VARIANTS
from thud.text import counted, spelled
from thud.words.formation import formation_in_words


def positions_of_games() -> list[Position]:
    """Return every position of the model battles in which pieces count."""
    found = list[Position]()
    for model in model_battles():
        if model.variant is VARIANTS["classic"]:
            found += [p for battle in model.record().battles for p in battle.positions()]
    return found


def test_what_is_said_of_formations_is_true_in_the_positions_of_games(full: bool) -> None:
    """By the legal moves alone, and by blocks grown from each dwarf."""
    classic, told = VARIANTS["classic"], 0
    for position in positions_of_games()[:: 1 if full else 29]:
        first, *more = formation_in_words(classic, position)
        sizes = {block.bit_count(): block for block in grown(position.dwarfs)}
        block = re.fullmatch(r"Largest block: (\w+) dwarfs?(, (\w+) on the edge)?\.", first)
        assert block
        assert block[1] == spelled(max(sizes))
        turn = position._replace(to_move=Side.TROLLS)
        free = [
            move
            for move in classic.legal_moves(turn)
            if move.captures
            and not any(
                reply.captures >> move.destination & 1
                for reply in classic.legal_moves(turn.after(move))
            )
        ]
        most = max((move.captures.bit_count() for move in free), default=0)
        assert bool(more) is (most >= 3)
        for words in more:
            told += 1
            [where] = map(parse_square, re.findall(r"[A-P]\d+", words))
            assert counted(most, "dwarf") in words
            assert any(m.destination == where and m.captures.bit_count() == most for m in free)
    assert told


def grown(pieces: int) -> list[int]:
    """Return for each piece the block it belongs to."""
    found = []
    for square in squares_of(pieces):
        block = {square}
        while step := {
            other
            for other in squares_of(pieces)
            if other not in block and any(distance(other, each) == 1 for each in block)
        }:
            block |= step
        found.append(mask_of(*block))
    return found
