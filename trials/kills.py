"""Moves lost when a match on the board or in lines of text is killed.

Usage: python trials/kills.py [KILLS] [SEED]

Every other match is played on the board, the rest in lines of text, both in a pseudo-terminal.  A
few random moves are played; the screen acknowledges each.  Then one more is typed, and the program
is killed with SIGKILL within 60 ms.  The saved match must hold all acknowledged moves, and perhaps
the last one.  It is then resumed and killed again, three times in all.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from terminal.emulator import Terminal
from terminal.player import ENTER, Player, plain_moves, settings
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.variants import VARIANTS

THUD: Final = (sys.executable, "-m", "thud")
LIVES: Final = 3
MOST: Final = 4
WITHIN: Final = 0.06


class Life(NamedTuple):
    """What came of a program that was killed."""

    acknowledged: int
    lost: int


class OnBoard:
    """A match on the board; a move is acknowledged when the board shows it."""

    options: Final = ("--no-animation",)

    def __init__(self, terminal: Terminal, battle: Battle) -> None:
        self._player = Player(terminal, battle)

    def send(self, text: str) -> None:
        """Type a move."""
        self._player.terminal.send(":", text, ENTER)

    def wait(self) -> None:
        """Wait until the battle's position is shown."""
        self._player.wait_for_board()


class InLines:
    """A match in lines of text; a move is acknowledged when the next one is asked for."""

    options: Final = ("--plain",)

    def __init__(self, terminal: Terminal, battle: Battle) -> None:
        self._terminal, self._battle = terminal, battle

    def send(self, text: str) -> None:
        """Type a move."""
        self._terminal.send(text, ENTER)

    def wait(self) -> None:
        """Wait for the prompt of the side to move, on an otherwise cleared screen."""
        asked = f"{self._battle.position.to_move.plural}, to move. Your move:"
        self._terminal.wait_for(lambda: self._terminal.text.rstrip().endswith(asked))


def killed(way: type[OnBoard | InLines], directory: Path, match: Match, chance: Random) -> Life:
    """Play a match on, kill it, and bring `match` up to what was saved."""
    battle = match.battle
    begun = ("resume",) if battle.moves else ("play", "--variant", match.variant.name)
    played = chance.randint(1, MOST)
    with Terminal([*THUD, *begun, *way.options], (80, 24), settings(directory)) as terminal:
        front = way(terminal, battle)
        front.wait()
        for _ in range(played):
            front.send(typed(battle, chance))
            front.wait()
        acknowledged = battle.moves
        front.send(typed(battle, chance))
        time.sleep(chance.random() * WITHIN)
        terminal.process.kill()
        terminal.process.wait()
    saved = Store(directory / "data").listing().unfinished[0]
    kept = Store(directory / "data").load(saved.id).battles[0].moves
    lost = kept[: len(acknowledged)] != acknowledged or len(kept) > len(battle.moves)
    while len(battle.moves) > len(kept):
        battle.undo()
    return Life(played, played * lost)


def typed(battle: Battle, chance: Random) -> str:
    """Play a random move; return its text."""
    position = battle.position
    move = chance.choice(plain_moves(battle))
    battle.play(move)
    return move_text(position, move)


def main() -> None:
    """Kill so many programs, and print what was lost."""
    kills, seed = (int(given) for given in (*sys.argv[1:], *("100", "1")[len(sys.argv) - 1 :]))
    chance, lives = Random(seed), Counter[str]()
    moves = lost = 0
    while lives.total() < kills:
        way = chance.choice((OnBoard, InLines))
        match = Match(VARIANTS[chance.choice([*VARIANTS])])
        with TemporaryDirectory() as directory:
            for _ in range(min(LIVES, kills - lives.total())):
                life = killed(way, Path(directory), match, chance)
                lives[way.__name__] += 1
                moves, lost = moves + life.acknowledged, lost + life.lost
    told = ", ".join(f"{number} {name}" for name, number in lives.items())
    print(f"{lives.total()} kills ({told}): {moves} moves acknowledged, {lost} lost")
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
