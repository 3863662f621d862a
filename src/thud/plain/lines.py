"""Questions and answers, a line each, over any two streams."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from thud.terminal.signals import left_to_others
from thud.wording.text import legible

if TYPE_CHECKING:
    import asyncio

    from thud.plain.loop import Loop

LONGEST: Final = 1_000
"""The bytes of a line that are read; what is beyond is passed over."""

_ECHOED: Final = 120
_MOST_SKIPPED: Final = 1_000_000
"""Bytes without the end of a line after which the input counts as ended."""


class Overtaken(Exception):
    """The question no longer stands; nothing was read."""


class Lines:
    """Says sentences and asks questions.

    Args:
        source: where answers come from, line by line; anything may be in it.
        sink: where sentences go to.
        echo: repeat each answer behind its question, where no terminal does so.

    Attributes:
        ended: the input has ended.
    """

    def __init__(self, source: BinaryIO, sink: TextIO, *, echo: bool) -> None:
        self._source = source
        self._sink = sink
        self._echo = echo
        self._loop: Loop | None = None
        self._reading: Future[str | Exception | None] | None = None
        self._roused: asyncio.Future[None] | None = None
        self._begun = False
        self.ended = False

    def attend(self, loop: Loop | None) -> None:
        """Run a loop's tasks while an answer is awaited, or stop doing so.

        They may say something then, on lines of their own.
        """
        self._loop = loop

    def say(self, *sentences: str) -> None:
        """Write each sentence as a line of its own, below what is being asked."""
        if self._begun and sentences:
            self.break_off()
        self._write("".join(f"{sentence}\n" for sentence in sentences))
        if sentences:
            self.rouse()

    def break_off(self) -> None:
        """End the line on which something has been asked, or typed."""
        self._begun = False
        self._write("\n")

    def rouse(self) -> None:
        """Make the prompt check whether its question still stands."""
        if self._roused is not None:
            _wake(self._roused)

    def ask(self, question: str, stands: Callable[[], bool] = lambda: True) -> str | None:
        """Write a question and return the line that answers it, None at the end of the input.

        Args:
            question: what is asked; nothing, if it is known.
            stands: whether it is still to be asked after something else has been said.

        Raises:
            Overtaken: it is not; the line that is typed meanwhile answers what is asked next.
        """
        self._pose(question)
        while not self._hear():
            if not stands():
                raise Overtaken
            if not self._begun:
                self._pose(question)
        return self._answer()

    def _pose(self, question: str) -> None:
        if self._begun:
            self.break_off()
        # Where a terminal echoes what is typed, something may stand there without a question.
        self._begun = bool(question) or not self._echo
        self._write(question and f"{question} ")

    def _hear(self) -> bool:
        """Wait for an answer while tasks run; return False where something was said before it."""
        if self._loop is None:
            return True
        if self._reading is None:
            self._reading = Future()
            # Nobody waits for this thread at the end of the program: it may wait for ever.
            Thread(target=self._read_beside, args=(self._reading,), daemon=True).start()
        return self._loop.run(partial(self._awaited, self._reading))

    async def _awaited(self, line: Future[str | Exception | None]) -> bool:
        from asyncio import get_running_loop

        loop = get_running_loop()
        self._roused = roused = loop.create_future()

        def read(_: object) -> None:
            # Nobody waits any more where the loop is closed.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_wake, roused)

        line.add_done_callback(read)
        try:
            await roused
        finally:
            self._roused = None
        return line.done()

    def _answer(self) -> str | None:
        reading, self._reading = self._reading, None
        answer = reading.result() if reading else self._read()
        self._begun = False
        if isinstance(answer, Exception):
            raise answer
        self.ended = answer is None
        if answer is None or self._echo:
            self._write(f"{(answer or '')[:_ECHOED]}\n")
        return answer

    def _write(self, text: str) -> None:
        self._sink.write(text)
        self._sink.flush()

    def _read_beside(self, reading: Future[str | Exception | None]) -> None:
        """Read a line in a thread of its own."""
        left_to_others()
        try:
            reading.set_result(self._read())
        except Exception as error:  # whoever awaits the line is told
            reading.set_result(error)

    def _read(self) -> str | None:
        line = self._source.readline(LONGEST)
        if not line or not self._skip_rest(line):
            return None
        text = line.decode(errors="replace").strip()
        return legible(text.replace("\ufffd", "?"))

    def _skip_rest(self, line: bytes) -> bool:
        """Pass over what is left of a line that is too long; return False if it has no end."""
        skipped = 0
        while len(line) == LONGEST and not line.endswith(b"\n"):
            line = self._source.readline(LONGEST)
            skipped += len(line)
            if skipped > _MOST_SKIPPED:
                return False
        return True


def _wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)
