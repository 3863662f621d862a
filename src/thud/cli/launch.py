"""Start the board, or a front end in lines of text, each loaded here alone."""

from __future__ import annotations

import gc
import io
import os
import sys
from argparse import Namespace
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from thud.cli.parser import USAGE_ERROR
from thud.disk.directories import data_directory
from thud.disk.small import DAMAGED, damaged_in
from thud.records.store import Store
from thud.settings.preferences import Preferences
from thud.terminal.environment import can_be_drawn_on, prepare_colours
from thud.terminal.signals import exit_cleanly
from thud.terminal.streams import at_terminal, flush_or_discard, report
from thud.text import meant, quoted, sentence

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from thud.exercises.drill import Drill
    from thud.explore.library import Library
    from thud.plain.lines import Lines
    from thud.records.record import Record
    from thud.session.view import SessionView
    from thud.tui.app import ThudApp
    from thud.tui.start import Start
    from thud.tui.textual_fixes import FixedApp


HELP: Final = "Type help for a list of commands."


def require_terminal(options: Namespace) -> None:
    """Check that there is a terminal to draw on, and prepare to load the interface.

    Args:
        options: the options; those of some commands have `plain`.

    Raises:
        ValueError: there is no such theme, input or output is not a terminal, or it cannot be
            drawn on.
    """
    prepare_colours(os.environ)
    check_theme(options)
    instead = ""
    if not getattr(options, "command", ""):
        instead = ": use 'thud play --plain' instead"
    elif "plain" in options:
        instead = ": use --plain instead"
    if not at_terminal():
        raise ValueError(f"the board needs a terminal{instead}")
    if not can_be_drawn_on(os.environ):
        kind = quoted(os.environ["TERM"])
        raise ValueError(f"the board cannot be drawn on a {kind} terminal{instead}")
    if not (sys.__stderr__ and sys.__stderr__.isatty()):
        # Textual draws on standard error, which may be a file or closed.
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    # Until the first frame nothing loaded is garbage: collecting took a sixth of the time.
    gc.disable()


def preferences(options: Namespace) -> Preferences:
    """Return the settings, overridden by the command line."""
    names = ("theme", "pieces", "ascii", "animation", "coach", "sound")
    said = {name: value for name in names if (value := getattr(options, name, None)) is not None}
    return Preferences.load(said)


def check_theme(options: Namespace) -> None:
    """Check that there is the theme of the options, if any.

    Raises:
        ValueError: there is none of this name.
    """
    theme = getattr(options, "theme", None)
    if theme is not None and theme not in (known := themes()):
        then = meant(theme, known, f"use {', '.join(known)}")
        raise ValueError(f"there is no theme {quoted(theme)}{then}")


def themes() -> list[str]:
    """Return the names of all themes."""
    from textual.theme import BUILTIN_THEMES

    from thud.tui.looks.themes import THEMES

    return sorted({*BUILTIN_THEMES, *(theme.name for theme in THEMES), "auto"})


def show(
    start: Start,
    options: Namespace,
    *,
    library: Callable[[], Library] | None = None,
    runner: Runner | None = None,
) -> None:
    """Show the app, from its first screen until the players leave.

    Args:
        start: the first screen.
        options: the options, with looks that override the settings.
        library: returns the matches to explore, if not the saved ones.
        runner: the runner that prepared the session, if any; the caller closes it.
    """
    require_terminal(options)
    looks = preferences(options)
    from thud.tui.app import ThudApp  # Textual is loaded here, once its colours are known

    app = ThudApp(start, preferences=looks, store=Store(), library=library)
    run(app, runner=runner)


def front_page(options: Namespace) -> None:
    """Open the front page."""
    from thud.tui.start import Front

    show(Front(), options)


def run(app: ThudApp, *, runner: Runner | None = None) -> None:
    """Run the app until the players leave, then print how to get back to the last match."""
    # A thread writes the frames: by default it waits five milliseconds while others are busy.
    sys.setswitchinterval(0.0005)
    try:
        if runner:
            runner.run(app.run_async())
        else:
            app.run()
    finally:
        gc.enable()
        if app.session:
            app.session.autosave.close()
    if said := app.matches.farewell():
        try:
            print(said, flush=True)
        except OSError:  # the terminal is gone
            flush_or_discard()
    end_as(app)


