"""`thud review`: where a match went wrong, and what would have been better."""

from __future__ import annotations

import argparse
import asyncio
import sys
from argparse import Namespace
from contextlib import ExitStack
from os.path import expanduser
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from thud.ai.player import Limits
from thud.cli import launch
from thud.cli.options import (
    add_battle,
    add_file,
    add_limits,
    add_plain,
    add_variant,
    amount,
)
from thud.cli.parser import INTERRUPTED
from thud.cli.progress import Bar
from thud.cli.sources import locked, opened_with_warning
from thud.disk.directories import cache_directory
from thud.engines.analyst import Analyst
from thud.engines.processors import processors
from thud.exercises.drill import Attempts, Task
from thud.exercises.mistakes import mistakes_drill, no_mistakes
from thud.exercises.practise import count_answer, nothing_kept
from thud.records.formats import FORMATS, Extent, known_suffix, write_file
from thud.records.record import Record
from thud.records.store import Saved, Store
from thud.records.words import addressed_in
from thud.review.as_json import review_json
from thud.review.known import left_known
from thud.review.notes import without_judgements
from thud.review.page import SUFFIXES, write_review
from thud.review.reviewer import LOOK, Judged, judge_battle
from thud.review.sentences import closing_lines, heading, in_turn, summary_lines
from thud.review.summary import Progress, Reviewed
from thud.rules.position import Side
from thud.settings.preferences import Preferences
from thud.terminal.signals import exit_cleanly
from thud.terminal.streams import report
from thud.text import counted, why

_SIDES: Final = {side.plural: side for side in Side}


def add_review(command: argparse.ArgumentParser) -> None:
    """Add the arguments: match, limits and output."""
    add_file(command)
    add_variant(command, "the game of a .thud file (the file does not say)")
    add_battle(command, "only one battle, 1 or 2")
    add_limits(
        command, "search", otherwise=f"{LOOK.nodes}, or what {LOOK.seconds:.0f} seconds allow"
    )
    command.add_argument(
        "--jobs", type=amount, metavar="J", help="processes (default: one for each core)"
    )
    command.add_argument("--again", action="store_true", help="judge everything again")
    command.add_argument(
        "--output",
        "-o",
        type=expanduser,
        metavar="OUT",
        help="write a record with the review, or the review as a page (.html) or as text (.txt)",
    )
    command.add_argument("--force", action="store_true", help="replace an existing file")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument(
        "--all", action="store_true", help="print every move, not only marked ones"
    )
    instead.add_argument("--json", action="store_true", help="print the review as JSON")
    instead.add_argument(
        "--learn",
        choices=_SIDES,
        help="turn a side's mistakes into questions, in the first battle or --battle",
    )
    add_plain(command, "with --learn: answer")


def review(options: Namespace) -> None:
    """Judge the moves of a match and print the mistakes; Ctrl+C keeps the judgements so far.

    The exit status is 130 after Ctrl+C.
    """
    output = Path(options.output) if options.output else None
    if output:
        _check_output(output, overwrite=options.force)
    launch.tell_weakness()
    if options.learn and not options.plain:
        launch.require_terminal(options)
    with ExitStack() as stack:
        saved = locked(options)
        record = stack.enter_context(saved).record if saved else opened_with_warning(options)
        run = _ReviewRun(record, options, own=saved is not None)
        interrupted = False
        try:
            with exit_cleanly():
                asyncio.run(run.judge())
        except KeyboardInterrupt:
            interrupted = True
        finally:
            kept = _keep(run, saved, output)
        if options.json:
            print(review_json(record, run.reviewed()), end="")
        elif kept and not options.learn:
            report(f"\n{kept}")
    if interrupted:
        sys.exit(INTERRUPTED)
    if not options.learn:
        return
    number, side = options.battle or 1, _SIDES[options.learn]
    if not options.plain:
        name = saved.id if saved else ""
        from thud.tui.start import Replay

        launch.show(Replay(run.record, name=name, learn=(number, side)), options)
        return
    name = run.people.commanders(number)[side is Side.TROLLS]
    reviewed = run.progress.reviewed(number)
    drill = mistakes_drill(reviewed, side, name)
    if drill is None:
        report(no_mistakes(reviewed, side, name))
    else:
        drill.answered = _count
        launch.drill_in_lines(iter([drill]), launch.lines())


