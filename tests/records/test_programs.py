"""Names of our own players in records, including those of earlier versions."""

from thud.ai.levels import LEVELS
from thud.engines.spec import played_by
from thud.records.programs import EDITION, HIGHEST_LEVEL, own_player, written

FORMER = {1: "Pebble", 2: "Lamplighter", 3: "Miner", 4: "Bridge Keeper", 5: "Forge Master"} | {
    6: "War Chief",
    7: "Old Mountain",
}


def test_a_level_is_read_as_it_was_written() -> None:
    assert [played_by(written(level)).level for level in LEVELS] == [*LEVELS]
    assert max(LEVELS) == HIGHEST_LEVEL


def test_one_of_the_seven_levels_is_the_one_that_has_its_name() -> None:
    for level, name in FORMER.items():
        now = played_by(f"Thud 0.1.0 level {level}").level
        assert now is not None
        assert LEVELS[now].name == name


def test_a_level_is_of_the_edition_that_it_was_played_with() -> None:
    for rest, edition in ("", 1), (", edition 2", 2), (", edition 9", EDITION):
        assert own_player(f"Thud 9 level 4 of 12{rest}") == (4, "", edition)
    assert own_player(written(4)) == (4, "", EDITION)
    assert own_player("Thud 9 level 4 of 12, edition 0") is None


def test_a_player_without_a_level_and_others_that_are_none_of_ours() -> None:
    for program in "Thud 0.1.0", "Thud 0.1.0 random":
        assert own_player(program) is not None
        assert not played_by(program).level
    assert [own_player(f"Thud 0.1.0{name}") for name in ("", " random")] == [
        (None, "", 1),
        (None, "random", 1),
    ]
    for program in (
        "",
        "GnuThud 2",
        "Thud 0.1.0 level 0 of 12",
        "Thud 0.1.0 level 13 of 12",
        "Thud 1 level 8",
        "Thud 1 level 3 of 20",
        "Thud 1 level 04 of 12",
    ):
        assert own_player(program) is None
