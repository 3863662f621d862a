"""Invitations on the command line, which other users of the machine can see."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sampling import sampled
from terminal.emulator import TIMEOUT

SECRET = "A" * 22


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
@pytest.mark.parametrize("way", sampled(["argument", "input", "file"]))
def test_others_do_not_see_the_secret_of_an_invitation(way: str, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    with socket.create_server(("127.0.0.1", 0)) as host:
        goal = f"thud://127.0.0.1:{host.getsockname()[1]}/#{'B' * 16}.{SECRET}"
        (tmp_path / "invitation").write_text(f"{goal}\n")
        where = {"argument": goal, "input": "-", "file": f"@{tmp_path / 'invitation'}"}[way]
        command = [sys.executable, "-P", "-m", "thud", "join", "--plain", where]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as joining:
            assert joining.stdin
            joining.stdin.write(f"{goal}\ntF1-F5\n" if way == "input" else "")
            joining.stdin.flush()
            host.settimeout(TIMEOUT)
            reached, _ = host.accept()
            shown = Path(f"/proc/{joining.pid}/cmdline").read_bytes()
            joining.kill()
            reached.close()
    assert SECRET.encode() not in shown
    assert shown.split(b"\0")[3:6] == [b"thud", b"join", b"--plain"]
