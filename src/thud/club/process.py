"""A visitor's process: forked (`thud.club.fork_server`), or `python -P -m thud.club.process`.

It limits its resources and starts the sandbox before it imports and runs the app.
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Play with a visitor until they leave; return the exit status.

    Ctrl+C before the app has the terminal, or after it has left it, ends the process quietly: so
    nothing is imported before.
    """
    try:
        from thud.club.sandbox import enclose

        enclose()
        return _play()
    except KeyboardInterrupt:
        return 130


def _play() -> int:
    from thud.club.storage import MOST_KEPT
    from thud.disk.directories import data_directory
    from thud.records.store import Store
    from thud.visitor.profile import PLAIN_VARIABLE, SHOWN_VARIABLES, WAY_BACK

    browser, link = "TEXTUAL_DRIVER" in os.environ, os.environ.get(SHOWN_VARIABLES[0], "")
    store = Store(data_directory(), MOST_KEPT, WAY_BACK)
    if os.environ.get(PLAIN_VARIABLE):
        from thud.club.in_lines import streams, visit

        if link:
            from thud.club.shown import show_in_lines

            return show_in_lines(link, streams(browser=browser))
        return visit(store, browser=browser)
    from thud.settings.preferences import Preferences
    from thud.terminal.environment import prepare_colours

    prepare_colours(os.environ)
    if link:
        from thud.club.shown import show_on_board

        return show_on_board(link, browser=browser)
    from thud.tui.app import ThudApp
    from thud.tui.deployments import SSH, WEB
    from thud.tui.start import Front

    deployment = WEB if browser else SSH
    app = ThudApp(Front(), preferences=Preferences.load(), store=store, deployment=deployment)
    try:
        app.run()
    finally:
        if app.session:
            app.session.autosave.close()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
