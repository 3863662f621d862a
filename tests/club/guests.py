"""Guests who connect by the system's `ssh`, isolated from this user's ~/.ssh."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from terminal.emulator import TIMEOUT, Terminal

NEEDS_SSH: Final = [
    pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX"),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh here"),
]
"""Marks of a module with guests."""

CLOSED: Final = 255
"""The exit status of ssh if the connection was closed or refused."""

_CONFIGURATION: Final = """
Host *
  HostName {host}
  Port {port}
  User "{name}"
  UserKnownHostsFile {directory}/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  UpdateHostKeys no
  IdentityFile {key}
  IdentitiesOnly yes
  IdentityAgent none
  PubkeyAuthentication {with_key}
  LogLevel INFO
  ExitOnForwardFailure no
  ConnectTimeout 30
"""

_ASKED: Final = """#!/bin/sh
echo asked >> {directory}/asked
cat {directory}/word
"""


def made_key(path: Path) -> Path:
    """Make a key pair without passphrase; return the private key's path."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


class Guest:
    """A guest with `ssh` and its own files.

    Args:
        directory: directory for the files; it is created.
        port: the club's port.
        host_key: the club's public key.
        name: user name.
        word: password.
        key: private key, if any.
        host: the club's address.
    """

    def __init__(
        self,
        directory: Path,
        port: int,
        host_key: str,
        *,
        name: str = "ann",
        word: str = "",
        key: Path | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        directory.mkdir(mode=0o700)
        self.name = name
        self.directory = directory
        self._open: list[Terminal] = []
        (directory / "known_hosts").write_text(f"[{host}]:{port} {host_key}\n")
        (directory / "config").write_text(
            _CONFIGURATION.format(
                host=host,
                port=port,
                name=name,
                directory=directory,
                key=key or "none",
                with_key="yes" if key else "no",
            )
        )
        (directory / "word").write_text(f"{word}\n")
        asked = directory / "ask"
        asked.write_text(_ASKED.format(directory=directory))
        asked.chmod(0o700)

    @property
    def times_asked(self) -> int:
        """Number of password prompts so far."""
        asked = self.directory / "asked"
        return len(asked.read_text().splitlines()) if asked.exists() else 0

    def command(self, *arguments: str, program: str = "ssh") -> list[str]:
        """Return a command with a configuration in which the club is named `club`."""
        return [program, "-F", str(self.directory / "config"), *arguments]

    def environment(self) -> dict[str, str]:
        """Return the environment of a command, in which a program answers password prompts."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.directory),
            "SSH_ASKPASS": str(self.directory / "ask"),
            "SSH_ASKPASS_REQUIRE": "force",
            "TERM": "xterm-256color",
        }

    def at(
        self,
        *options: str,
        size: tuple[int, int] = (80, 24),
        typing: bool = False,
        command: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Terminal:
        """Connect by ssh in a terminal; prompts are answered automatically unless `typing`."""
        told = self.environment() | dict(environment or {})
        if typing:
            told["SSH_ASKPASS_REQUIRE"] = "never"
        terminal = Terminal(self.command(*options, "club", *command), size, told)
        self._open.append(terminal)
        return terminal

    def run(
        self, *arguments: str, program: str = "ssh", term: str = "xterm-256color"
    ) -> subprocess.CompletedProcess[str]:
        """Run a command without a terminal to its end."""
        return subprocess.run(
            self.command(*arguments, program=program),
            env=self.environment() | {"TERM": term},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            start_new_session=True,
            check=False,
        )

    def close(self) -> None:
        """Close all terminals."""
        for terminal in self._open:
            terminal.close()


async def sees(terminal: Terminal, shown: str | Callable[[], bool]) -> None:
    """Wait until a terminal shows a text, or a condition holds."""
    await asyncio.to_thread(terminal.wait_for, shown)


async def ends(terminal: Terminal) -> int:
    """Wait until a terminal's program has ended; return its exit status."""
    return await asyncio.to_thread(terminal.wait_for_end)


async def ran(
    guest: Guest, *arguments: str, program: str = "ssh", term: str = "xterm"
) -> tuple[int, str, str]:
    """Run a guest's command; return its exit status, stdout and stderr."""
    done = await asyncio.to_thread(guest.run, *arguments, program=program, term=term)
    return done.returncode, done.stdout, done.stderr


async def inside(guest: Guest, *options: str, **more: Any) -> Terminal:
    """Connect by ssh, and wait until the stand-in has started."""
    terminal = guest.at(*options, **more)
    await sees(terminal, f"here {guest.name} xterm-256color")
    return terminal
