"""How often players and spectators may come and go."""

from __future__ import annotations

import pytest

from net.meeting import Meeting
from net.test_hostile import HELLO, WATCH, Raw
from thud.session.events import Departed
from waiting import until


@pytest.mark.parametrize(("hello", "most"), [(HELLO, 2), (WATCH, 4)], ids=["player", "spectators"])
async def test_spectators_may_come_in_greater_numbers_than_one_player(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch, hello: bytes, most: int
) -> None:
    monkeypatch.setattr("thud.net.host.ARRIVALS", 2)
    monkeypatch.setattr("thud.net.host.WATCHERS", 4)
    monkeypatch.setattr("thud.net.host.ARRIVAL_SECONDS", 3600.0)
    monkeypatch.setattr("thud.net.framed_stream.FAREWELL_SECONDS", 0.05)
    token = ""
    for _ in range(6):
        raw = await Raw.at(meeting, hello.replace(b"}", f',"token":"{token}"}}'.encode()))
        token = str((await raw.hear_until("welcome")).get("token", token))
        raw.say(b'{"m":"bye"}\n')
        await raw.ends()
    assert raw.heard[0] == "closed"
    await until(lambda: sum(isinstance(each, Departed) for each in meeting.told["host"]) == most)
