"""Run by test_crash: plays and saves match after match until it is killed.

It prints `try` with what it is about to save and, after saving, `done`.
"""

import hashlib
import os
import sys
from pathlib import Path
from random import Random

from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

LONGEST = 25


def say(word: str, name: str, record: Record) -> None:
    """Print a line with a record's hash in a single write, so that a kill cannot split it."""
    digest = hashlib.sha256(tgn_text(record).encode()).hexdigest()
    os.write(1, f"{word} {name} {digest}\n".encode())


def act(match: Match, random: Random) -> None:
    """Move, take back, play again, agree or begin the second battle."""
    battle = match.battle
    if battle.outcome:
        match.next_battle()
    elif len(battle.moves) >= LONGEST:
        battle.agree()
    elif not (random.random() < 0.2 and battle.undo()) and not (
        random.random() < 0.2 and battle.redo()
    ):
        battle.play(random.choice(battle.variant.legal_moves(battle.position)))


def play(store: Store, random: Random) -> None:
    """Continue the latest match, or a new one, to its end."""
    latest = store.latest()
    if latest:
        saved = store.resume(latest.id)
    else:
        saved = store.adopt(Record.of(Match(random.choice(list(VARIANTS.values())))))
        say("done", saved.id, saved.record)
    with saved:
        match = saved.record.match()
        while not match.over:
            act(match, random)
            record = saved.record.updated(match)
            say("try", saved.id, record)
            saved.write(record)
            say("done", saved.id, record)


if __name__ == "__main__":
    while True:
        play(Store(Path(sys.argv[1])), Random(sys.argv[2]))
