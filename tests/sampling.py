"""Sampling of test cases for ordinary runs; the slow run tries the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def sampled(cases: Iterable[Any], every: int = 3) -> list[ParameterSet]:
    """Return cases as parameters, all but one in `every` marked slow."""
    return [
        pytest.param(case, marks=pytest.mark.slow if place % every else ())
        for place, case in enumerate(cases)
    ]
