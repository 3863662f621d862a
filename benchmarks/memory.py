"""Peak memory of a session in a pseudo-terminal, compared with a bare Textual app.

Usage: python benchmarks/memory.py [MOVES]

Plays a battle between people: the cursor moves, pieces are picked up and let go, moves are typed,
taken back and played again, the board is flipped, the help and the palette are opened.  The peak
is the kernel's VmHWM, so this runs on Linux only.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from terminal.emulator import Terminal
from terminal.first_frame import BARE
from terminal.player import NUMPAD
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.variants import VARIANTS

MOVES: Final = 60
SIZES: Final = ((80, 24), (160, 50))
LIMIT: Final = 60
QUIET: Final = 0.15
"""Seconds after which what was typed has been dealt with."""


def peak(terminal: Terminal) -> float:
    """Return the program's peak memory in megabytes."""
    status = Path(f"/proc/{terminal.process.pid}/status").read_text()
    found = re.search(r"VmHWM:\s*(\d+) kB", status)
    assert found, "the kernel does not tell"
    return int(found[1]) / 1024


def type_keys(terminal: Terminal, *keys: str) -> int:
    """Type keys and wait until nothing more is drawn; return their number."""
    terminal.send(*keys)
    terminal.drain(QUIET)
    return len(keys)


def play(terminal: Terminal, moves: int) -> int:
    """Play a battle; return the number of keys."""
    rng, battle = random.Random(1), Battle(VARIANTS["classic"])
    keys = type_keys(terminal, "\x1bOP") + type_keys(terminal, "\x1b") + type_keys(terminal, "f")
    keys += type_keys(terminal, "\x10") + type_keys(terminal, "\x1b")
    for number in range(moves):
        move = rng.choice(battle.variant.legal_moves(battle.position))
        walk = rng.choices([*NUMPAD.values(), "\t"], k=4)
        keys += type_keys(terminal, *walk, "\r") + type_keys(terminal, "\x1b")
        keys += type_keys(terminal, ":", *move_text(battle.position, move), "\r")
        if number % 10 == 9:
            keys += type_keys(terminal, "u", "u", "r", "r", "f")
        battle.play(move)
    return keys


def main() -> None:
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else MOVES
    thud = str(Path(sys.executable).with_name("thud"))
    for size in SIZES:
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "bare.py").write_text(f"{BARE}\nBare().run()")
            environment = {"THUD_DATA_DIR": directory, "THUD_CONFIG_DIR": directory}
            with Terminal([sys.executable, f"{directory}/bare.py"], size, environment) as terminal:
                terminal.wait_for("bare")
                type_keys(terminal, *"bare")
                bare = peak(terminal)
            with Terminal([thud, "play"], size, environment) as terminal:
                terminal.wait_for("15")
                keys = play(terminal, moves)
                game = peak(terminal)
                assert any(Path(directory, "matches").glob("*.tgn")), "no move was played"
        print(
            f"{size[0]}×{size[1]}: {game:.1f} MB after {moves} moves and {keys} keys, limit "
            f"{LIMIT}; a bare Textual app {bare:.1f} MB"
        )


if __name__ == "__main__":
    main()
