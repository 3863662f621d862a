"""What packages for systems are made of; `.ci/run installed` makes and tries them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import packages
from thud.tui.board.sprites import CLEAR, pixels

PROJECT = tomllib.loads((packages.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKED = ("listen", "pictures", "serve")


def test_every_library_of_the_program_and_its_extras_is_locked() -> None:
    locked = set(re.findall(r"^([a-z0-9-]+)==", packages.LOCK.read_text("utf-8"), re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(each for extra in PACKED for each in extras[extra])]
    assert {re.split(r"[<>=[]", each)[0] for each in wanted} <= {*locked, PROJECT["name"]}


@pytest.mark.parametrize("name", packages.TARGETS)
def test_a_package_is_for_a_python_that_the_program_supports(name: str) -> None:
    target = packages.TARGETS[name]
    classifiers = {each.rpartition(" ")[2] for each in PROJECT["classifiers"]}
    assert target.python in classifiers
    python = next(each for each in target.depends if each.startswith("python"))
    assert target.python in python


def test_the_icon_has_every_pixel_of_the_largest_dwarf() -> None:
    drawn = ElementTree.fromstring(packages.icon())
    there = [letter for row in pixels("sprites")["dwarf"] for letter in row if letter != CLEAR]
    assert len(drawn.findall(".//{http://www.w3.org/2000/svg}rect")) == len(there)
    size = int(drawn.attrib["viewBox"].split()[-1])
    places = [(float(e.attrib["x"]), float(e.attrib["y"])) for e in drawn.iter() if "x" in e.attrib]
    assert all(0 <= each < size for each in (x for place in places for x in place))
    assert len(set(places)) == len(places)


def test_what_is_written_is_packed_with_its_mode_and_the_time_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    home = tmp_path / packages.HOME / "bin"
    home.mkdir(parents=True)
    (home / "thud").write_text("#!/bin/sh\n")
    (home / "thud").chmod(0o755)
    (home / "python3").symlink_to("../../../bin/python3.11")
    for target in packages.TARGETS.values():
        config = packages._config(tmp_path, target, "1.2.3")
        packed = {each["dst"]: each for each in config["contents"]}
        assert packed["/usr/bin/thud"]["type"] == "symlink"
        assert packed["/usr/lib/thud/bin/python3"]["src"] == "../../../bin/python3.11"
        info = packed["/usr/lib/thud/bin/thud"]["file_info"]
        assert info == {"mode": 0o755, "mtime": "2023-11-14T22:13:20+00:00"}
        assert packed["/usr/lib/thud/bin"]["type"] == "dir"
        assert "/usr/lib" not in packed
        assert all(Path(path).is_file() for path in config["scripts"].values())
        for other in "apk", "archlinux":
            assert config[other]["scripts"]["postupgrade"] == config["scripts"]["postinstall"]


def test_the_service_starts_the_packaged_program_and_is_the_documents_otherwise() -> None:
    lines = packages.unit().splitlines()
    assert "ExecStart=/usr/bin/thud serve --web" in lines
    assert "User=thud" in lines
    assert lines[0] == "[Unit]"
    assert lines[-1] == "WantedBy=multi-user.target"
    document = (packages.ROOT / "docs" / "serve.md").read_text("utf-8")
    assert all(line in document for line in lines if not line.startswith("ExecStart="))


def test_names_and_places_agree() -> None:
    about = ElementTree.parse(packages.FILES / "thud.metainfo.xml").getroot()
    assert about.findtext("launchable") == "thud.desktop"
    entry = dict(
        line.split("=", 1)
        for line in (packages.FILES / "thud.desktop").read_text("utf-8").splitlines()
        if "=" in line
    )
    assert entry["Exec"] == about.findtext("provides/binary") == "thud"
    overridden = (packages.FILES / "lintian-overrides").read_text("utf-8").splitlines()
    tags = [line.split(": ")[1] for line in overridden if not line.startswith("#")]
    assert len(tags) == len(set(tags))


def test_an_image_whose_programs_do_not_run_here_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "runs_here", {"amd64": True, "arm64": False}.get)
    assert packages.main(["thud_game-1.2.3-py3-none-any.whl", str(tmp_path / "made")]) == 1
    assert "image-arm64" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
