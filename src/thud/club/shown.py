"""A table shown to somebody who has a link for that, and is no visitor of the club."""

from __future__ import annotations

import os
from typing import Final

from thud.club.past_in_lines import NO_FILES
from thud.net.host_connection import Caller
from thud.net.remote import Remote
from thud.net.transports.invitation import OnThisMachine
from thud.net.transports.resolve import transport_to
from thud.plain.lines import Lines
from thud.plain.loop import begun_runner
from thud.plain.match import MatchRepl, run
from thud.session.participants import SHOW
from thud.terminal.signals import exit_cleanly
from thud.text import sentence
from thud.visitor.links import late_in_words
from thud.visitor.profile import SHOWN_OVER, SHOWN_VARIABLES
from thud.visitor.tables import split_link

_NEEDS_MORE: Final = frozenset(
    {"hint", "review", "learn", "say", "said", "who", "reconnect", "link", "new", "again", "undo"}
    | {"redo", "claim"}
)
"""Commands that are for players, or need a computer."""


def _notice() -> str:
    late = os.environ.get(SHOWN_VARIABLES[1], "0")
    how = f", {late_in_words(int(late))}" if late != "0" else ""
    return f"This link shows you the table{how}. Nobody there sees that you watch."


async def shown(link: str) -> Remote:
    """Return the match at a table as its link shows it.

    Raises:
        ValueError: the link shows nothing any longer, or the table does not answer.
    """
    table, word = split_link(link)
    transport = transport_to(OnThisMachine(table, word))
    return await Remote.joined(transport, Caller("", SHOW))


def show_in_lines(link: str, lines: Lines) -> int:
    """Show a table in lines of text until the watcher leaves; return the exit status."""
    with begun_runner() as runner, exit_cleanly():
        try:
            session = runner.run(shown(link))
        except ValueError as refusal:
            lines.say(sentence(str(refusal)))
            return 1
        repl = MatchRepl(session, lines, runner, off=NO_FILES | _NEEDS_MORE)
        run(repl, _notice(), "Type help for the commands.")
        lines.say(SHOWN_OVER)
    return 0


def show_on_board(link: str, *, browser: bool) -> int:
    """Show a table on the board until the watcher leaves; return the exit status."""
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.deployments import SHOWN_SSH, SHOWN_WEB
    from thud.tui.start import PlayMatch

    deployment = SHOWN_WEB if browser else SHOWN_SSH
    with begun_runner() as runner:
        try:
            session = runner.run(shown(link))
        except ValueError as refusal:
            if not browser:  # there the page says so
                print(sentence(str(refusal)), flush=True)
            return 1
        preferences = Preferences.load()
        app = ThudApp(PlayMatch(session, _notice()), preferences=preferences, deployment=deployment)
        runner.run(app.run_async())
    return app.return_code or 0
