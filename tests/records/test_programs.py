"""Names of our own players in records, including those of earlier versions."""

import pytest

from thud.ai.levels import LEVELS
from thud.engines.spec import played_by
from thud.records.programs import EDITION, HIGHEST_LEVEL, own_player, written

OF_SEVEN = ("Pebble", "Lamplighter", "Miner", "Bridge Keeper", "Forge Master", "War Chief")
OF_TWELVE = (
    *("Pebble", "Lamplighter", "Goatherd", "Tinsmith", "Ferryman", "Miner", "Bridge Keeper"),
    *("Rune Carver", "Forge Master", "Gate Captain", "War Chief"),
)


def test_a_level_is_read_as_it_was_written() -> None:
    assert [played_by(written(level)).level for level in LEVELS] == [*LEVELS]
    assert max(LEVELS) == HIGHEST_LEVEL


@pytest.mark.parametrize(("names", "scale"), [(OF_SEVEN, ""), (OF_TWELVE, " of 12, edition 9")])
def test_a_level_of_a_former_scale_is_the_one_that_has_its_name(
    names: tuple[str, ...], scale: str
) -> None:
    for level, name in enumerate((*names, "Old Mountain"), 1):
        now = played_by(f"Thud 0.1.0 level {level}{scale}").level
        assert now is not None
        assert LEVELS[now].name == name


def test_a_level_is_of_the_edition_that_it_was_played_with() -> None:
    for rest, edition in ("", 1), (", edition 2", 2), (", edition 9", 9), (", edition 10", 9):
        assert own_player(f"Thud 9 level 4 of 12{rest}") == (6, "", edition)
    assert own_player(written(4)) == (4, "", EDITION)
    for rest, edition in ("", 10), (", edition 10", 10), (f", edition {EDITION + 1}", EDITION):
        assert own_player(f"Thud 9 level 13 of 15{rest}") == (13, "", edition)
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
        "Thud 0.1.0 level 16 of 15",
        "Thud 1 level 8",
        "Thud 1 level 3 of 20",
        "Thud 1 level 04 of 12",
    ):
        assert own_player(program) is None
