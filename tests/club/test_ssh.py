"""The ssh door, through the system's `ssh`, with a stand-in program that reports its input."""

import asyncio
import json
import os
import shutil
import signal
import socket
import stat
import time
from contextlib import suppress
from pathlib import Path

import pytest

from club.guests import CLOSED, NEEDS_SSH, Guest, ends, inside, made_key, ran, sees
from club.served import WORD, Served, served
from thud.club.ssh.door import WINDOW
from thud.club.storage import WATCHERS, Visitors, notes_path
from thud.disk.small import write_small
from thud.net.seat_registry import Link
from thud.session.participants import SHOW, WATCH
from thud.visitor.profile import SHOWN_VARIABLES
from waiting import until

__all__ = ["served"]

pytestmark = NEEDS_SSH

# Being let in.


async def test_the_word_typed_at_the_terminal_lets_in(served: Served) -> None:
    terminal = served.guest("andrew").at(typing=True)
    await sees(terminal, "The word of the invitation:")
    told = " ".join(terminal.text.split())
    assert "You have no ssh key" in told
    terminal.send("open-says-me\r")
    await sees(terminal, lambda: terminal.text.count("The word of the invitation:") == 2)
    assert "That is not the word of the invitation." in terminal.text
    terminal.send(f" {WORD} \r")
    await sees(terminal, "here andrew xterm-256color")


async def test_three_wrong_words_end_the_line(served: Served) -> None:
    guest = served.guest(word="open-says-me")
    status, shown, said = await ran(guest, "-tt", "club")
    assert (status, shown, guest.times_asked) == (CLOSED, "", 3)
    assert "That was not the word of the invitation: ask whoever invited you." in said
    assert served.told() == []


@pytest.mark.slow
async def test_who_is_forgotten_has_to_go_and_gives_the_word_again(
    served: Served, tmp_path: Path
) -> None:
    guest = served.guest(key=made_key(tmp_path / "key"))
    terminal = await inside(guest)
    visitors = Visitors(served.visitors)
    await asyncio.to_thread(visitors.forget, visitors.known()[0].id)
    await sees(terminal, "ended your visit")
    await ends(terminal)
    for _ in range(2):
        terminal = await inside(guest)
        terminal.send("q")
        await ends(terminal)
    assert guest.times_asked == 2


async def test_the_word_can_come_as_a_password(served: Served) -> None:
    by_password = ("-o", "PreferredAuthentications=password")
    await inside(served.guest(), *by_password)
    status, _, said = await ran(served.guest(), *by_password, "-T", "club")
    assert status == 1
    assert "anybody who knows the word can come in as ann" in said


async def came(served: Served, guest: Guest, *options: str) -> set[str]:
    """Let a guest connect and leave; return all known visitors."""
    terminal = guest.at(*options)
    await sees(terminal, "size 80 24")
    terminal.send("q")
    await ends(terminal)
    return {each.name for each in served.visitors.iterdir()}


async def test_a_key_is_let_in_by_the_word_and_is_one_visitor_from_then_on(
    served: Served, tmp_path: Path
) -> None:
    key = made_key(tmp_path / "key")
    guest = served.guest("ann", key=key)
    status, *_ = await ran(guest, "-tt", "-o", "BatchMode=yes", "club")
    assert (status, served.told()) == (CLOSED, [])
    (known,) = await came(served, guest)
    assert await came(served, guest) == {known}
    assert guest.times_asked == 1
    renamed = served.guest("bob", key=key)
    assert await came(served, renamed) == {known}
    assert renamed.times_asked == 0
    assert len(await came(served, served.guest("bob", key=made_key(tmp_path / "other")))) == 2
    kept = (served.directory / "data" / "club" / "ssh" / "keys.json").read_text()
    assert WORD not in kept
    assert key.with_suffix(".pub").read_text().split()[1] not in kept


