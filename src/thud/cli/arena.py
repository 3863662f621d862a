"""`thud arena`: matches between two programs."""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from os.path import expanduser
from pathlib import Path
from typing import Final, Self

from thud.ai.player import Limits
from thud.cli import launch
from thud.cli.options import add_clock, add_limits, add_variant, amount, number
from thud.cli.parser import INTERRUPTED
from thud.cli.progress import progress_bars
from thud.disk.directories import data_directory
from thud.engines import arena as here
from thud.engines import cluster
from thud.engines.arena import (
    MatchResult,
    Plan,
    RunningMatch,
    Tallies,
    Tally,
    battle_margins,
    lost_on_time,
)
from thud.engines.cluster import Workers
from thud.engines.spec import Contender, parse_contender
from thud.records.formats import write_file
from thud.records.programs import HIGHEST_LEVEL, SIMPLE_PLAYERS
from thud.records.tgn.writer import ENDS
from thud.rules.clock import parse_control
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.terminal.signals import exit_cleanly
from thud.text import counted, is_number, plural

_LONGEST_OPENING: Final = 40
FAULTY: Final = 1
"""Exit status if a player has failed."""


def add_arena(command: argparse.ArgumentParser) -> None:
    """Add the arguments: players, matches, limits and output."""
    simple = ", ".join(SIMPLE_PLAYERS)
    who = f"cpu:1 to cpu:{HIGHEST_LEVEL}, max (full strength), {simple} or engine:COMMAND"
    command.add_argument("first", metavar="A", help=f"a player: {who}")
    command.add_argument("second", metavar="B", help="another one, or the same")
    command.add_argument(
        "--matches",
        type=amount,
        default=10,
        metavar="N",
        help="matches to play (default: 10)",
    )
    add_limits(command, "move")
    add_clock(command)
    add_variant(command, "the game (default: classic)")
    command.add_argument(
        "--openings",
        type=_opening,
        default=2,
        metavar="K",
        help="start both battles of a match with the same K random moves, at most "
        f"{_LONGEST_OPENING} (default: 2)",
    )
    command.add_argument("--jobs", type=amount, metavar="J", help="matches at a time (default: 1)")
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of a Dask scheduler play, such as tcp://host:8786",
    )
    command.add_argument("--seed", type=number, metavar="S", help="repeat the same openings")
    command.add_argument(
        "--output",
        "-o",
        type=expanduser,
        metavar="DIR",
        help="where to save the matches (default: below arena in the data directory)",
    )
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def _opening(text: str) -> int:
    """Parse the number of a battle's random first moves."""
    if not (is_number(text) and int(text) <= _LONGEST_OPENING):
        moves = f"0 to {_LONGEST_OPENING} moves at random"
        raise argparse.ArgumentTypeError(f"a battle begins with {moves}")
    return int(text)


def arena(options: Namespace) -> None:
    """Play matches between two programs and print the result; Ctrl+C prints it so far.

    The exit status is 1 if a program failed in a match, 130 after Ctrl+C.
    """
    if options.scheduler and options.jobs:
        raise ValueError("--jobs is for this machine only: a worker plays one match in each thread")
    if options.clock and options.movetime is not None:
        raise ValueError("use --clock or --movetime, not both")
    seconds = None if options.movetime is None else options.movetime / 1000
    plan = Plan(
        VARIANTS[options.variant or "classic"],
        (_program(options.first), _program(options.second)),
        options.matches,
        Limits(seconds, options.nodes),
        options.openings,
        options.jobs or 1,
        secrets.randbelow(10**6) if options.seed is None else options.seed,
        f"{date.today():%Y-%m-%d}",
        parse_control(options.clock) if options.clock else None,
    )
    if not options.scheduler:
        launch.tell_weakness()
    usual = data_directory() / "arena" / f"{datetime.now():%Y%m%d-%H%M%S-%f}"
    directory = usual if options.output is None else Path(options.output)
    directory.mkdir(parents=True, exist_ok=True)
    if any(directory.glob("match-*.tgn")):
        raise ValueError(f"{directory} has the matches of another arena: choose another directory")
    run = _ArenaRun(plan, directory, options.scheduler, as_json=options.json)
    try:
        with exit_cleanly():
            run.play()
    except KeyboardInterrupt:
        run.interrupted = True
    finally:
        run.conclude()
        if directory == usual and not run.played:
            with suppress(OSError):
                directory.rmdir()
    if run.interrupted:
        sys.exit(INTERRUPTED)
    if any(match.fault for match in run.played):
        sys.exit(FAULTY)


