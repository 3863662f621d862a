"""Questions and answers, a line each, over any two streams."""

from __future__ import annotations

from typing import BinaryIO, Final, TextIO

LONGEST: Final = 1_000
"""The bytes of a line that are read; what is beyond is passed over."""

_ECHOED: Final = 120
_PATIENCE: Final = 1_000_000
"""After so many bytes without the end of a line the input counts as ended."""


class Lines:
    """Says sentences and asks questions.

    Args:
        source: where answers come from, line by line; anything may be in it.
        sink: where sentences go to.
        echo: repeat each answer behind its question, where no terminal does so.
    """

    def __init__(self, source: BinaryIO, sink: TextIO, *, echo: bool) -> None:
        self._source = source
        self._sink = sink
        self._echo = echo

    def say(self, *sentences: str) -> None:
        """Write each sentence as a line of its own."""
        for sentence in sentences:
            self._sink.write(f"{sentence}\n")
        self._sink.flush()

    def ask(self, question: str) -> str | None:
        """Write a question and return the line that answers it, None at the end of the input."""
        self._sink.write(f"{question} ")
        self._sink.flush()
        answer = self._read()
        if answer is None or self._echo:
            self.say((answer or "")[:_ECHOED])
        return answer

    def _read(self) -> str | None:
        line = self._source.readline(LONGEST)
        if not line or not self._skip_rest(line):
            return None
        text = line.decode(errors="replace").strip()
        return "".join(each if each.isprintable() and each != "\ufffd" else "?" for each in text)

    def _skip_rest(self, line: bytes) -> bool:
        """Pass over what is left of a line that is too long; return False if it has no end."""
        skipped = 0
        while len(line) == LONGEST and not line.endswith(b"\n"):
            line = self._source.readline(LONGEST)
            skipped += len(line)
            if skipped > _PATIENCE:
                return False
        return True