async def test_a_key_that_is_only_shown_is_nobodys(served: Served, tmp_path: Path) -> None:
    key = made_key(tmp_path / "key")
    (known,) = await came(served, served.guest(key=key))
    public = tmp_path / "claimed.pub"
    shutil.copy(key.with_suffix(".pub"), public)
    claims = served.guest(key=public)
    after = await came(served, claims)
    assert len(after) == 2
    assert claims.times_asked == 1
    assert known in after


async def test_without_a_key_a_visitor_is_known_by_the_word_and_a_name_that_is_cleaned(
    served: Served,
) -> None:
    name = "a\u00a0\u00a0b " + "x" * 50
    (known,) = await came(served, served.guest(name))
    assert await came(served, served.guest(name)) == {known}
    (told,) = served.told()
    assert told["environment"]["VISITOR_NAME"] == "a b " + "x" * 32
    assert len(await came(served, served.guest("bob"))) == 2


# The terminal.


async def test_every_key_arrives_as_it_is(served: Served) -> None:
    terminal = await inside(served.guest(), "-e", "none")
    for key in ("\x03", "\x1a", "\x11", "\x13", "\x1c", "\x04", "\r", "\xe9"):
        terminal.send(key)
    for key in ("\\x03", "\\x1a", "\\x11", "\\x13", "\\x1c", "\\x04", "\\r", "\\xc3", "\\xa9"):
        await sees(terminal, f"heard '{key}'")


async def test_the_program_knows_how_large_the_terminal_is(served: Served) -> None:
    terminal = await inside(served.guest(), size=(100, 30))
    await sees(terminal, "size 100 30")
    terminal.resize(70, 20)
    await sees(terminal, "size 70 20")
    terminal._set_size(4000, 3000)
    await sees(terminal, "size 500 200")


async def test_the_programs_end_is_that_of_the_line(served: Served) -> None:
    terminal = await inside(served.guest())
    assert terminal.has_mode(1049)
    terminal.send("q")
    assert await ends(terminal) == 7
    assert not terminal.has_mode(1049)
    assert "gone" in terminal.text


async def test_what_a_program_that_was_killed_left_is_put_in_order(served: Served) -> None:
    terminal = await inside(served.guest())
    (told,) = served.told()
    os.kill(told["pid"], signal.SIGKILL)
    assert await ends(terminal) == 128 + 9
    assert not terminal.has_mode(1049)


