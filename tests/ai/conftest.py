"""The suite of the players runs over both searches: the Python, and the compiled core."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.cores import the_core
from thud.ai.core import OFF, REQUIRED, VARIABLE


@pytest.fixture(params=["python", "core"])
def each_search(request: pytest.FixtureRequest) -> Iterator[str]:
    """Have the Python search, then the core, which is skipped where there is none."""
    if request.param == "core":
        the_core()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, REQUIRED if request.param == "core" else OFF)
        yield request.param
