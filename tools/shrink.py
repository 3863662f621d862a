"""Leaves in directories only the modules that some import names, as bytecode.

`tools/build_page.py` runs it in Pyodide, whose Python's bytecode the page needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from modulefinder import ModuleFinder
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_file
from typing import Final

_WIDGETS: Final = (
    *("collapsible", "content_switcher", "digits", "footer"),
    *("header", "help_panel", "key_panel", "link", "list_item", "list_view", "log", "markdown"),
    *("markdown_viewer", "masked_input", "pretty", "radio_button", "radio_set"),
    *("rich_log", "selection_list", "sparkline", "switch", "tab", "tabbed_content"),
    *("tabs", "text_area", "welcome"),
)
"""Textual's widgets that the program has none of."""

_NEVER_USED: Final = (
    *("doctest", "pdb", "pydoc", "unittest", "test", "tkinter", "turtle", "curses", "sqlite3"),
    *("multiprocessing", "distutils", "setuptools", "ensurepip", "webbrowser", "smtplib", "ftplib"),
    *("http.server", "http.cookiejar", "xml", "xmlrpc", "mailbox", "imaplib", "poplib", "cProfile"),
    *("optparse", "ctypes.macholib", "lib2to3", "wsgiref", "dbm", "pickletools", "_pyrepl"),
    *("PIL", "pytest", "tree_sitter", "IPython", "attr", "pyarrow"),
    *(f"textual.widgets._{name}" for name in _WIDGETS),
)
"""Modules whose import is a choice that nothing here makes."""


def shrink(wanted: Sequence[str], *places: str) -> None:
    """Delete every module that neither is wanted nor imported, and compile the others.

    Args:
        wanted: the names, or patterns of them, of the modules to begin with.
        places: the directories, in the order of Python's path.
    """
    modules = {name: path for place in places for name, path in _modules(Path(place))}
    roots = [name for name in modules if any(fnmatch(name, each) for each in wanted)]
    needed = {Path(each) for each in _imported(roots, places)}
    for path in modules.values():
        if path in needed:
            where = str(path)
            compile_file(
                where,
                where + "c",
                dfile=where,
                doraise=True,
                optimize=2,
                invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
            )
        path.unlink()
    kept = sum(1 for path in modules.values() if path in needed)
    print(f"{kept} of {len(modules)} modules are left", file=sys.stderr)


def _modules(place: Path) -> Iterator[tuple[str, Path]]:
    for path in place.rglob("*.py"):
        parts = path.relative_to(place).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _imported(roots: Iterable[str], places: Sequence[str]) -> Iterator[str]:
    """Yield the files of modules, and of all that they import anywhere."""
    finder = ModuleFinder(list(places), excludes=list(_NEVER_USED))
    sys.setrecursionlimit(5000)
    for name in roots:
        finder.import_hook(name)
    for module in finder.modules.values():
        if path := getattr(module, "__file__", None):
            yield path