def _program(text: str) -> Contender:
    contender = parse_contender(text, people=False)
    if contender.human:
        raise ValueError("only computers play in the arena: use 'thud play' for people")
    return contender


class _ArenaRun:
    """One run of an arena, from the first match to the result."""

    def __init__(
        self, plan: Plan, directory: Path, scheduler: str | None, *, as_json: bool
    ) -> None:
        self._plan, self._directory, self._as_json = plan, directory, as_json
        self._scheduler = scheduler
        self.played: list[MatchResult] = []
        self.interrupted = False

    def play(self) -> None:
        """Play all matches, here or by the workers of a scheduler, printing a line for each."""
        plan = self._plan
        if not self._as_json:
            print(_headline(plan), flush=True)
        with Scoreboard(plan, elsewhere=bool(self._scheduler)) as scoreboard:

            def played(match: MatchResult) -> None:
                self.played.append(match)
                write_file(self._path(match), match.record)
                if not self._as_json:
                    print(_match_line(plan, match), flush=True)
                scoreboard.fought(self.played)

            if self._scheduler:
                callbacks = cluster.ClusterCallbacks(scoreboard.at_work, played)
                asyncio.run(cluster.play(plan, self._scheduler, callbacks))
            else:
                asyncio.run(here.play(plan, here.ArenaCallbacks(scoreboard.moved, played)))

    def conclude(self) -> None:
        """Print the result of the matches so far, if any."""
        self.played.sort(key=lambda match: match.number)
        if self._as_json:
            print(json.dumps(self._as_dictionary(), indent=2))
            return
        if self.played or self.interrupted:
            print("\n".join(_result_lines(self._plan, Tallies.of(self.played))))
            if self._plan.control:
                lost = zip(self._plan.names, lost_on_time(self.played), strict=True)
                told = ", ".join(f"{number} by {name}" for name, number in lost)
                print(f"  battles lost on time: {told}")
        if self.played:
            print(f"The matches are in {self._directory}")

    def _path(self, match: MatchResult) -> Path:
        return self._directory / f"match-{match.number:04}.tgn"

    def _as_dictionary(self) -> dict[str, object]:
        plan = self._plan
        return {
            "variant": plan.variant.name,
            "players": [
                {"name": name, "player": contender.text}
                for name, contender in zip(plan.names, plan.contenders, strict=True)
            ],
            "limits": {"seconds": plan.limits.seconds, "nodes": plan.limits.nodes},
            "clock": str(plan.control) if plan.control else None,
            "opening": plan.opening,
            "seed": plan.seed,
            "interrupted": self.interrupted,
            "matches": [
                {
                    "match": match.number,
                    "file": str(self._path(match)),
                    "fault": match.fault or None,
                    "culprit": match.culprit,
                    "margin": sum(battle_margins(match)) if match.record.over else None,
                    "battles": [
                        {
                            "dwarfs": battle.outcome.score.dwarfs,
                            "trolls": battle.outcome.score.trolls,
                            "end": ENDS[battle.outcome.reason],
                            "moves": len(battle.moves),
                        }
                        for battle in match.record.battles
                        if battle.outcome is not None
                    ],
                }
                for match in self.played
            ],
            "result": {
                name: tally._asdict() for name, tally in Tallies.of(self.played)._asdict().items()
            },
            "lost_on_time": list(lost_on_time(self.played)),
        }


