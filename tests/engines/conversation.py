"""Talks to `thud engine` as another program would."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

COMMAND = [sys.executable, "-m", "thud", "engine"]


class Conversation:
    """Exchanges lines with an engine."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the engine has ended"
        return line.rstrip("\n")

    def hear_until(self, beginning: str) -> list[str]:
        heard = [self.hear()]
        while not heard[-1].startswith(beginning):
            heard.append(self.hear())
        return heard


@contextmanager
def conversation(*arguments: str) -> Iterator[Conversation]:
    """Start an engine; in the end it must exit with status 0 and no errors."""
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Conversation(process)
            _, errors = process.communicate(timeout=30)
            assert (process.returncode, errors) == (0, "")
        finally:
            process.kill()
