"""Start a session, on the board or in plain text."""

from __future__ import annotations

import gc
import io
import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from thud.terminal.environment import can_be_drawn_on, prepare_colours
from thud.text import meant, quoted, sentence

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Coroutine
    from typing import BinaryIO

    from thud.net.seat_registry import Terms
    from thud.plain.lines import Lines
    from thud.session.session import Session
    from thud.session.view import SessionView
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.textual_fixes import FixedApp


_SAID: Final = ("theme", "pieces", "ascii", "animation", "coach", "sound")
"""The settings that the command line can override, if the command has the option."""

_SWITCHING: Final = 0.0005
"""Thread switch interval, in seconds."""

HELP: Final = "Type help for a list of commands."


def require_terminal(options: Namespace) -> None:
    """Check that there is a terminal to draw on, and prepare to load the interface.

    Args:
        options: the options; those of some commands have `plain`.

    Raises:
        ValueError: input or output is not a terminal, or it cannot be drawn on.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError(f"the board needs a terminal{_instead(options)}")
    if not can_be_drawn_on(os.environ):
        kind = quoted(os.environ["TERM"])
        raise ValueError(f"the board cannot be drawn on a {kind} terminal{_instead(options)}")
    if not (sys.__stderr__ and sys.__stderr__.isatty()):
        # Textual draws on standard error, which may be a file or closed.
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    prepare_colours(os.environ)
    disable_gc()


def _instead(options: Namespace) -> str:
    """Return how to do without the board, as the end of a sentence; empty if that is impossible."""
    if "command" not in options or not options.command:
        return ": use 'thud play --plain' instead"
    return ": use --plain instead" if "plain" in options else ""


def disable_gc() -> None:
    """Disable the garbage collector until the app has drawn its first frame.

    Nothing loaded until then is garbage: collecting took a sixth of the time.
    """
    gc.disable()


def preferences(options: Namespace) -> Preferences:
    """Return the settings, overridden by the command line."""
    from thud.settings.preferences import Preferences

    said = {name: getattr(options, name, None) for name in _SAID}
    if options.theme is not None:
        _check_theme(options.theme)
    return Preferences.load({name: value for name, value in said.items() if value is not None})


def _check_theme(name: str) -> None:
    if name not in (known := themes()):
        then = meant(name, known, f"use {', '.join(known)}")
        raise ValueError(f"there is no theme {quoted(name)}{then}")


def themes() -> list[str]:
    """Return the names of all themes."""
    from textual.theme import BUILTIN_THEMES

    from thud.tui.looks.themes import THEMES

    return sorted({*BUILTIN_THEMES, *(theme.name for theme in THEMES), "auto"})


def play_on_board(session: SessionView, options: Namespace, *, notice: str, mention: bool) -> None:
    """Play on the board until the players leave."""
    from thud.tui.app import ThudApp
    from thud.tui.start import Play

    looks = preferences(options)
    run(ThudApp(Play(session, notice, mention), preferences=looks))


def play_hosted(session: Session, terms: Terms, options: Namespace, notice: str = "") -> None:
    """Host a session, print its invitation, and play it."""

    async def prepared() -> Session:
        from thud.net.hosting import opened

        await opened(session, terms)
        print(*session.participants.invitation, sep="\n", flush=True)
        return session

    play_prepared(prepared(), options, notice)


def play_prepared(
    preparing: Coroutine[object, object, SessionView], options: Namespace, notice: str = ""
) -> None:
    """Play a session on the board or in plain text, on the event loop that prepared it."""
    import logging
    from asyncio import Runner

    # Warnings about guests are only for --log: without a handler Python would print them.
    logging.getLogger("thud.net").addHandler(logging.NullHandler())
    with Runner() as runner:
        session = runner.run(preparing)
        if options.plain:
            play_in_lines(session, lines(), notice=notice, runner=runner)
            return
        from thud.tui.app import ThudApp
        from thud.tui.start import Play

        run(ThudApp(Play(session, notice), preferences=preferences(options)), runner=runner)


def run(app: ThudApp, *, farewell: bool = True, runner: Runner | None = None) -> None:
    """Run the app until the players leave, then print what happens to the last match."""
    # A thread writes the frames: by default it waits five milliseconds while others are busy.
    sys.setswitchinterval(_SWITCHING)
    try:
        if runner:
            runner.run(app.run_async())
        else:
            app.run()
    finally:
        gc.enable()
        if app.session:
            app.session.autosave.close()
    if app.session and farewell and (said := app.session.farewell()):
        print(said)
    end_as(app)


def end_as(app: FixedApp) -> None:
    """Log the fault that ended an app, if any, and exit with the app's status."""
    if app.exit_error:
        import logging

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
    """Play in plain text until the players leave.

    Args:
        session: the session, local or remote.
        lines: output and input.
        coached: whether to turn the coach on, whatever the settings.
        notice: message to show first.
        mention: whether to mention another unfinished match.
        runner: the runner that prepared the session, if any: its tasks, such as a server, run while
            lines are awaited, and the caller closes it.
    """
    from thud.cli.options import tell_weakness
    from thud.plain.conversation import Conversation
    from thud.plain.match import HOW, run
    from thud.settings.preferences import Preferences
    from thud.terminal.signals import exit_cleanly

    looks = Preferences.load()
    takes_all = looks.settings.captures == "all"
    talk = Conversation(session, lines, runner, takes_all=takes_all)
    session.coach.on = looks.settings.coach or coached
    session.voices.on = looks.settings.voices
    mentioned = session.autosave.mention(HOW) if mention else ""
    faults = (sentence(f"fault in {fault}") for fault in looks.faults)
    tell_weakness()
    with exit_cleanly():
        # `mentioned` ends with a command, so it gets no full stop.
        run(talk, HELP, notice and sentence(notice), mentioned, *faults)


def lines() -> Lines:
    """Return the standard streams as `Lines`, which echo input that no terminal does."""
    from thud.plain.lines import Lines

    return Lines(_input(), sys.stdout, echo=not (sys.stdin and sys.stdin.isatty()))


def _input() -> BinaryIO:
    """Return the standard input as a stream that may still be read while the program exits.

    Python locks and closes `sys.stdin` then, and fails if a thread still waits for a line.
    """
    if not sys.stdin:
        return io.BytesIO()
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:
        return sys.stdin.buffer


def front_page(options: Namespace) -> None:
    """Open the front page."""
    require_terminal(options)
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.start import Front

    run(ThudApp(Front(), preferences=Preferences.load(), store=Store()), farewell=False)