def _count(task: Task, effort: Attempts) -> None:
    """Count an answer in practice, too, or say why it is not kept."""
    try:
        count_answer(Store(), task, effort, dubious=Preferences.load().settings.practise_dubious)
    except OSError as error:
        report(f"thud review: {nothing_kept(error)}", sys.stderr)


def _check_output(path: Path, *, overwrite: bool) -> None:
    """Refuse a file that could not hold the review, or be written, before anything is judged.

    Raises:
        ValueError: the reason.
    """
    records = (each.suffix for each in FORMATS.values() if each.extent is Extent.RECORD)
    known_suffix(path, (*records, *SUFFIXES))
    if path.is_file() and not overwrite:
        raise ValueError(f"{path} exists: use --force to replace it")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file")
    try:
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {why(error)}") from error


def _keep(run: _ReviewRun, saved: Saved | None, output: Path | None) -> str:
    """Save the review, in a file or with the saved match; return a message."""
    if output and output.suffix.lower() in SUFFIXES:
        write_review(str(output), run.record, run.reviewed(), overwrite=True)
        if saved and run.judged:
            saved.annotate(run.record)
        return f"The review is in {output}."
    if output:
        write_file(output, run.record, overwrite=True)
        return f"Saved the record with its review as {output}."
    if saved is None:
        return "Use -o OUT to save the review in a record." if run.judged else ""
    if run.judged:
        saved.annotate(run.record)
        return f"The review is saved with the match. See it with: thud replay {saved.id}"
    if not any(battle.moves for battle in run.record.battles):
        return ""
    return "This match was reviewed before. Use --again to review it again."


class _ReviewRun:
    """One review of a match, from the first move to the last.

    Args:
        record: the match.
        options: the options.
        own: whether it is a saved match.

    Attributes:
        people: the record with the names as they are shown.
        progress: the judgements so far.
        judged: the number of moves judged in this run.

    Raises:
        ValueError: there is no such battle.
    """

    def __init__(self, record: Record, options: Namespace, *, own: bool) -> None:
        self._original, self._options = record, options
        self.people = addressed_in(record) if own else record
        self._numbers = list(range(1, len(record.battles) + 1))
        if options.battle is not None:
            if options.battle not in self._numbers:
                battles = counted(len(self._numbers), "battle")
                raise ValueError(f"there is no battle {options.battle}: the record has {battles}")
            self._numbers = [options.battle]
        judged = without_judgements(record, *self._numbers) if options.again else record
        self.progress = Progress(judged)
        self.progress.renew(*self._numbers)
        self.judged = 0

    @property
    def record(self) -> Record:
        """The record with all judgements so far."""
        return self.progress.noted(self._original)

    def reviewed(self) -> list[Reviewed]:
        """Return the reviewed battles."""
        return [self.progress.reviewed(number) for number in self._numbers]

    async def judge(self) -> None:
        """Judge the missing moves of each battle, printing the marked ones."""
        missing = sum(len(self.progress.missing(number)) for number in self._numbers)
        with Bar("moves judged", missing) as bar:
            async with Analyst(self._options.jobs or processors()) as analyst:
                for number in self._numbers:
                    await self._judge(number, analyst, bar)

    async def _judge(self, number: int, analyst: Analyst, bar: Bar) -> None:
        options, progress = self._options, self.progress
        prints = not (options.json or options.learn)

        def say(lines: list[str]) -> None:
            if lines and prints:
                report("\n".join(lines))

        news = in_turn(progress, number, every=options.all)
        space = [] if number == self._numbers[0] else [""]
        say([*space, heading(self.people, number), *next(news)])

        def tell(judged: Judged) -> None:
            progress.add(number, judged.ply, judged.judgement)
            self.judged += 1
            bar.advance()
            say(next(news))

        limits = Limits(nodes=options.nodes) if options.nodes else LOOK
        if options.movetime is not None:
            limits = Limits(seconds=options.movetime / 1000)
        try:
            if missing := progress.missing(number):
                await judge_battle(self._original, number, missing, analyst, tell, limits=limits)
        finally:
            reviewed = progress.reviewed(number)
            say(["", *summary_lines(self.people, reviewed)])
        if prints and (known := left_known(reviewed.variant, reviewed.battle, cache_directory())):
            say([known])
        if number == self._numbers[-1]:
            say(list(closing_lines(self.reviewed())))
