"""Hypothesis profiles: every run tries the same examples, `--hypothesis-profile=search` others."""

from hypothesis import HealthCheck, settings

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
