"""Print the oldest supported versions of the dependencies, as pip requirements.

Usage: python tools/lower_bounds.py > minimal.txt
       pip install -r minimal.txt -e '.[dev]'

Requirements of tests and builds are not pinned.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

PYPROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
EXTRAS: Final = ("cluster", "pictures", "listen", "serve")
"""The extras for users."""

_BOUND: Final = re.compile(r"([\w.-]+)>=([\w.]+)(,.*)?")


def lower_bounds(requirements: Iterable[str]) -> Iterator[str]:
    """Yield requirements pinned to their lower bounds.

    Those for some systems, and the package's own extras, bound what others in the list require.

    Raises:
        ValueError: one has no lower bound.
    """
    for each in requirements:
        if ";" in each or each.startswith("thud-game["):
            continue
        if not (bound := _BOUND.fullmatch(each)):
            raise ValueError(f"{each!r} has no lower bound")
        yield f"{bound[1]}=={bound[2]}"


def main() -> None:
    """Print the pinned requirements of the package and its extras."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for name in EXTRAS for each in extras[name])]
    print(*lower_bounds(wanted), sep="\n")


if __name__ == "__main__":
    main()
