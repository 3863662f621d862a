"""An in-process ssh door, with a stand-in for the visitors' program."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from club.guests import Guest
from thud.club.club import ClubServer
from thud.club.doors import DoorOptions
from thud.club.ssh.door import SshDoor, open_ssh
from thud.club.storage import Visitors
from waiting import gone

WORD: Final = "open-sesame"

_STAND_IN: Final = (sys.executable, "-S", str(Path(__file__).with_name("stand_in.py")))


class Served:
    """A club with an open ssh door.

    Args:
        directory: directory for all files.
        most: limit on visitors.
        idle: idle timeout in seconds.
    """

    def __init__(self, directory: Path, most: int = 4, idle: float = 3600.0) -> None:
        self.directory = directory
        self.visitors = directory / "visitors"
        self._club = ClubServer(Visitors(self.visitors), most=most, idle=idle)
        self._guests: list[Guest] = []
        self.door: SshDoor
        self.port = 0
        self.host_key = ""

    async def open(self, word: str = WORD) -> None:
        """Open the door, with a password."""
        self.door = await open_ssh(self._club, DoorOptions("127.0.0.1", self.port, word))
        command = self.door.invitation[1].split()
        self.port = int(command[command.index("-p") + 1])
        private = self.directory / "data" / "club" / "ssh" / "host_key"
        asked = ["ssh-keygen", "-y", "-f", str(private)]
        shown = await asyncio.create_subprocess_exec(*asked, stdout=asyncio.subprocess.PIPE)
        self.host_key = (await shown.communicate())[0].decode().strip()

    async def close(self) -> None:
        """Disconnect all guests, and close the door."""
        for guest in self._guests:
            await asyncio.to_thread(guest.close)
        await self.door.close()

    def guest(self, name: str = "ann", word: str = WORD, key: Path | None = None) -> Guest:
        """Return a guest who can connect."""
        directory = self.directory / f"guest{len(self._guests)}"
        guest = Guest(directory, self.port, self.host_key, name=name, word=word, key=key)
        self._guests.append(guest)
        return guest

    def told(self) -> list[dict[str, Any]]:
        """Return the start data of all visitors' programs so far."""
        return [json.loads(each.read_text()) for each in self.visitors.glob("*/told.json")]

    async def alone(self) -> None:
        """Wait until no visitor's program runs."""
        for each in self.told():
            await gone(each["pid"])


@pytest.fixture
async def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    """Run a club during a test."""
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr("thud.club.club._PROGRAM", _STAND_IN)
    monkeypatch.setattr("thud.club.ssh.auth.WRONG_SECONDS", 0.0)
    found = Served(tmp_path)
    await found.open()
    yield found
    await found.close()
