"""Start a session: on a drawn board, or in lines of text."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from thud.terminal.environment import can_be_drawn_on
from thud.wording.text import quoted, sentence

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


_SAID: Final = ("theme", "pieces", "ascii", "animation", "coach")
"""The settings that the command line can overrule, as far as a command has such an option."""

_SWITCHING: Final = 0.0005
"""Seconds after which a thread that has something to do has its turn."""

HELP: Final = "Type help for a list of commands."


def require_terminal() -> None:
    """Pass where there is a terminal to draw on, and make ready to load what draws.

    Raises:
        ValueError: input or output is no terminal, or one that cannot be drawn on.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("the board needs a terminal: without one, use 'thud play --plain'")
    if not can_be_drawn_on(os.environ):
        kind = quoted(os.environ["TERM"])
        raise ValueError(f"the board cannot be drawn on a {kind} terminal: use 'thud play --plain'")
    if not (sys.__stderr__ and sys.__stderr__.isatty()):
        # Textual draws where errors are told, which may be a file, or closed.
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    load_without_collecting()


def load_without_collecting() -> None:
    """Switch the garbage collector off until the app has painted its first frame.

    Nothing that is loaded until then is garbage: to look for some took a sixth of the time.
    """
    gc.disable()


def preferences(options: Namespace) -> Preferences:
    """Return the settings, overruled by what the command line says."""
    from thud.settings.preferences import Preferences

    said = {name: getattr(options, name, None) for name in _SAID}
    if options.theme is not None:
        _check_theme(options.theme)
    return Preferences.load({name: value for name, value in said.items() if value is not None})


def _check_theme(name: str) -> None:
    if name not in (known := themes()):
        raise ValueError(f"there is no theme {quoted(name)}: use {', '.join(known)}")


def themes() -> list[str]:
    """List the names of all themes."""
    from textual.theme import BUILTIN_THEMES

    from thud.tui.looks.themes import THEMES

    return sorted({*BUILTIN_THEMES, *(theme.name for theme in THEMES), "auto"})


def play_on_board(session: SessionView, options: Namespace, *, notice: str, mention: bool) -> None:
    """Draw the board, and play until the players leave."""
    from thud.tui.app import ThudApp
    from thud.tui.start import Play

    looks = preferences(options)
    run(ThudApp(Play(session, notice, mention), preferences=looks))


def play_hosted(session: Session, terms: Terms, options: Namespace, notice: str = "") -> None:
    """Open a session to others, say how they come, and let it be played."""

    async def prepared() -> Session:
        from thud.net.hosting import opened

        await opened(session, terms)
        print(*session.company.invitation, sep="\n", flush=True)
        return session

    play_prepared(prepared(), options, notice)


def play_prepared(
    preparing: Coroutine[object, object, SessionView], options: Namespace, notice: str = ""
) -> None:
    """Play a session as the options say, on the event loop that prepared it."""
    import logging
    from asyncio import Runner

    # What goes wrong with a guest is for the log of --log alone: without one Python prints it.
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
    """Draw until the players leave, and say what became of the match that was played last."""
    # Frames are written by a thread, which by itself waits five milliseconds for work that goes on.
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
    """End the program if an app has ended with a fault, with its exit status."""
    if app.fault:
        import logging

        logging.getLogger(__name__).critical("ended by a fault", exc_info=app.fault)
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
    """Play in lines of text until the players leave.

    Args:
        session: what is played, wherever the players sit.
        lines: where it is said, and answered.
        coached: let the coach speak up, whatever the settings say.
        notice: what is said first.
        mention: say that another match waits, if one does.
        runner: what the session has been got by, if that took one: its tasks, such as a server,
            go on while lines are awaited, and it is left to whoever has begun it.
    """
    from thud.ai.core import complaint
    from thud.plain.conversation import Conversation
    from thud.plain.course import HOW, run
    from thud.settings.preferences import Preferences
    from thud.terminal.signals import ended_in_order

    looks = Preferences.load()
    takes_all = looks.settings.captures == "all"
    talk = Conversation(session, lines, runner, takes_all=takes_all)
    session.coach.on = looks.settings.coach or coached
    mentioned = session.autosave.mention(HOW) if mention else ""
    faults = (sentence(f"fault in {fault}") for fault in looks.faults)
    with ended_in_order():
        # A command stands at the end of its line, without a full stop.
        core = complaint()
        run(talk, HELP, notice and sentence(notice), mentioned, *faults, core and sentence(core))


def lines() -> Lines:
    """Return the standard streams as lines of text; what no terminal echoes is repeated."""
    from thud.plain.lines import Lines

    return Lines(_input(), sys.stdout, echo=not (sys.stdin and sys.stdin.isatty()))


def _input() -> BinaryIO:
    """Return the standard input in a form that may still be read when the program ends.

    Python locks and closes its own then, and fails where a thread still waits for a line.
    """
    import io

    if not sys.stdin:
        return io.BytesIO()
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:
        return sys.stdin.buffer


def front_page(options: Namespace) -> None:
    """Open the front page."""
    require_terminal()
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.start import Front

    run(ThudApp(Front(), preferences=Preferences.load(), store=Store()), farewell=False)
