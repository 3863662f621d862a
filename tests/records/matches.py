"""Matches to record: random ones, ended by agreement, with moves taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest
from hypothesis import strategies as st

from thud.records.editing import commented, played
from thud.records.record import BattleRecord, Line, Record
from thud.records.tree import Cursor, Trail
from thud.rules.battle import Battle
from thud.rules.clock import Control
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason, Variant
from thud.rules.variants import VARIANTS

every_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
variants = st.sampled_from(list(VARIANTS.values()))
GIVEN_UP = (Reason.RESIGNATION, Reason.CLAIM)
WORDS = ("why?", "a (good) idea; 1. dF1-F5", '日本 [no tag] "', "* 30-32")
words = st.text("abc äß'\"\\;[]()#%/*0123456789.-日本", max_size=30).map(
    lambda text: " ".join(text.split())
)


def play(battle: Battle, random: Random, length: int) -> None:
    """Play up to `length` random moves, with a preference for captures."""
    for _ in range(length):
        if battle.outcome:
            return
        moves = battle.variant.legal_moves(battle.position)
        captures = [move for move in moves if move.captures]
        choice = captures if captures and random.random() < 0.7 else moves
        battle.play(random.choice(choice))


def random_match(variant: Variant, random: Random, longest: int = 40) -> Match:
    """Return a match at a random point between its first move and its end."""
    start = None
    if random.random() < 0.3:
        first = Battle(variant)
        play(first, random, random.randrange(12))
        start = None if first.outcome else first.position
    control = random.choice([None, Control(1_200_000, 10_000), Control(900_000, 0, 3, 30_000)])
    match = Match(variant, ("Ann", "Bob O'Hara"), start, control=control)
    for number in (1, 2):
        battle = match.battle
        if random.random() < 0.3:
            battle.quiet_limit = random.randrange(3, 12)
        play(battle, random, random.randrange(longest))
        if random.random() < 0.5:
            for _ in range(random.randrange(4)):
                battle.undo()
        if not battle.outcome and random.random() < 0.7:
            loser, reason = random.choice(list(Side)), random.choice(GIVEN_UP)
            lose = partial(battle.lose, Forfeit(loser, reason))
            ends: list[Callable[[], None]] = [battle.agree, battle.time_up, lose]
            random.choice(ends)()
        if number == 2 or not battle.outcome or random.random() < 0.3:
            break
        match.next_battle()
    return match


def taken_back(variant: Variant, random: Random) -> Match:
    """Return a match with moves taken back at, or near, an end by the quiet limit."""
    battle = (match := Match(variant)).battle
    battle.quiet_limit = random.randrange(3, 7)
    play(battle, random, 40)
    for _ in range(random.randrange(1, 4)):
        battle.undo()
    return match


def lines(battle: BattleRecord) -> Iterator[tuple[Trail, int, Line]]:
    """Yield every line of a battle, with its trail and the ply of its first node."""
    waiting: list[tuple[Trail, int, Line]] = [((), 0, battle.line)]
    while waiting:
        trail, first, line = waiting.pop()
        yield trail, first, line
        waiting += [
            ((*trail, (ply, index)), ply + 1, variation)
            for ply, node in enumerate(line, first)
            for index, variation in enumerate(node.variations)
        ]


def variations_of(line: Line) -> list[Line]:
    """Return the variations of a line, in order."""
    return [variation for node in line for variation in node.variations]


def varied(record: Record, random: Random, steps: int | None = None) -> Record:
    """Add variations and comments at random places of a record."""
    place = Cursor.at(record, 1, 0)
    for _ in range(random.randrange(40) if steps is None else steps):
        record = place.record
        number = random.randrange(len(record.battles)) + 1
        trails = [
            (trail, first + len(line) - 1)
            for trail, first, line in lines(record.battles[number - 1])
        ]
        trail, last = random.choice(trails)
        place = Cursor.at(record, number, random.randrange(last + 1), trail)
        if random.random() < 0.3:
            place = commented(place, random.choice(WORDS))
        elif moves := record.variant.legal_moves(place.position):
            place = played(place, random.choice(moves))
    return place.record


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Generate a record of any variant, with tags and comments."""
    random = Random(draw(st.integers(0, 2**32)))
    record = varied(Record.of(random_match(draw(variants), random)), random)
    names = st.sampled_from(["Site", "Round", "Annotator", "White_1", "Zz9"])
    tags = draw(st.dictionaries(names, words, max_size=3))
    return record._replace(
        event=draw(words),
        date=draw(st.sampled_from(["", "2026-11-20", "2026-??-??", "????-??-??"])),
        programs=draw(st.sampled_from([("", ""), ("thud level 3", ""), ("", "x")])),
        tags=tuple(tags.items()),
    )
