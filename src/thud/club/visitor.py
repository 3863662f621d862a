"""What a visitor's process is: `python -P -m thud.club.visitor`, in the visitor's surroundings.

Before anything else it limits itself, and puts the wall around itself; then it plays.
"""

from __future__ import annotations

import gc
import os
import sys

from thud.club.bounds import MOST_KEPT
from thud.club.limits import limit
from thud.club.wall import wall_around
from thud.disk.directories import data_directory, run_directories


def main() -> int:
    """Play with a visitor until they leave; return the exit status."""
    enclose()
    return _play()


def enclose() -> None:
    """Limit this process, and build the wall around it: neither can be taken back."""
    limit()
    sys.dont_write_bytecode = True
    directory = data_directory()
    wall_around(directory, run_directories()).build()
    os.chdir(directory)


def _play() -> int:
    from thud.records.bounded import BoundedStore
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.deployment import SSH, WEB
    from thud.tui.start import Front

    gc.disable()  # until the first frame is painted
    store = BoundedStore(data_directory(), MOST_KEPT)
    deployment = WEB if "TEXTUAL_DRIVER" in os.environ else SSH
    app = ThudApp(Front(), preferences=Preferences.load(), store=store, deployment=deployment)
    try:
        app.run()
    finally:
        gc.enable()
        if app.session:
            app.session.keeper.close()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
