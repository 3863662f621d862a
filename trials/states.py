"""Runs a module of thud, and notes each screen, dialog and question that is reached.

Usage: python trials/states.py FILE MODULE ARGUMENT…

The file gets a line for each.  A dialog or question is named by the function that asks it, so that
no text is noted.  Nothing of thud is loaded before the module loads it.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import FrameType, ModuleType
from typing import Any

DIALOGS = ("AskScreen", "ListScreen", "TextScreen")


class Watched(MetaPathFinder):
    """Finds some modules as usual, and changes each once it is loaded."""

    def __init__(self, note: Callable[[str], object]) -> None:
        self._note = note

    def find_spec(
        self, name: str, path: Any, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module that is watched, with a loader that changes it."""
        change = {
            "textual.screen": self._screens,
            "thud.tui.widgets.modals": self._dialogs,
            "thud.tui.widgets.prompt": self._questions,
            "thud.tui.picking.screen": self._entry,
            "thud.tui.battle.screen": self._past,
        }.get(name)
        spec = PathFinder.find_spec(name, path, target) if change else None
        if spec is None or spec.loader is None:
            return None
        execute: Any = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            assert change
            change(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def _screens(self, module: Any) -> None:
        def name(screen: Any) -> str:
            return getattr(screen, "asked_by", type(screen).__name__)

        _before(module.Screen, "_on_screen_resume", lambda screen: self._note(name(screen)))

    def _dialogs(self, module: Any) -> None:
        for kind in DIALOGS:

            def note(dialog: Any, kind: str = kind) -> None:
                dialog.asked_by = f"{kind} of {_caller('modals')}"

            _before(getattr(module, kind), "__init__", note)

    def _questions(self, module: Any) -> None:
        def note(_: object) -> None:
            self._note(f"question of {_caller('prompt', 'show_question', 'ask')}")

        _before(module.Prompt, "show", note)

    def _entry(self, module: Any) -> None:
        _before(module.BoardPane, "type", lambda _: self._note("move entry"))

    def _past(self, module: Any) -> None:
        _before(module.BattleScreen, "_show_past", lambda _: self._note("looking back"))


def _before(owner: Any, name: str, act: Callable[[Any], object]) -> None:
    method = getattr(owner, name)

    def acting(self: Any, *arguments: Any, **options: Any) -> Any:
        act(self)
        return method(self, *arguments, **options)

    setattr(owner, name, acting)


def _caller(*but: str) -> str:
    """Return the innermost function of thud that is not in this file, nor one to leave out.

    Args:
        but: the names of functions, and of files all of whose functions are left out.
    """
    frame = sys._getframe(1)
    while frame.f_back and (
        os.sep + "thud" + os.sep not in frame.f_code.co_filename
        or not {_file_of(frame), frame.f_code.co_name}.isdisjoint(but)
    ):
        frame = frame.f_back
    return f"{_file_of(frame)}.{frame.f_code.co_name}"


def _file_of(frame: FrameType) -> str:
    return os.path.basename(frame.f_code.co_filename).removesuffix(".py")


def main() -> None:
    """Open the file, which a sandbox might not let be opened later, and run the module."""
    name, module = sys.argv[1:3]
    sys.argv[1:3] = []
    noted = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sys.meta_path.insert(0, Watched(lambda state: os.write(noted, f"{state}\n".encode())))
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
