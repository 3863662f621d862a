"""A real `sshd` for tests, on a free loopback port, with its own keys.

`sshd` is a fixture: `from net.sshd import sshd` in a `conftest.py`.  Without sshd, tests that need
it are skipped, or fail if THUD_SSHD is set.
"""

import getpass
import os
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

_PLACES = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
_SEPARATED = Path("/run/sshd")
"""The privilege separation directory of root's sshd; Debian creates it at boot."""


class Sshd(NamedTuple):
    """A running sshd.

    Args:
        user: the user who can log in by key.
        port: listening port.
        command: ssh command that connects to it, for THUD_SSH_COMMAND.
        known: ssh's known_hosts file.
        log: log file.
    """

    user: str
    port: int
    command: str
    known: Path
    log: Path

    @property
    def url(self) -> str:
        """The URL for `thud join`."""
        return f"ssh://{self.user}@127.0.0.1:{self.port}"


@pytest.fixture
def sshd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sshd]:
    """Run an sshd whose sessions see the test's matches; configure ssh to reach it."""
    if fault := _missing():
        (pytest.fail if os.environ.get("THUD_SSHD") else pytest.skip)(fault)
    directory = tmp_path / "sshd"
    directory.mkdir(mode=0o700)
    with running(directory) as found:
        monkeypatch.setenv("THUD_SSH_COMMAND", found.command)
        yield found


def _missing() -> str:
    """Return why there can be no sshd; empty if there can."""
    for name in ("sshd", "ssh", "ssh-keygen"):
        if shutil.which(name, path=_PLACES) is None:
            return f"there is no {name} here"
    return ""


@contextmanager
def running(directory: Path) -> Iterator[Sshd]:
    """Run an sshd with its files in a directory, during the context."""
    if os.geteuid() == 0:
        _SEPARATED.mkdir(mode=0o755, exist_ok=True)
    for name in ("host_key", "user_key"):
        _made_key(directory / name)
    port = free_port()
    found = Sshd(
        getpass.getuser(),
        port,
        f"ssh -F {shlex.quote(str(directory / 'ssh_config'))}",
        directory / "known_hosts",
        directory / "log",
    )
    _configure(directory, found)
    program = shutil.which("sshd", path=_PLACES)
    assert program
    arguments = ["-D", "-f", str(directory / "sshd_config"), "-E", str(found.log)]
    with subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL) as process:
        try:
            _accepting(process, found)
            yield found
        finally:
            process.terminate()


def _made_key(path: Path) -> None:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, check=True)


def _configure(directory: Path, sshd: Sshd) -> None:
    """Write the configuration of both ends."""
    told = " ".join(
        f'"{name}={os.environ[name]}"'
        for name in ("THUD_RUN_DIR", "THUD_DATA_DIR", "THUD_CONFIG_DIR", "THUD_CACHE_DIR")
        if name in os.environ
    )
    (directory / "sshd_config").write_text(
        f"Port {sshd.port}\n"
        "ListenAddress 127.0.0.1\n"
        f"HostKey {directory}/host_key\n"
        f"AuthorizedKeysFile {directory}/user_key.pub\n"
        f"PidFile {directory}/pid\n"
        "StrictModes no\n"
        "UsePAM no\n"
        "PermitRootLogin prohibit-password\n"
        "PasswordAuthentication no\n"
        "KbdInteractiveAuthentication no\n" + (f"SetEnv {told}\n" if told else "")
    )
    public = (directory / "host_key.pub").read_text()
    sshd.known.write_text(f"[127.0.0.1]:{sshd.port} {public}")
    (directory / "ssh_config").write_text(
        f"IdentityFile {directory}/user_key\n"
        "IdentitiesOnly yes\n"
        "IdentityAgent none\n"
        f"UserKnownHostsFile {sshd.known}\n"
        "GlobalKnownHostsFile /dev/null\n"
        "StrictHostKeyChecking ask\n"
        "UpdateHostKeys no\n"
    )


def free_port() -> int:
    """Return a port of the loopback on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _accepting(process: subprocess.Popen[bytes], sshd: Sshd) -> None:
    """Wait until connections are accepted."""
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", sshd.port)).close()
        except ConnectionRefusedError:
            time.sleep(0.01)
        else:
            return
    raise AssertionError(f"sshd has ended: {sshd.log.read_text()}")
