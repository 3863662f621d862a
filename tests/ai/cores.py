"""Helper for tests of the compiled core: they are skipped without it, unless it is required."""

import os

import pytest

from thud.ai.compiled import Core
from thud.ai.core import VARIABLE, compiled, told


def the_core() -> Core:
    """Return the core, or skip the test."""
    core = compiled()
    if core is None:
        assert os.environ.get(VARIABLE) != "required"
        pytest.skip(f"there is no core here: {told()}")
    return core
