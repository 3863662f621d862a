"""An application that lives with whatever a terminal sends."""

from __future__ import annotations

import sys
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable
from functools import partial

from textual.app import App
from textual.driver import Driver


class Lenient(App[None]):
    """Reads UTF-8, and a sign for whatever is none.

    By itself Textual ends with a traceback at a byte of another encoding, pasted perhaps, and has
    no way to be told otherwise.
    """

    def get_driver_class(self) -> type[Driver]:
        """Return what speaks with the terminal."""
        driver = super().get_driver_class()
        module = sys.modules[driver.__module__]
        if hasattr(module, getincrementaldecoder.__name__):
            setattr(module, getincrementaldecoder.__name__, _lenient)
        return driver


def _lenient(encoding: str) -> Callable[[], IncrementalDecoder]:
    return partial(getincrementaldecoder(encoding), "replace")
