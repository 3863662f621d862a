"""An engine that plays its first thought, and offers to end the battle from its third turn on."""

from __future__ import annotations

import sys

from thud.rules.notation import move_text, parse_move
from thud.rules.variants import VARIANTS


def main() -> None:
    variant = VARIANTS["classic"]
    position, played = variant.start, 0
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name First thought\nuciok")
            case ["isready"]:
                print("readyok")
            case ["position", "startpos", "moves", *moves]:
                position, played = variant.start, len(moves)
                for text in moves:
                    position = position.after(parse_move(variant, position, text))
            case ["go", *_]:
                move = move_text(position, variant.legal_moves(position)[0])
                print("bestmove", move, *(["end"] if played >= 4 else []))
            case ["quit"]:
                break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
