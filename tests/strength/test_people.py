"""Which matches count for whose rating, and the results."""

import json
import time
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from strength.matches import CLASSIC, NOON, keep
from thud.records.store import Store
from thud.strength.glicko import Rating, expected, rated
from thud.strength.levels import EVERY, RATINGS
from thud.strength.people import (
    FILE_NAME,
    Strength,
    begin_anew,
    change_by,
    fair_level,
    load_resets,
    person,
    rated_match,
    reset,
    strengths,
    strengths_in,
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def known(store: Store) -> dict[str, Strength]:
    return strengths_in(store, store.finished())


@pytest.mark.parametrize(("won", "score"), [(True, 1.0), (None, 0.5), (False, 0.0)])
@pytest.mark.parametrize("level", [1, 8, 15])
def test_a_match_counts_once_by_the_points_of_both_battles(
    store: Store, level: int, won: bool | None, score: float
) -> None:
    keep(store, won=won, seats=("human", f"cpu:{level}"))
    assert known(store) == {"ann": Strength(rated(Rating(), [(RATINGS[level], score)]), 1)}


def test_a_match_against_an_earlier_edition_counts_with_its_ratings(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store, won=True, seats=("human", "cpu:6"))
    (kept,) = store.finished()
    was = kept._replace(programs=("", "Thud 0.1.0 level 4 of 12"))
    monkeypatch.setitem(EVERY, 1, {6: Rating(1900, 0.0)})
    found = [strengths([each])["ann"].rating.value for each in (kept, was)]
    assert found == [rated(Rating(), [(each, 1.0)]).value for each in (RATINGS[6], EVERY[1][6])]


def test_it_counts_for_the_person_in_either_seat_but_not_for_who_looked_on(store: Store) -> None:
    keep(store, won=False, seats=("cpu:3", "human"), names=("Miner", "Ann"))
    assert known(store)["ann"].rating.value > 1500
    (kept,) = store.finished()
    assert rated_match(kept._replace(looked_on=True)) is None


@pytest.mark.parametrize(
    "seats",
    [
        ("human", "human"),
        ("cpu:3", "cpu:4"),
        ("human", "random"),
        ("human", "material"),
        ("human", "cpu"),
        ("human", "engine:./other level 3"),
    ],
    ids="-".join,
)
def test_only_matches_of_a_person_against_a_level_count(
    store: Store, seats: tuple[str, str]
) -> None:
    name = keep(store, won=True, seats=seats)
    assert known(store) == {}
    assert change_by(store, name) == ""
    assert fair_level(known(store), "Ann") == 1


def test_a_match_from_another_position_does_not_count(store: Store) -> None:
    start = CLASSIC.start.after(CLASSIC.legal_moves(CLASSIC.start)[0]).to_text()
    keep(store, won=None, start=start)
    assert store.finished()[0].set_up
    assert known(store) == {}


def test_an_unfinished_match_does_not_count(store: Store) -> None:
    name = keep(store, won=True)
    path = store.matches / f"{name}.tgn"
    text = path.read_text()
    head, _, _ = text.rpartition("\n\n")
    path.write_text("\n".join(line for line in head.splitlines() if '2 "' not in line) + "\n")
    assert known(store) == {}


def test_matches_count_in_the_order_in_which_they_ended(store: Store) -> None:
    keep(store, won=True, hour=2, seats=("human", "cpu:4"))
    keep(store, won=False, hour=1, seats=("human", "cpu:2"))
    expected = Strength().after(2, 0.0).after(4, 1.0)
    assert known(store)["ann"] == expected != Strength().after(4, 1.0).after(2, 0.0)


def test_people_are_told_apart_by_name_and_nobody_s_name_is_one_person(store: Store) -> None:
    for hour, name in enumerate(("Ann", "ANN ", "Bo", "Player 1", "Player 2")):
        keep(store, won=True, names=(name, "Miner"), hour=hour)
    assert {who: each.matches for who, each in known(store).items()} == {
        "ann": 2,
        "bo": 1,
        person("Player 1"): 2,
    }


def test_a_restored_copy_of_a_match_counts_once(store: Store) -> None:
    first = keep(store, won=True)
    keep(store, won=False, hour=1)
    before = known(store)
    assert before["ann"].matches == 2
    path = store.existing(first)
    copy = path.with_name(f"20300101-120000-abcd{path.suffix}")
    copy.write_text(path.read_text().replace("dF1-F5", "dF1-F5 {reviewed}"))
    assert len(store.finished()) == 3
    assert known(store) == before


def test_a_reset_forgets_what_was_before_it_and_keeps_the_matches(store: Store) -> None:
    keep(store, won=False)
    keep(store, won=False, names=("Bo", "Miner"))
    bo = known(store)["bo"]
    assert begin_anew(store, "ANN") == ["ann"]
    assert known(store) == {"bo": bo}
    assert len(store.finished()) == 2
    assert load_resets(store.matches.parent)["ann"] > datetime.fromtimestamp(0)
    resets = {"since": {"ann": NOON + 1}}
    (store.matches.parent / FILE_NAME).write_text(json.dumps(resets))
    keep(store, won=True, hour=1)
    assert known(store) == {"bo": bo, "ann": Strength().after(3, 1.0)}


def test_a_reset_by_a_clock_that_was_ahead_lets_later_matches_count(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, today = store.matches.parent, time.time()
    reset(directory, ["ann"])
    monkeypatch.setattr("time.time", lambda: today + 400 * 86400)
    reset(directory, ["bo"])
    monkeypatch.setattr("time.time", lambda: today + 1)
    assert abs(load_resets(directory)["bo"].timestamp() - today) < 3600
    resets = load_resets(directory)
    monkeypatch.setattr("time.time", lambda: today + 86400)
    assert load_resets(directory) == resets, "from then on the time is kept"
    monkeypatch.setattr("time.time", lambda: 10**9)
    assert load_resets(directory) == resets, "a clock that is behind changes nothing"


@pytest.mark.parametrize(
    "since", ["3", '{"ann": "x"}', '{"ann": NaN}', '{"ann": 1e300}', '{"ann": 1e999}', "9" * 5000]
)
def test_a_file_of_resets_that_is_broken_is_none(store: Store, since: str) -> None:
    directory = store.matches.parent
    (directory / FILE_NAME).write_text(f'{{"since": {since}}}')
    assert load_resets(directory) == {}
    reset(directory, ["ann"])
    assert list(load_resets(directory)) == ["ann"]


@pytest.mark.parametrize("level", RATINGS)
def test_fair_matches_find_out_how_strong_somebody_is(level: int) -> None:
    chance, strength, fair = Random(level), Strength(), 2
    for _ in range(60):
        won = chance.random() < expected(RATINGS[level], RATINGS[fair])
        strength = strength.after(fair, float(won))
        fair = fair_level({"ann": strength}, "Ann")
    assert abs(strength.rating.value - RATINGS[level].value) < 3 * strength.rating.deviation
    assert strength.rating.deviation < 90


def test_what_people_read() -> None:
    assert str(Strength(Rating(1402.4, 85.2), 20)) == "about 1400, as strong as level 7"
    assert str(Strength(Rating(1402.4, 165.2), 5)) == "about 1400, as strong as levels 6 to 8"
    assert str(Strength(Rating(1402.4, 285.2), 2)) == (
        "about 1400 after two matches; some ten matches settle it"
    )
    assert (
        str(Strength(Rating(600, 346), 1))
        == "about 600 after one match; some ten matches settle it"
    )


def test_an_unsure_rating_names_the_levels_that_may_be_as_strong() -> None:
    told = Strength(Rating(820, 300), 1).settling
    assert told == "some ten matches settle it"


def test_a_match_tells_how_it_changed_the_rating(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = keep(store, won=True)
    (after,) = known(store).values()
    assert change_by(store, first) == f"Your rating is {after}."
    assert f"{after}" == f"{after.rating.about} after one match; some ten matches settle it"
    latest = keep(store, won=False, hour=1)
    (then,) = known(store).values()
    assert change_by(store, latest) == f"Your rating is {then}."
    monkeypatch.setattr("thud.strength.glicko._NARROW", 400.0)
    assert change_by(store, latest) == f"Your rating falls from {after.rating.about} to {then}."
    assert change_by(store, "unknown") == ""
