"""The log file of `--log FILE`: standard logging, no secrets."""

from __future__ import annotations

import logging
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from thud.cli.parser import on_one_line, versions
from thud.text import quoted, why

_LEVELS: Final = {"thud": logging.DEBUG, "asyncio": logging.WARNING}
"""The loggers written, with their levels."""

_LEFT_OUT: Final = "[secret]"
_NAMED: Final = re.compile(
    r"""(\#|\b(?:cookie|token|secret|authorization|word)\b["']?\s*[:=]\s*["']?)"""
    r"""(?!\[secret\])[^\s"',;)}\]]{6,}""",
    re.IGNORECASE,
)
"""The text after the name of a secret, or after `#` as in an invitation."""

_LONG: Final = re.compile(r"(?<![\w-])[\w-]{22,}(?![\w-])", re.ASCII)
"""Any word as long as a secret, of the same characters."""

_OF_WORDS: Final = re.compile(
    r"[\W_]*(?:[A-Z][a-z]{3,})+|(?!.*(?:[A-Za-z][0-9]|[0-9][A-Za-z]))(?:[^A-Z]*|[^a-z]*)", re.ASCII
)
"""A word that long but no secret: a name such as `ConnectionAbortedError`, or all in one case with
letters and digits apart.  A new secret is taken for one less than once in a million."""


@contextmanager
def logging_to(name: str, command: str | None) -> Iterator[None]:
    """Append a log to a file, from the versions to the error that ends the command, if any.

    Raises:
        ValueError: the file cannot be written.
    """

    def private(path: str, flags: int) -> int:
        return os.open(path, flags, 0o600)

    try:
        stream = open(name, "a", encoding="utf-8", errors="backslashreplace", opener=private)  # noqa: SIM115
    except OSError as error:
        raise ValueError(f"the log {quoted(name)} cannot be written: {why(error)}") from None
    logging.raiseExceptions = False  # no messages across the board when the disk is full
    handler = logging.StreamHandler(stream)
    line = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(_Formatter(line))
    before = {each: logging.getLogger(each).level for each in _LEVELS}
    for each, level in _LEVELS.items():
        logging.getLogger(each).addHandler(handler)
        logging.getLogger(each).setLevel(level)
    log = logging.getLogger("thud.cli")
    # Joined to one word, as `platform` does it, they may look like a secret.
    system = " ".join((platform.system(), platform.release(), platform.machine()))
    log.info("%s, %s: %s", versions(), system, command or "front page")
    try:
        yield
    except Exception as error:
        log.error("ended by %s", type(error).__name__, exc_info=True)
        raise
    finally:
        log.info("end")
        for each, level in before.items():
            logging.getLogger(each).removeHandler(handler)
            logging.getLogger(each).setLevel(level)
        stream.close()


def without_secrets(text: str) -> str:
    """Return a text with secrets removed: invitations, tokens and cookies."""

    def hidden(found: re.Match[str]) -> str:
        return found[0] if _OF_WORDS.fullmatch(found[0]) else _LEFT_OUT

    return _LONG.sub(hidden, _NAMED.sub(rf"\1{_LEFT_OUT}", text))


class _Formatter(logging.Formatter):
    """Writes a record on one line, with secrets removed from tracebacks too."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        return on_one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))