class Scoreboard:
    """A bar for the matches, the score so far, and a line for each running match.

    Args:
        plan: the matches to play.
        elsewhere: whether workers play them, which have one line together.
    """

    def __init__(self, plan: Plan, *, elsewhere: bool = False) -> None:
        self._progress = progress_bars()
        self._matches = self._left = plan.matches
        self._total = self._progress.add_task("matches", total=plan.matches)
        jobs = range(1 if elsewhere else min(plan.jobs, plan.matches))
        begins = "asks for workers" if elsewhere else "begins"
        self._jobs = [self._progress.add_task(begins, total=None) for _ in jobs]

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def moved(self, reached: RunningMatch) -> None:
        """Show the progress of a match."""
        match = reached.match
        where = f"match {reached.number}, battle {match.number}"
        moves = match.battle.played
        self._progress.update(self._jobs[reached.job], description=where, completed=moves)

    def at_work(self, crew: Workers) -> None:
        """Show the workers, and how many matches they can play at a time."""
        busy = min(crew.places, self._left)
        who = manned(crew)
        self._progress.update(self._jobs[0], description=who, completed=busy, total=crew.places)

    def fought(self, matches: Sequence[MatchResult]) -> None:
        """Show the result so far."""
        margin = Tallies.of(matches).matches
        error = "" if margin.error is None else f" ± {margin.error:.1f}"
        text = f"{margin.mean:+.1f}{error} a match"
        self._progress.update(self._total, description=text, completed=len(matches))
        self._left = self._matches - len(matches)


def manned(crew: Workers) -> str:
    """Return the number of workers and threads, in words."""
    if not crew.workers:
        return "no worker yet"
    return f"{counted(crew.workers, 'worker')}, {counted(crew.places, 'thread')}"


def _headline(plan: Plan) -> str:
    first, second = plan.names
    clock = f"clock {plan.control}, " if plan.control else ""
    openings = f"openings of {plan.opening} random {plural(plan.opening, 'move')}"
    limits = "their own limits"
    if plan.limits.seconds is not None:
        limits = f"{plan.limits.seconds:g} seconds a move"
    elif plan.limits.nodes is not None:
        limits = f"{plan.limits.nodes} positions a move"
    return (
        f"{first} against {second}, {plan.variant.title}, {clock}{limits}, "
        f"{openings}, seed {plan.seed}"
    )


def _match_line(plan: Plan, match: MatchResult) -> str:
    line = f"match {match.number:3}:"
    if match.fault:
        return f"{line} not counted: {match.fault}"
    margins = battle_margins(match)
    words = [f"{line} {_points(plan, sum(margins))}"]
    for what, margin, battle in zip(Side, margins, match.record.battles, strict=True):
        assert battle.outcome is not None
        how = f"{ENDS[battle.outcome.reason]}, {len(battle.moves)}"
        words.append(f"as {what.plural} {_points(plan, margin)} ({how})")
    return "  ".join(words)


def _points(plan: Plan, margin: float) -> str:
    """Format a margin for a column: whole points if pieces count, else halves."""
    return f"{margin:+3.0f}" if plan.variant.counts_points else f"{margin:+4.1f}"


def _result_lines(plan: Plan, tallies: Tallies) -> list[str]:
    """Return the lines of the result, from the first player's view."""
    first, second = plan.names
    whole = tallies.matches
    if not whole.won + whole.drawn + whole.lost:
        return ["No match was finished."]
    digits = 1 if plan.variant.counts_points else 2

    def mean(tally: Tally) -> str:
        error = "" if tally.error is None else f" ± {tally.error:.{digits}f}"
        return f"{tally.mean:+.{digits}f}{error}"

    def counts(tally: Tally) -> str:
        return f"won {tally.won}, drawn {tally.drawn}, lost {tally.lost}"

    return [
        "",
        f"{first} against {second}: {mean(whole)} points a match",
        f"  matches    {counts(whole)}",
        f"  as dwarfs  {counts(tallies.dwarfs)}, {mean(tallies.dwarfs)} a battle",
        f"  as trolls  {counts(tallies.trolls)}, {mean(tallies.trolls)} a battle",
    ]
