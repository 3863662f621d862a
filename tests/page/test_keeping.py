"""All that is kept as one file, and such a file opened again."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from saving import begin
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud_page.keeping import restore, saved_as_one


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    found = {"data": tmp_path / "data", "settings": tmp_path / "settings"}
    with begin(Store(found["data"]), Match(VARIANTS["koom"])) as saved:
        saved.close(keep_empty=True)
    found["settings"].mkdir()
    (found["settings"] / "config.toml").write_text("sound = true\n")
    return found


def elsewhere(tmp_path: Path) -> dict[str, Path]:
    return {name: tmp_path / "elsewhere" / name for name in ("data", "settings")}


def contents(places: dict[str, Path]) -> dict[str, bytes]:
    return {
        f"{name}/{path.relative_to(place)}": path.read_bytes()
        for name, place in places.items()
        for path in place.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def test_all_that_is_kept_arrives_elsewhere(places: dict[str, Path], tmp_path: Path) -> None:
    told = restore(BytesIO(saved_as_one(places)), other := elsewhere(tmp_path))
    assert contents(other) == contents(places)
    assert told.matches == 1
    again = restore(BytesIO(saved_as_one(places)), other)
    assert (again.added, again.known) == (0, told.added)
    assert contents(other) == contents(places)


def test_a_match_that_went_on_elsewhere_is_kept_twice(
    places: dict[str, Path], tmp_path: Path
) -> None:
    restore(BytesIO(before := saved_as_one(places)), other := elsewhere(tmp_path))
    (match,) = other["data"].rglob("*.tgn")
    match.write_text("another state")
    (other["settings"] / "config.toml").write_text("sound = false\n")
    for _ in range(2):
        restore(BytesIO(before), other)
        assert len([*other["data"].rglob("*.tgn")]) == 2
    assert match.read_text() == "another state"
    assert (other["settings"] / "config.toml").read_text() == "sound = false\n"


def zipped(*names: str, data: bytes = b"x", method: int = ZIP_STORED) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", method) as archive:
        for name in names:
            archive.writestr(name, data)
    return file.getvalue()


def damaged(data: bytes) -> bytes:
    """Return a zip file whose first file cannot be unpacked."""
    start = data.index(b"data/x") + len("data/x")
    return data[:start] + b"\xff" + data[start + 1 :]


@pytest.mark.parametrize(
    "data",
    [
        b"PK",
        b"",
        zipped("data/../../passwd"),
        zipped("/etc/passwd"),
        zipped("elsewhere/x"),
        zipped("data"),
        zipped("data/x")[:-30],
        zipped("data/x", data=b"y" * 100).replace(b"y" * 100, b"z" * 100),
        damaged(zipped("data/x", data=b"y" * 100, method=ZIP_DEFLATED)),
        zipped(*(f"data/{number}" for number in range(20_001))),
    ],
    ids=range(10),
)
def test_a_file_that_is_none_of_ours_changes_nothing(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="file"):
        restore(BytesIO(data), elsewhere(tmp_path))
    assert not contents(elsewhere(tmp_path))
