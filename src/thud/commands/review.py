"""`thud review`: where a match went wrong, and what would have been better."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thud.commands.scoreboard import Bar
from thud.commands.sources import opened_with_warning, taken
from thud.review.judged import judgements_in, with_judgements
from thud.review.reviewer import Judged, Means, judge_battle, means
from thud.review.summary import Reviewed
from thud.review.told import move_lines, summary_lines
from thud.rules.reasons import counted

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.saved import Saved

INTERRUPTED: Final = 130


def review(options: Namespace) -> None:
    """Judge the moves of a match and print what went wrong; Ctrl+C keeps what there is.

    The exit status is 130 after Ctrl+C.
    """
    _refuse_to_replace(options)
    with ExitStack() as stack:
        saved = taken(options)
        record = stack.enter_context(saved).record if saved else opened_with_warning(options)
        run = _Run(record, options)
        try:
            run.judge()
        except KeyboardInterrupt:
            run.interrupted = True
        finally:
            kept = _keep(run, saved, options)
        if options.json:
            run.print_json()
        elif kept:
            print(f"\n{kept}")
    if run.interrupted:
        sys.exit(INTERRUPTED)


def _refuse_to_replace(options: Namespace) -> None:
    if options.output and Path(options.output).is_file() and not options.force:
        raise ValueError(f"{options.output} is there already: --force replaces it")


def _keep(run: _Run, saved: Saved | None, options: Namespace) -> str:
    """Put the judgement where it belongs, and say what there is to say of that."""
    if options.output:
        from thud.records.files import write_file

        write_file(Path(options.output), run.record, overwrite=options.force)
        return f"The record with the judgement is {options.output}."
    if saved is None:
        return "'-o OUT' keeps the judgement in a record." if run.judged else ""
    if run.judged:
        saved.annotate(run.record)
        return f"The match keeps its judgement: 'thud replay {saved.id}' shows it."
    return "The match was reviewed before: '--anew' judges its moves again."


class _Run:
    """A review of a match, from the first move to the last."""

    def __init__(self, record: Record, options: Namespace) -> None:
        self._original, self._options = record, options
        self._means: Means = means(options.nodes, options.movetime, options.jobs)
        self._numbers = _numbers(record, options.battle)
        self._known = {
            number: {}
            if options.anew
            else judgements_in(record.variant, record.battles[number - 1])
            for number in self._numbers
        }
        self.judged = 0
        """So many moves have been judged now."""
        self.interrupted = False

    @property
    def record(self) -> Record:
        """The record with all judgements so far."""
        record = self._original
        for number in self._numbers:
            record = with_judgements(record, number, self._known[number])
        return record

    def judge(self) -> None:
        """Judge what has not been judged; print what is marked, a battle after the other."""
        with Bar(
            "moves judged", sum(len(self._missing(number)) for number in self._numbers)
        ) as bar:
            for number in self._numbers:
                self._judge(number, bar)

    def print_json(self) -> None:
        """Print everything for other programs."""
        from thud.review.as_json import review_json

        print(review_json(self._original, [self._reviewed(n) for n in self._numbers]), end="")

    def _judge(self, number: int, bar: Bar) -> None:
        known, lines = self._known[number], self._lines(number)
        self._print(next(lines))
        self._print(next(lines))

        def tell(judged: Judged) -> None:
            known[judged.ply] = judged.judgement
            self.judged += 1
            bar.advance()
            self._print(next(lines))

        try:
            if missing := self._missing(number):
                asyncio.run(judge_battle(self._original, number, missing, self._means, tell))
        finally:
            commanders = self._original.commanders(number)
            self._print(["", *summary_lines(self._reviewed(number), commanders)])

    def _lines(self, number: int) -> Iterator[list[str]]:
        """Yield the heading of a battle, then each time what there is to say by now."""
        dwarfs, trolls = self._original.commanders(number)
        title, space = self._original.variant.title, "" if number == self._numbers[0] else "\n"
        yield [f"{space}{title}, battle {number}: {dwarfs} (dwarfs), {trolls} (trolls)"]
        known, place = self._known[number], 0
        while True:
            begun = place
            while place in known:
                place += 1
            told = {ply: known[ply] for ply in range(begun, place)}
            yield self._told(Reviewed.of(self._original, number, told))

    def _told(self, reviewed: Reviewed) -> list[str]:
        moves = reviewed.moves if self._options.all else reviewed.mistakes
        return [line for move in moves for line in move_lines(reviewed, move)]

    def _reviewed(self, number: int) -> Reviewed:
        return Reviewed.of(self._original, number, self._known[number])

    def _missing(self, number: int) -> list[int]:
        moves = len(self._original.battles[number - 1].moves)
        return [ply for ply in range(moves) if ply not in self._known[number]]

    def _print(self, lines: list[str]) -> None:
        if lines and not self._options.json:
            print("\n".join(lines), flush=True)


def _numbers(record: Record, battle: int | None) -> list[int]:
    """Return the numbers of the battles that are meant.

    Raises:
        ValueError: the record has no such battle.
    """
    known = range(1, len(record.battles) + 1)
    if battle is not None and battle not in known:
        battles = counted(len(known), "battle")
        raise ValueError(f"there is no battle {battle}: the record has {battles}")
    return [battle] if battle is not None else list(known)
