"""Start the program in the page."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from typing import Any

import thud_host

_PLACES = {
    "HOME": "/home",
    "THUD_DATA_DIR": "/thud/data",
    "THUD_CONFIG_DIR": "/thud/settings",
    "THUD_CACHE_DIR": "/cache",
    "THUD_COMPILED_DIR": "/cache/none",
    "TERM": "xterm-256color",
    "TERM_PROGRAM": "thud-club",
    "COLORTERM": "truecolor",
    "LANG": "C.UTF-8",
    "TEXTUAL_DRIVER": "thud_page.driver:PageDriver",
    "TEXTUAL_FPS": "60",
}


async def run() -> str:
    """Run the program until the player leaves; return what to say then."""
    os.environ.update(_PLACES, THUD_PAGE_URL=thud_host.address)
    from thud_page.threads import do_without_threads

    do_without_threads()
    from thud_page import webassembly

    sys.modules["wasmtime"] = webassembly
    gc.disable()
    from thud.ai import core
    from thud.engines import client
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.deployments import PAGE
    from thud.tui.start import Front
    from thud_page.app import PageApp
    from thud_page.computers import PageProgram

    seam: Any = client
    seam.Program = PageProgram
    os.cpu_count = lambda: thud_host.processors  # a search has a worker of its own
    search: Any = core
    search.main_thread = lambda: None  # no signal interrupts a worker: it searches in place
    store = Store(way_back="It is on the front page.")
    app = PageApp(Front(), preferences=Preferences.load(), store=store, deployment=PAGE)
    await thud_host.opened()
    prefers = thud_host.prefers
    # Before the first frame, which another theme would draw anew.
    app.prefer(touch=prefers.touch, calm=prefers.calm, light=prefers.light)
    try:
        await app.run_async()
    except BaseException:
        traceback.print_exc()
        return "The program has ended by a fault."
    finally:
        gc.enable()
        if app.session:
            app.session.autosave.close()
    return "You have left." if not app.return_code else "The program has ended by a fault."
