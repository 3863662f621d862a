"""Letters of other layouts are the commands of the keys that they are on."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.keys.layouts import _lines, us_key
from thud.tui.textual_fixes import CheckedParser, character_to_key
from tui.driver import beginning, playing, running

LAYOUTS = {name: line for name, line in _lines().items() if name.lower() != "us"}
US, SHIFTED = _lines()["us"], _lines()["US"]


@pytest.mark.parametrize("language", LAYOUTS)
def test_each_letter_is_the_key_at_its_place_with_shift_and_ctrl(language: str) -> None:
    for letter in set(LAYOUTS[language]) - {"·"}:
        places = [at for at, each in enumerate(LAYOUTS[language]) if each == letter]
        names = [character_to_key(US[at]) for at in places]
        assert us_key(letter, letter, language) in names
        assert us_key(f"ctrl+{letter}", letter, language) in [f"ctrl+{name}" for name in names]
        if (capital := letter.upper()).isupper() and capital.lower() == letter:
            shifted = [character_to_key(SHIFTED[at]) for at in places]
            assert us_key(capital, capital, language) in shifted


def test_without_a_known_language_all_layouts_count() -> None:
    for letter in set("".join(LAYOUTS.values())) - {"·"}:
        assert us_key(letter, letter, "xx").isascii()


@pytest.mark.parametrize(
    ("sequence", "name", "typed"),
    [
        ("\x1b[1089::99;;1089u", "c", "с"),
        ("\x1b[1089:1057:99;2;1057u", "C", "С"),
        ("\x1b[1081::113;5u", "ctrl+q", None),
        ("\x1b[1079::112;5u", "ctrl+p", None),
        ("\x1b[1078:1046:59;2;1046u", "colon", "Ж"),
        ("\x1b[1377::97;;1377u", "a", "ա"),
        ("\x1b[12399::102;;12399u", "f", "は"),
        ("\x1b[97::113;;97u", "a", "a"),
        ("\x1b[97:65;2;65u", "A", "A"),
        ("\x1b[233::50;;233u", "é", "é"),
    ],
)
def test_the_kitty_protocol_tells_the_place_itself(
    sequence: str, name: str, typed: str | None
) -> None:
    (key,) = CheckedParser().feed(sequence)
    assert isinstance(key, events.Key)
    app = ThudApp(beginning())
    assert (app.key_meant(key), key.character) == (name, typed)


async def test_a_move_is_typed_and_commands_are_given_in_russian_letters() -> None:
    async with playing() as player:
        await player.press("Ж", *"а1а5", "enter")
        assert "dF1-F5" in player.moves
        await player.press("г")
        assert "(dF1-F5)" in player.moves, "that was u, to take it back"
        await player.press(*"ꙮꙮ")
        assert ["ꙮ" in each.message for each in player.app._notifications] == [True]
        await player.press("щ")
        line = player.app.screen.query_one(Input)
        before = line.value
        await player.press(*"файл")
        assert line.value == f"{before}файл", "a text is typed as it is"


async def test_a_key_of_the_players_own_is_not_taken_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text('[keys]\nbattle.flip = "г"\n')
    monkeypatch.setenv("THUD_CONFIG_DIR", str(tmp_path))
    own = Preferences.load()
    app = ThudApp(beginning(), preferences=own)
    async with running(app) as player:
        await player.press("г")
        assert player.board.flipped
