"""Questions and answers, a line each, over any two streams."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from thud.terminal.signals import block_signals
from thud.text import legible, spaced

if TYPE_CHECKING:
    import asyncio

    from thud.plain.loop import Loop

LONGEST: Final = 1_000
"""Longest line read, in bytes; the rest is skipped."""

_ECHOED: Final = 120
_MOST_SKIPPED: Final = 1_000_000
"""Bytes skipped without a line end after which the input counts as ended."""


class Superseded(Exception):
    """The question no longer stands; nothing was read."""


class Lines:
    """Says sentences and asks questions.

    Args:
        source: the input, with any bytes.
        sink: the output.
        echo: whether to repeat each answer after its question, where no terminal does so.

    Attributes:
        ended: whether the input has ended.
    """

    def __init__(self, source: BinaryIO, sink: TextIO, *, echo: bool) -> None:
        self._source = source
        self._sink = sink
        self._echo = echo
        self._loop: Loop | None = None
        self._reading: Future[str | Exception | None] | None = None
        self._recheck: asyncio.Future[None] | None = None
        self._begun = False
        self.ended = False

    def set_loop(self, loop: Loop | None) -> None:
        """Run a loop's tasks while an answer is awaited; None stops that.

        They may write lines of their own meanwhile.
        """
        self._loop = loop

    def say(self, *sentences: str) -> None:
        """Write each sentence on a line of its own, below an open question."""
        if not sentences:
            return
        if self._begun:
            self.break_off()
        self._write("".join(f"{sentence}\n" for sentence in sentences))
        self.recheck()

    def break_off(self) -> None:
        """End the current line, with a question or typed text on it."""
        self._begun = False
        self._write("\n")

    def recheck(self) -> None:
        """Make the prompt check whether its question still stands."""
        if self._recheck is not None:
            _wake(self._recheck)

    def ask(self, question: str, stands: Callable[[], bool] = lambda: True) -> str | None:
        """Write a question and return the line typed in answer, None at the end of the input.

        Args:
            question: the question, empty for none.
            stands: whether it still stands after something else was written.

        Raises:
            Superseded: it does not; a line typed meanwhile answers the next question.
        """
        self._pose(question)
        while not self._hear():
            if not stands():
                raise Superseded
            if not self._begun:
                self._pose(question)
        reading, self._reading = self._reading, None
        answer = reading.result() if reading else self._read()
        self._begun = False
        if isinstance(answer, Exception):
            raise answer
        self.ended = answer is None
        if answer is None or self._echo:
            self._write(f"{(answer or '')[:_ECHOED]}\n")
        return answer

    def _pose(self, question: str) -> None:
        if self._begun:
            self.break_off()
        # A terminal echoes typed text: even without a question the line may not be empty.
        self._begun = bool(question) or not self._echo
        self._write(question and f"{question} ")

    def _hear(self) -> bool:
        """Wait for a line while tasks run; return False if something was written before it."""
        if self._loop is None:
            return True
        if self._reading is None:
            self._reading = reading = Future[str | Exception | None]()

            def read() -> None:
                block_signals()
                try:
                    reading.set_result(self._read())
                except Exception as error:  # raised where the line is awaited
                    reading.set_result(error)

            # A daemon thread, as its read may block for ever.
            Thread(target=read, daemon=True).start()
        return self._loop.run(partial(self._awaited, self._reading))

    async def _awaited(self, line: Future[str | Exception | None]) -> bool:
        from asyncio import get_running_loop

        loop = get_running_loop()
        self._recheck = recheck = loop.create_future()

        def read(_: object) -> None:
            # If the loop is closed, nobody waits any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_wake, recheck)

        line.add_done_callback(read)
        try:
            await recheck
        finally:
            self._recheck = None
        return line.done()

    def _write(self, text: str) -> None:
        self._sink.write(text)
        self._sink.flush()

    def _read(self) -> str | None:
        line = rest = self._source.readline(LONGEST)
        skipped = 0
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = self._source.readline(LONGEST)
            skipped += len(rest)
            if skipped > _MOST_SKIPPED:
                return None
        if not line:
            return None
        return legible(spaced(line.decode(errors="replace").replace("\ufffd", "?")))


def _wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)
