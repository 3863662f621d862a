"""Hypothesis profiles: every run tries the same examples, `--hypothesis-profile=search` others.

And a fifth variant, for the tests that ask for it.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from thud.rules.variant import Variant
from toy_variant import COMMAND, registered

settings.register_profile(
    "laws",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "search", settings.get_profile("laws"), derandomize=False, max_examples=1000
)
settings.load_profile("laws")


@pytest.fixture
def skirmish() -> Iterator[Variant]:
    """A fifth variant, registered like the others."""
    with registered() as variant:
        yield variant


@pytest.fixture
def skirmish_engines(skirmish: Variant, monkeypatch: pytest.MonkeyPatch) -> Variant:
    """The fifth variant, known to the processes of our own players as well."""
    monkeypatch.setattr("thud.engines.spec._OWN", COMMAND)
    return skirmish
