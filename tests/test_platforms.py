"""What only some systems have is used only where it is listed here.

The type checker knows which functions, constants and signals a system lacks, and finds them all.
The list must be exact.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).parents[1] / "src" / "thud"
_CLUB: Final = "a club refuses to run on Windows"
LACKING: Final[dict[str, dict[str, tuple[str, set[str]]]]] = {
    "win32": {
        "club/broker.py": (_CLUB, {"AF_UNIX", "recv_fds", "send_fds"}),
        "club/club.py": (_CLUB, {"SIGKILL", "killpg"}),
        "club/fork_server.py": (_CLUB, {"fork", "recv_fds", "setsid"}),
        "club/forks.py": (_CLUB, {"AF_UNIX", "SIGKILL", "pidfd_open", "send_fds"}),
        "club/jail.py": (
            _CLUB,
            {
                *("O_CLOEXEC", "O_PATH", "SIGKILL", "WNOHANG", "uname"),
                *("RLIMIT_NPROC", "RLIM_INFINITY", "getrlimit", "setrlimit"),
            },
        ),
        "club/owner.py": (_CLUB, {"geteuid", "start_unix_server"}),
        "club/sandbox.py": (
            _CLUB,
            {
                *("P_PID", "WEXITED", "WNOHANG", "WNOWAIT", "nice"),
                *("RLIMIT_CORE", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIM_INFINITY"),
                *("getrlimit", "setrlimit"),
            },
        ),
        "club/ssh/session.py": (_CLUB, {"SIGWINCH"}),
        "club/ssh/terminal.py": (
            _CLUB,
            {
                *("ECHO", "ICANON", "ICRNL", "IEXTEN", "ISIG", "IXON", "TCSANOW", "TIOCSWINSZ"),
                *("ioctl", "openpty", "set_blocking", "tcgetattr", "tcsetattr"),
            },
        ),
        "disk/lock.py": ("`_machine` asks for the system first", {"uname"}),
        "disk/trust.py": ("only called where there is `geteuid`", {"getegid", "geteuid"}),
        "engines/program.py": (
            "suppressed where they are missing",
            {"PRIO_PROCESS", "getpriority", "setpriority"},
        ),
        "engines/server.py": ("only asked for in a club", {"nice"}),
        "net/transports/permissions.py": ("without `pwd` users have numbers", {"getpwuid"}),
        "net/transports/sockets.py": ("only called where there are Unix sockets", {"AF_UNIX"}),
        "terminal/probe.py": (
            "without `termios` nothing is asked",
            {"TCSAFLUSH", "error", "setcbreak", "tcgetattr", "tcsetattr"},
        ),
        "terminal/streams.py": (
            "`restore_terminal` asks for the system first",
            {"F_GETFL", "F_SETFL", "O_NONBLOCK", "TCOFLUSH", "fcntl", "tcflush"},
        ),
        "tui/textual_fixes.py": (
            "`restore_terminal` asks for the system first",
            {"SIGCONT", "pthread_kill"},
        ),
    },
    "darwin": {
        "club/forks.py": ("visitors are forked on Linux alone", {"pidfd_open"}),
        "club/jail.py": ("a club is only opened to strangers on Linux", {"O_PATH"}),
    },
}
"""What a system lacks and we use, by file, and why it is not reached there.

What is asked for with `hasattr`, or behind a question for the system, is not reported.
"""

_MISSING: Final = re.compile(r'Module has no attribute "(\w+)"')


@pytest.mark.slow
@pytest.mark.parametrize("system", LACKING)
def test_what_a_system_lacks_is_used_only_where_that_is_known(system: str, tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    options = ("--platform", system, "--output", "json", "--cache-dir", str(tmp_path))
    told, failed, _ = api.run(
        [*options, "--config-file", "", "--ignore-missing-imports", SOURCE.as_posix()]
    )
    assert failed == ""
    found: dict[str, set[str]] = {}
    for line in told.splitlines():
        fault = json.loads(line)
        if fault["severity"] == "error" and (name := _MISSING.match(fault["message"])):
            found.setdefault(
                Path(fault["file"]).resolve().relative_to(SOURCE).as_posix(), set()
            ).add(name[1])
    assert found == {file: names for file, (_, names) in LACKING[system].items()}