def end_as(app: FixedApp) -> None:
    """Log the fault that ended an app, if any, and exit with the app's status."""
    if app.exit_error:
        import logging  # the app has loaded it

        logging.getLogger(__name__).critical("ended by a fault", exc_info=app.exit_error)
    if app.return_code:
        sys.exit(app.return_code)


def play_in_lines(
    session: SessionView,
    lines: Lines,
    *,
    coached: bool = False,
    notice: str = "",
    mention: bool = False,
    runner: Runner | None = None,
) -> None:
    """Play in plain text until the players leave; exit with status 2 if the match is not saved.

    Args:
        session: the session, local or remote.
        lines: output and input.
        coached: whether to turn the coach on, whatever the settings.
        notice: message to show first.
        mention: whether to mention another unfinished match.
        runner: the runner that prepared the session, if any: its tasks, such as a server, run while
            lines are awaited, and the caller closes it.
    """
    from thud.plain.match import HOW, MatchRepl, run

    looks = Preferences.load()
    settings = looks.settings
    repl = MatchRepl(session, lines, runner, takes_all=settings.captures == "all")
    session.set_computers(coach=settings.coach or coached, voices=settings.voices)
    mentioned = session.autosave.mention(HOW) if mention else ""
    faults = (sentence(f"fault in {fault}") for fault in looks.faults)
    tell_weakness()
    with exit_cleanly():
        # `mentioned` ends with a command, so it gets no full stop.
        run(repl, HELP, notice and sentence(notice), mentioned, *faults)
    if session.autosave.has_unsaved:
        sys.exit(USAGE_ERROR)


def drill_in_lines(drills: Iterator[Drill], lines: Lines) -> bool:
    """Go through drills in plain text; return False if left before the end."""
    from thud.plain.drill import run

    with exit_cleanly():
        return run(drills, lines)


def replay_in_lines(record: Record, name: str = "") -> None:
    """Replay a record in plain text; changes are saved if it is the saved match of a name."""
    from thud.exercises.lessons.model_scores import ModelScores
    from thud.plain.replay import run
    from thud.records.annotation_store import AnnotationStore, in_store

    with exit_cleanly():
        annotations = AnnotationStore(record, in_store(Store(), name) if name else None)
        run(annotations, lines(), questions=ModelScores(data_directory()).questions(record))


def lines() -> Lines:
    """Return the standard streams as `Lines`, which echo input that no terminal does."""
    from thud.plain.lines import Lines

    source: BinaryIO = io.BytesIO()
    if sys.stdin:
        try:
            # Python locks and closes `sys.stdin` while it exits, and fails if a thread still
            # waits for a line.
            source = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - until the end
        except io.UnsupportedOperation:
            source = sys.stdin.buffer
    return Lines(source, sys.stdout, echo=not (sys.stdin and sys.stdin.isatty()))


def tell_damage() -> None:
    """Say on standard error which small files of the data directory are damaged."""
    for path in damaged_in(data_directory()):
        kept = f"when it is replaced, it stays as {path.name}{DAMAGED}"
        report(f"thud: {path} is damaged and counts as empty; {kept}", sys.stderr)


def tell_next(command: str, how: str) -> None:
    """Say after a command what to do next, with options to go on in the same way.

    Scripts are told nothing.
    """
    if not at_terminal():
        return
    from thud.exercises.next_step import next_in

    try:
        step = next_in(Store(), dubious=Preferences.load().settings.practise_dubious)
    except OSError:
        return
    # A match that was left has said how to resume it.
    if step.way != "resume" or command not in ("play", "resume"):
        report(f"{step.told}: {step.command}{how}")


def once_each() -> Callable[[str], None]:
    """Return what prints on standard error, each complaint once however often it is made."""
    return cache(partial(report, stream=sys.stderr))


def tell_weakness() -> None:
    """Say on standard error, once, if our own computers are weak on this machine."""
    from thud.engines.client import Engine

    Engine.on_weakness = lambda told: report(f"thud: {told}", sys.stderr)