@pytest.mark.slow
async def test_whoever_does_not_look_is_parted_with(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.ssh.session.STALLED_SECONDS", 0.5)
    terminal = await inside(served.guest())
    terminal.send("f")
    await served.alone()
    assert terminal.process.poll() is None


@pytest.mark.slow
async def test_whoever_does_not_look_makes_no_program_wait(served: Served) -> None:
    terminal = await inside(served.guest())
    terminal.send("d")
    await until(lambda: [*served.visitors.glob("*/drawn")])
    (caller,) = served.door._callers
    assert caller.session
    assert caller.session._buffer._queued
    terminal.process.kill()
    await served.alone()


async def test_what_is_not_heard_is_not_read(served: Served) -> None:
    terminal = await inside(served.guest(), "-e", "none")
    terminal.send("z")
    (caller,) = served.door._callers
    assert caller.session
    assert caller.session._terminal
    program = caller.session._terminal
    os.set_blocking(terminal.own, False)

    def is_full() -> bool:
        with suppress(BlockingIOError):
            os.write(terminal.own, b"y" * 4096)
        return bool(program._typed)

    await until(is_full)
    for _ in range(50):
        is_full()
        await asyncio.sleep(0)
    assert len(program._typed) <= 2 * WINDOW
    terminal.process.kill()
    await served.alone()


# Leaving.


async def test_a_program_that_will_not_end_is_killed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.club.GRACE_SECONDS", 0.1)
    terminal = await inside(served.guest())
    terminal.send("s")
    await sees(terminal, "heard 's'")
    terminal.process.kill()
    await served.alone()
    assert await inside(served.guest())


@pytest.mark.slow
async def test_a_line_without_a_sign_of_life_ends_the_program(served: Served) -> None:
    terminal = await inside(served.guest())
    terminal.signal(signal.SIGSTOP)
    await served.alone()
    assert terminal.process.poll() is None


async def test_the_door_closes(served: Served) -> None:
    terminal = await inside(served.guest())
    await served.door.close()
    assert await ends(terminal) == 143
    assert "good bye" in terminal.text
    assert "The club is closing" in terminal.text
    await served.alone()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", served.port))


async def test_one_too_many_is_told_their_place_and_comes_in_after_those_before(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.ssh.session.LINE_PAUSE", 0.1)
    monkeypatch.setattr(served._club, "_most", 0)
    late = []
    for number, name in enumerate(("ann", "bob"), 1):  # who asks first stands first
        late.append(served.guest(name).at())
        await sees(late[-1], f"you are number {number} in the line")
    late[1].send("x\x03")
    assert await ends(late[1]) == 1
    monkeypatch.setattr(served._club, "_most", 1)
    await sees(late[0], "here ann")


async def test_whoever_comes_again_takes_the_board_over(served: Served) -> None:
    before = await inside(served.guest())
    after = await inside(served.guest())
    assert await ends(before) == 143
    assert "elsewhere" in before.text
    assert after.process.poll() is None


# What is kept.


async def test_the_key_of_the_host_is_made_once_and_private_and_damage_is_told(
    served: Served,
) -> None:
    before = served.host_key
    await served.door.close()
    await served.open()
    assert served.host_key == before
    kept = served.directory / "data" / "club" / "ssh"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert stat.S_IMODE((kept / "host_key").stat().st_mode) == 0o600
    await served.door.close()
    (kept / "host_key").write_text("?")
    with pytest.raises(ValueError, match="host_key' is damaged: delete it"):
        await served.open()


async def test_the_key_of_the_host_is_told(served: Served, tmp_path: Path) -> None:
    (tmp_path / "host.pub").write_text(served.host_key)
    asked = ("ssh-keygen", "-l", "-f", str(tmp_path / "host.pub"))
    shown = await asyncio.create_subprocess_exec(*asked, stdout=asyncio.subprocess.PIPE)
    fingerprint = (await shown.communicate())[0].decode().split()[1]
    assert served.door.invitation == (
        "Anybody on this machine can come in by ssh, with the word or with a key that has used it:",
        f"  ssh -p {served.port} NAME@127.0.0.1",
        f"  the word: {WORD}",
        f"  the key of this host: {fingerprint}",
    )


async def test_what_comes_before_the_board_is_typed_into_it(served: Served) -> None:
    guest = served.guest()
    client = await asyncio.create_subprocess_exec(
        *guest.command("club", "plain"),
        env=guest.environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    shown, _ = await client.communicate(b"hello\n")
    assert (
        b"".join(each[7:8] for each in shown.split(b"\r\n") if each.startswith(b"heard"))
        == b"hello\\"
    )
    assert [line for line in shown.split(b"\r\n") if line.startswith(b"heard")] == [
        *(f"heard '{each}'".encode() for each in "hello"),
        b"heard '\\n'",
    ]


# Tables shown to those who are no visitors.


async def test_a_link_as_the_user_name_shows_a_table_and_leaves_nothing(
    served: Served, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path))
    notes = notes_path(served.directory / "tables", "0123abcd")
    links = [Link("show", SHOW, time.time() + 1000, late=6), Link("watch", WATCH, 2**32)]
    write_small(notes, {"links": links})
    eve = served.guest("0123abcd-show", word="wrong")
    terminal = eve.at()
    await sees(terminal, "size 80 24")
    watching = served.directory / WATCHERS
    (told,) = watching.glob("*/told.json")
    variables = json.loads(told.read_text())["environment"]
    assert [variables[each] for each in SHOWN_VARIABLES] == ["0123abcd-show", "6"]
    terminal.send("q")
    await ends(terminal)
    assert eve.times_asked == 0
    await until(lambda: not [*watching.iterdir()])
    assert not served.visitors.exists()
    for name in ("0123abcd-watch", "0123abcd-shoe", "0123abcd-"):
        status, *_ = await ran(served.guest(name, word="wrong"), "-tt", "club")
        assert status == CLOSED
