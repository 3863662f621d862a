"""Runs the tests of the computer players with both searches: Python and the compiled core."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.cores import the_core
from thud.ai.core import OFF, REQUIRED, VARIABLE


@pytest.fixture(params=["python", "core"])
def each_search(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run a test with the Python search and with the core; skip the latter if not installed."""
    if request.param == "core":
        the_core()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, REQUIRED if request.param == "core" else OFF)
        yield request.param
