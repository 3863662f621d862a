"""Rate limiting."""

import asyncio

import pytest

from thud.net.token_bucket import TokenBucket


async def test_who_says_too_much_is_heard_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    pace = TokenBucket(4, 10)
    assert [pace.spend(5), pace.spend(5), pace.spend(2)] == [0.0, 0.0, 0.5]
    now += 3600.0
    assert [pace.spend(10), pace.spend(1)] == [0.0, 0.25]
