"""Run by test_crash: for each line on standard input, forks a player that saves until killed.

The player prints `pid`, then for every action what it is about to save and, after saving, that it
has; `dead` follows when it is gone.  Forks start at once, while a new interpreter would spend most
of its short life importing.
"""

import hashlib
import os
import sys
import time
import traceback
from pathlib import Path
from random import Random
from typing import NoReturn

from thud.records.record import Record
from thud.records.store import Saved, Store
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

LONGEST = 25


def say(*words: object) -> None:
    """Print a line in a single write, so that a kill cannot split it."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def digest(record: Record) -> str:
    """Return a hash of a record's contents."""
    return hashlib.sha256(tgn_text(record).encode()).hexdigest()


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
        match = saved.record.match()
    else:
        match = Match(random.choice(list(VARIANTS.values())))
        saved = store.adopt(Record.of(match))
        say("done", saved.id, digest(saved.record))
    play_on(saved, match, random)
    saved.close()


def play_on(saved: Saved, match: Match, random: Random) -> None:
    """Act and save until the match is over."""
    while not match.over:
        act(match, random)
        name = digest(saved.record.updated(match))
        say("try", saved.id, name)
        saved.write(saved.record.updated(match))
        say("done", saved.id, name)


def play_until_killed(store: Store, random: Random) -> NoReturn:
    """Play match after match and never exit, so that a kill cannot hit a reused process id."""
    try:
        while True:
            play(store, random)
    finally:
        traceback.print_exc()
        while True:  # repeated, since the parent counts lines
            say("failed")
            time.sleep(0.01)


def main() -> None:
    """Fork a player for every line on standard input."""
    store = Store(Path(sys.argv[1]))
    for seed in sys.stdin:
        child = os.fork()
        if not child:
            say("pid", os.getpid())
            play_until_killed(store, Random(seed))
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main()
