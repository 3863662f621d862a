"""Leaves in directories only the modules that some import names, as bytecode.

`tools/build_page.py` runs it in Pyodide, whose Python's bytecode the page needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
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
    *("doctest", "pdb", "pydoc", "unittest", "test", "tkinter", "turtle", "curses"),
    *("multiprocessing", "distutils", "setuptools", "ensurepip", "webbrowser", "smtplib", "ftplib"),
    *("http.server", "http.cookiejar", "xmlrpc", "mailbox", "imaplib", "poplib", "cProfile"),
    *(
        "optparse",
        "ctypes.macholib",
        "lib2to3",
        "wsgiref",
        "dbm",
        "xml.dom",
        "xml.etree",
        "pickletools",
        "_pyrepl",
    ),
    *("PIL", "pytest", "tree_sitter", "IPython", "attr", "pyarrow"),
    *(f"textual.widgets._{name}" for name in _WIDGETS),
    *(f"textual.drivers.{name}" for name in ("win32", "windows_driver", "linux_inline_driver")),
    *("textual.drivers._input_reader_windows", "rich._win32_console", "rich._windows_renderer"),
)
"""Modules whose import is a choice that nothing here makes."""


_ELSEWHERE: Final = ("termios", "cryptography", "distributed", "PIL", "wasmtime")
"""What only other systems have, or extras; modules that need them are not loaded in a browser."""


def shrink(wanted: Sequence[str], *places: str) -> None:
    """Delete every module that neither is wanted nor imported, and compile the others.

    Args:
        wanted: the names, or patterns of them, of the modules to begin with.
        places: the directories, in the order of Python's path.
    """
    from py_compile import PycInvalidationMode
    from py_compile import compile as compile_file

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


def import_all(place: str, packages: Sequence[str]) -> None:
    """Import every module of packages, to see that nothing is left out that they need.

    Raises:
        ImportError: a module is missing that is not one of those that no browser has.
    """
    sys.path.insert(0, place)
    for path in sorted(Path(place).rglob("*.pyc")):
        parts = path.relative_to(place).with_suffix("").parts
        if parts[0] in packages:
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            try:
                import_module(name)
            except ModuleNotFoundError as missing:
                if missing.name not in _ELSEWHERE:
                    raise


def _modules(place: Path) -> Iterator[tuple[str, Path]]:
    for path in place.rglob("*.py"):
        parts = path.relative_to(place).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _imported(roots: Iterable[str], places: Sequence[str]) -> Iterator[str]:
    """Yield the files of modules, and of all that they import anywhere."""
    from modulefinder import ModuleFinder  # which is not among what is left

    finder = ModuleFinder(list(places), excludes=list(_NEVER_USED))
    sys.setrecursionlimit(5000)
    for name in roots:
        finder.import_hook(name)
    for module in finder.modules.values():
        if path := getattr(module, "__file__", None):
            yield path
