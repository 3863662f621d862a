"""Print the oldest versions that the package says it works with, as requirements for pip.

Usage: python tools/lower_bounds.py > minimal.txt
       pip install -r minimal.txt -e '.[dev]'

What only tests and builds need is left as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

PYPROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
EXTRAS: Final = ("cluster", "pictures", "listen", "serve")
"""The extras that a user installs, but for our own core."""

_BOUND: Final = re.compile(r"([\w.-]+)>=([\w.]+)(,.*)?")


def lower_bounds(requirements: Iterable[str]) -> Iterator[str]:
    """Yield requirements that nothing fulfils but the oldest version allowed.

    Raises:
        ValueError: one has no lower bound.
    """
    for each in requirements:
        if not (bound := _BOUND.fullmatch(each)):
            raise ValueError(f"{each!r} has no lower bound")
        yield f"{bound[1]}=={bound[2]}"


def main() -> None:
    """Print them."""
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for name in EXTRAS for each in extras[name])]
    print(*lower_bounds(wanted), sep="\n")


if __name__ == "__main__":
    main()
