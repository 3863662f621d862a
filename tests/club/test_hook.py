"""The web hook of a club: what is sent, to whom, and what becomes of an answer."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from club.test_keeper import ANN, Guest, guests, kept, plays
from thud.club import hook, keeper
from thud.club.hook import Hook, Reminders, hook_in, post
from thud.visitor.tables import NOT_REMINDED, REMINDED, KeeperRefused
from waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Sink:
    """What a hook is sent to."""

    def __init__(self) -> None:
        self.got: list[str] = []
        self.status = 200

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Keep a message, and answer with the status."""
        self.got.append(await request.text())
        return web.Response(status=self.status)


@asynccontextmanager
async def sink(answer: Answer) -> AsyncIterator[str]:
    """Serve POSTs; yield the address."""
    app = web.Application()
    app.router.add_post("/secret", answer)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/secret"
    finally:
        await runner.cleanup()


@pytest.fixture(autouse=True)
def often(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path / "run"))
    monkeypatch.setattr(keeper, "REMIND_SECONDS", 0.01)


async def test_a_club_without_a_hook_reminds_nobody(tmp_path: Path) -> None:
    async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
        await until(ann.line.known.is_set)
        assert not ann.state.hook
        with pytest.raises(KeeperRefused, match="no way to tell you outside"):
            await ann.line.remind(True)


async def test_who_is_away_and_wants_it_is_told_once_of_each_turn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    there = Sink()
    async with sink(there.answer) as url:
        (tmp_path / "hook.toml").write_text(f'url = "{url}"\nhours = 0\nlink = "https://c.example"')
        async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
            await until(lambda: ann.state.hook)
            assert not ann.state.reminded
            table = await ann.opens()
            first, second = await ann.sits_down(table), await bob.sits_down(table)
            await plays(first, "dF1-F5")
            await until(lambda: second.state.battle.played == 1)
            assert await ann.line.remind(True) == REMINDED
            await until(lambda: ann.state.reminded)
            await ann.goes()
            there.status = 500
            await plays(second, "tG7-G6")
            await until(lambda: len(there.got) > 1)
            assert "the web hook fails: it answers with status 500" in caplog.text
            there.status = 200
            number = len(there.got)
            await until(lambda: len(there.got) > number)
            again = Guest(tmp_path, "a" * 32, "Ann")
            await until(lambda: again.state.reminded)
            told = {*there.got}
            number = len(there.got)
            assert await again.line.remind(False) == NOT_REMINDED
            await again.goes()
            await bob.leaves()
    assert told == {"Guest: it is your turn against Bob (Classic). https://c.example"}
    assert len(there.got) == number
    assert url not in caplog.text


@pytest.mark.parametrize("json", [True, False])
async def test_a_message_is_json_for_chat_programs_and_else_plain_text(json: bool) -> None:
    there = Sink()
    async with sink(there.answer) as url:
        assert await post(Hook(url, json), "@everyone") == ""
    as_json = '{"text": "@everyone", "content": "@everyone", "allowed_mentions": {"parse": []}}'
    assert there.got == [as_json if json else "@everyone"]


async def test_whatever_answers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def large(_: web.Request) -> web.StreamResponse:
        return web.Response(body=bytes(10_000_000))

    over = asyncio.Event()

    async def never(_: web.Request) -> web.StreamResponse:
        await over.wait()
        return web.Response()

    async def elsewhere(_: web.Request) -> web.StreamResponse:
        raise web.HTTPFound("/secret")

    async with sink(large) as url:
        assert await post(Hook(url), "x") == ""
    async with sink(elsewhere) as url:
        assert await post(Hook(url), "x") == ""
    monkeypatch.setattr(hook, "_SECONDS", 0.2)
    async with sink(never) as url:
        assert await post(Hook(url), "x") == "it cannot be reached (TimeoutError)"
        over.set()
    assert "cannot be reached (" in await post(Hook(url), "x")
    assert "cannot be reached (" in await post(Hook("http://[/secret"), "x")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("url", "not TOML"),
        ("", ""),
        ("uri = 'https://x.example/secret'", "no setting of the name 'uri'"),
        (f"url = {'[' * 2000}{']' * 2000}", "not TOML"),
        ("url = 3", "url has a value of another kind"),
        ("url = 'ftp://x.example/secret'", "url has to begin with https://"),
        ("hours = 2", "url has to begin with https://"),
        ("url = 'https://x.example/secret'\nhours = -1", "from 0 to 1000"),
        ("url = 'https://x.example/secret'\nhours = true", "hours has a value of another kind"),
    ],
)
def test_a_wrong_file_is_told_without_the_address(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "hook.toml"
    path.write_text(text)
    if not fault:
        assert hook_in(path) is None
        return
    with pytest.raises(ValueError, match=fault) as refusal:
        hook_in(path)
    assert "secret" not in str(refusal.value)


def test_a_file_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "hook.toml"
    assert hook_in(path) is None
    path.write_text(f"#{'x' * 4096}\nurl = 'https://x.example/secret'")
    with pytest.raises(ValueError, match="more than 4,096 bytes"):
        hook_in(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ValueError, match="it cannot be read: "):
        hook_in(path)


def test_a_digest_comes_at_most_so_often_and_only_for_something_new(tmp_path: Path) -> None:
    reminders = Reminders(tmp_path / "reminders.json")
    reminders.switch(ANN, True)
    assert not reminders.due(ANN, {}, 1e9, 1)
    assert reminders.due(ANN, {"t": "1"}, 1e9, 1)
    reminders.note(ANN, {"t": "1"}, 1e9)
    reminders = Reminders(tmp_path / "reminders.json")
    assert not reminders.due(ANN, {"t": "1"}, 2e9, 1)
    assert not reminders.due(ANN, {"t": "2"}, 1e9 + 3599, 1)
    assert reminders.due(ANN, {"t": "2"}, 1e9 + 3601, 1)
    assert reminders.due(ANN, {"t": "2"}, 1e9 - 5, 1), "the clock was wrong"
    reminders.switch(ANN, False)
    assert not reminders.due(ANN, {"t": "2"}, 2e9, 1), "it was switched off meanwhile"
    reminders.switch(ANN, False)
    assert Reminders(tmp_path / "reminders.json").wanted_by == ()


def test_a_damaged_file_tells_nobody_anew(tmp_path: Path) -> None:
    (tmp_path / "reminders.json").write_text('{"a": 3, "b": {"at": "x"}}')
    assert Reminders(tmp_path / "reminders.json").wanted_by == ("a", "b")
