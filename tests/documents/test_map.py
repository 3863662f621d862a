"""The map of the tree, in docs/development.md, has every room and nothing that is not there."""

import re
from pathlib import Path

from documents.markdown import REPOSITORY

DEVELOPMENT = (REPOSITORY / "docs" / "development.md").read_text("utf-8")
(MAP,) = re.findall(r"^## The map\n+```\n(.*?)^```$", DEVELOPMENT, re.MULTILINE | re.DOTALL)
ROOMS = ("src", "tests", "tools", "requirements", "benchmarks", "docs")


def paths() -> set[Path]:
    """Return what is in the tree, and not only made of it."""
    found = {path for room in ROOMS for path in (REPOSITORY / room).rglob("*")}
    return {path for path in found if "__pycache__" not in path.parts}


def test_every_room_of_the_program_is_on_the_map() -> None:
    rooms = {path.name for path in paths() if path.is_dir() and "src" in path.parts}
    assert len(rooms) > 30
    assert {room for room in rooms if f"{room}/" not in MAP} == set()


def test_the_map_has_nothing_that_is_not_there() -> None:
    there = {path.relative_to(REPOSITORY).as_posix() for path in paths()} | set(ROOMS)
    named = re.findall(r"[\w./]+\.(?:py|toml|txt|md)\b|(?<![\w.])[\w/]+/", MAP)
    assert len(named) > 150
    ends = [name.rstrip("/") for name in named]
    assert [end for end in ends if not any(f"/{path}".endswith(f"/{end}") for path in there)] == []
