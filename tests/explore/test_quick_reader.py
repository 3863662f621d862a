"""The fast reader agrees with the full one wherever it reads anything."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from records.matches import random_match, records
from rules.strategies import every_variant
from thud.explore.quick_reader import read_quickly
from thud.records.record import Record, line_of
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Variant


def without_notes(record: Record) -> Record:
    """Return a record as the fast reader leaves it."""
    battles = tuple(each._replace(line=line_of(each.moves)) for each in record.battles)
    return record._replace(battles=battles, control=None)


@every_variant
@given(seed=st.integers(0, 10_000))
def test_it_reads_what_the_program_writes(variant: Variant, seed: int) -> None:
    rng = Random(seed)
    matches = [random_match(variant, rng) for _ in range(3)]
    written = [Record.of(each) for each in matches if _is_plain(each)]
    if written:
        assert read_quickly(tgn_text(*written)) == list(map(without_notes, written))


def _is_plain(match: Match) -> bool:
    """Whether the dwarfs begin, and no moves taken back can be redone."""
    begun_by_dwarfs = all(start.to_move is Side.DWARFS for start in match.starts)
    return begun_by_dwarfs and not any(battle.undone for battle in match.battles)


@given(record=records(), data=st.data())
def test_it_agrees_with_the_full_reader_on_any_text(record: Record, data: st.DataObject) -> None:
    text = tgn_text(record)
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        end = place + data.draw(st.integers(0, 3))
        text = text[:place] + data.draw(st.text('dTRA1379-x.*"[] \n', max_size=3)) + text[end:]
    with suppress(ValueError):
        assert read_quickly(text) == list(map(without_notes, read_tgn(text)))


@every_variant
@given(seed=st.integers(0, 10_000), data=st.data())
def test_it_takes_no_other_move_for_the_one_written(
    variant: Variant, seed: int, data: st.DataObject
) -> None:
    text = tgn_text(Record.of(random_match(variant, Random(seed))))
    words = text.split(" ")
    place = data.draw(st.integers(0, len(words) - 1))
    words[place] = data.draw(st.sampled_from(words))
    changed = " ".join(words)
    with suppress(ValueError):
        assert read_quickly(changed) == list(map(without_notes, read_tgn(changed)))
