"""Generates shell completions and the manual page from the program's arguments.

Usage: python tools/shell_files.py [DIRECTORY]

The build does so too (build_hook.py), without dependencies installed: so the argument parser must
load with only the standard library.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final
from unittest.mock import patch

ROOT: Final = Path(__file__).resolve().parents[1]
BUILT: Final = ROOT / "build" / "shell"
INSTALLED: Final = MappingProxyType(
    {
        "thud.bash": "share/bash-completion/completions/thud",
        "_thud": "share/zsh/site-functions/_thud",
        "thud.fish": "share/fish/vendor_completions.d/thud.fish",
        "thud.1": "share/man/man1/thud.1",
    }
)
"""Where systems look for each file, below the place where programs are installed."""

_FILES: Final = {"FILE", "FILE|DIR", "FILE|ID", "OUT"}
_PLAYERS: Final = ("human", *"1234567", "random", "material")
_UNDRAWN: Final = MappingProxyType({"COLUMNS": "71", "NO_COLOR": "1"})
"""Has argparse write usages in no colours, and so narrow that no line is broken when indented."""

_NO_REQUEST: Final = re.compile(
    r"^(?:'|\.(?!(?:TH|SH|SS|TP|PP|RS|RE|UR|UE|nf|fi|br|sp|B|I)\b))", re.MULTILINE
)
"""What begins a line of text and would be taken for a request to the typesetter, as `.tgn`."""

_SECTIONS: Final = {
    "environment": """.TP
.B THUD_DATA_DIR
where matches are kept, in place of the system's directory for data.
.TP
.B THUD_CONFIG_DIR
where settings.toml is, in place of the system's directory for settings.
.TP
.B THUD_CACHE_DIR
where the index of thud explore is, in place of the system's directory for caches.
.TP
.B THUD_RUN_DIR
where open matches are found by thud join on the same machine.
.TP
.B THUD_PAGE_URL
the address of the page that links to a match open
.TP
.B THUD_COMPILED_DIR
a directory of machine code that is only read, instead of one in the cache
.TP
.B THUD_SSH_COMMAND
another program than ssh, for thud join ssh://...
.TP
.B THUD_VISITOR_NAME
what a visitor of thud serve is called at first; set by the door.
.TP
.B TEXTUAL_THEME
the theme, where the settings leave it open.
.TP
.B NO_COLOR
draw in shades of grey.
""",
    "files": """.B thud doctor
names the files and directories of this machine, and what is set in them.
""",
    "exit status": """.TP
.B 0
all is well.
.TP
.B 2
bad arguments, files or texts, with one line on standard error.
.TP
.B 130
interrupted by Ctrl+C.
""",
}


def whole_parser() -> argparse.ArgumentParser:
    """Return the full argument parser, with all commands, of this source tree."""
    sys.path.insert(0, str(ROOT / "src"))
    try:
        from thud.cli.parser import parser_of
    finally:
        sys.path.pop(0)
    return parser_of()


def completions() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the completions."""
    import shtab

    parser = whole_parser()
    for each in _actions(parser):
        _say_what_completes(each, shtab.FILE, shtab.DIRECTORY)
    for name, shell in ("thud.bash", "bash"), ("_thud", "zsh"), ("thud.fish", "fish"):
        yield name, shtab.complete(parser, shell)


def manual() -> str:
    """Return the manual page, dated by SOURCE_DATE_EPOCH or today."""
    with patch.dict(os.environ, _UNDRAWN):
        return _NO_REQUEST.sub(r"\\&\g<0>", _page())


def _page() -> str:
    from argparse_manpage.manpage import Manpage

    parser = whole_parser()
    about, epilog = str(parser.description), str(parser.epilog)
    parser.description, parser.epilog = f"{about} {epilog}", None
    page = Manpage(parser, format="single-commands-section")
    page.description = about.removeprefix("Thud, ").rstrip(".")
    page.source, page.manual = f"thud {_version()}", "Games"
    for heading, content in _SECTIONS.items():
        page.add_section(heading, ">", content)
    return str(page)


def shell_files() -> dict[str, str]:
    """Return the names and texts of all files."""
    return {**dict(completions()), "thud.1": manual()}


def write(directory: Path) -> Mapping[str, Path]:
    """Write all files into a directory; return their paths by name."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in shell_files().items():
        (directory / name).write_text(text, encoding="utf-8", newline="\n")
    return {name: directory / name for name in INSTALLED}


def _version() -> str:
    from thud import __version__

    return __version__


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments of a parser and its commands."""
    for each in parser._actions:
        yield each
        if isinstance(each, argparse._SubParsersAction):
            for command in each.choices.values():
                yield from _actions(command)


def _say_what_completes(
    argument: argparse.Action, file: Mapping[str, object], directory: Mapping[str, object]
) -> None:
    """Set an argument's completions, unless it has choices already."""
    if argument.metavar in _FILES:
        argument.complete = file  # type: ignore[attr-defined]  # the attribute that shtab reads
    elif argument.metavar == "DIR":
        argument.complete = directory  # type: ignore[attr-defined]  # here, too
    elif argument.metavar == "WHO":
        fair = ("fair",) if "--opponent" in argument.option_strings else ()
        argument.choices = (*fair, *_PLAYERS)
    elif argument.metavar == "VARIANT":
        from thud.rules.variants import VARIANTS

        argument.choices = list(VARIANTS)


if __name__ == "__main__":
    before = time.perf_counter()
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else BUILT)
    print(f"{len(INSTALLED)} files in {time.perf_counter() - before:.1f} s")
