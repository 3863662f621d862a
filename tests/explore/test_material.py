"""Matches are found by the pieces left in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.match_files import played, some, write
from rules.strategies import every_variant
from thud.cli.main import main
from thud.explore.material import Material, battles_with, parse_material
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]


@pytest.mark.parametrize(
    "text",
    ["24 1", "24:1", "24,1", "24 dwarfs, 1 troll", "24 dwarfs and 1 troll", "24/1", " 24 - 1 "],
)
def test_it_is_written_in_many_ways(text: str) -> None:
    assert parse_material(text) == Material(24, 1)


@given(st.text("0123456789 dwarfstol,:x-", max_size=30))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        material = parse_material(text)
    except ValueError:
        return
    assert min(material) >= 0


@every_variant
def test_every_battle_with_it_is_found_at_its_first_place(variant: Variant, tmp_path: Path) -> None:
    records = some(variant, 6)
    write(tmp_path / "some.tgn", *records)
    wanted = {
        (number, battle): [
            (position.dwarfs.bit_count(), position.trolls.bit_count())
            for position in record.battles[battle - 1].positions()
        ]
        for number, record in enumerate(records, 1)
        for battle in range(1, len(record.battles) + 1)
    }
    for material in {each for counts in wanted.values() for each in counts}:
        found = battles_with([tmp_path / "some.tgn"], variant, Material(*material))
        assert {(each.where.match, each.where.battle): each.where.ply for each in found} == {
            key: counts.index(material) for key, counts in wanted.items() if material in counts
        }


def test_files_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "good.tgn", played("dF1-F5", "TG7-F6xF5"))
    (tmp_path / "bad.tgn").write_text("nothing")
    paths = [tmp_path / name for name in ("bad.tgn", "missing.tgn", "good.tgn")]
    (found,) = battles_with(paths, CLASSIC, Material(31, 8))
    assert (found.where.ply, found.battle.players) == (2, "Ann – Bob")
    assert not battles_with(paths, CLASSIC, Material(31, 8), lambda: True)
    assert not battles_with(paths, VARIANTS["koom"], Material(31, 8))


def test_the_command_prints_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in "DATA", "CACHE":
        monkeypatch.setenv(f"THUD_{kind}_DIR", str(tmp_path / kind))
    write(tmp_path / "good.tgn", played("dF1-F5", "TG7-F6xF5"))
    name = str(tmp_path / "good.tgn")
    assert main(["explore", name, "--material", "31 8"]) == 0
    assert capsys.readouterr().out.startswith(
        "Ann – Bob, battle 1, after two moves, begun dF1-F5 TG7-F6xF5: "
    )
    write(tmp_path / "none.tgn", played(over=False))
    assert main(["explore", str(tmp_path / "none.tgn"), "--material", "32 8"]) == 0
    assert capsys.readouterr().out.startswith("Ann – Bob, battle 1, after no moves: not over.")
    assert main(["explore", name, "--material", "5 5"]) == 0
    assert capsys.readouterr() == ("No match has five dwarfs and five trolls.\n", "")
    assert main(["explore", name, "--material", "many"]) == 2
    assert "such as 24 1" in capsys.readouterr().err
    assert main(["explore", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["battles"] == 1
