"""Played and killed by test_crash: for each line on standard input a fork that plays and saves.

It prints `pid`, then for every action what is about to be saved and, when save has returned, that
it has been; `dead` follows when it is gone.  A fork begins at once, where a new interpreter would
spend most of its short life importing.
"""

import hashlib
import os
import sys
import time
import traceback
from pathlib import Path
from random import Random
from typing import NoReturn

from thud.records.editing import updated
from thud.records.record import Record
from thud.records.store import Saved, Store
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

LONGEST = 25


def say(*words: object) -> None:
    """Print a line in one write, which a kill cannot tear."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def digest(record: Record) -> str:
    """Return a name for all that a record holds."""
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
    """Play the latest match on, or a new one, to its end."""
    latest = store.latest()
    if latest:
        saved = store.resume(latest.id)
        match = saved.restored()
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
        name = digest(updated(saved.record, match))
        say("try", saved.id, name)
        saved.write(updated(saved.record, match))
        say("done", saved.id, name)


def play_until_killed(store: Store, random: Random) -> NoReturn:
    """Play match after match; never end, so that whoever kills this kills nothing else."""
    try:
        while True:
            play(store, random)
    finally:
        traceback.print_exc()
        while True:  # say so often enough for a parent that counts lines
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
