"""The fixes for Textual are what their checks ask for."""

import subprocess
import sys
from pathlib import Path

import pytest

import textual_reports
from textual_checks import CHECKS, fixes

ELSEWHERE = {
    *("cropped_updates", "exit_error", "exit_output", "first_screen", "key_names"),
    *("keys_in_order", "restored_anywhere", "sent_codes"),
}
"""Fixes that no class of Textual's can be replaced by, or only for screens of ours."""

QUICK = (
    *("any_numbers", "awaited_worker", "circling_sizes", "closed_palette", "closed_twice"),
    *("gone_option", "huge_sizes", "mount_at_exit", "narrow_lists"),
    *("page_of_none", "removed_callbacks", "removed_styles", "typed_in_order", "unstarted_worker"),
)
"""Checks that a process of its own can do one after the other."""

MENDED = """
import sys
import textual._xterm_parser, textual.app, textual.drivers._writer_thread, textual.screen
import textual.drivers.web_driver, textual.widgets
from thud.club.web.driver import BrowserDriver
from thud.tui import dialog_fixes, textual_fixes as fixes

class App(fixes.FixedApp):
    __class_getitem__ = classmethod(lambda cls, _: cls)

textual.app.App = App
textual.screen.Screen = fixes.FixedScreen
textual.screen.ModalScreen = dialog_fixes.FixedModalScreen
textual.app.CommandPalette = dialog_fixes.Palette
textual.widgets.Input = dialog_fixes.TextLine
textual.widgets.OptionList = dialog_fixes.FixedOptionList
textual._xterm_parser.XTermParser = fixes.CheckedParser
textual.drivers._writer_thread.WriterThread = fixes.Writer
textual.drivers.web_driver.WebDriver = BrowserDriver

import textual_checks as checks

def mended(program):
    old, new = "from textual.app import App", "from thud.tui.textual_fixes import FixedApp as App"
    return program.replace(old, new)

said_by = checks.said_by
checks.said_by = lambda program: said_by(mended(program))
checks._APP = mended(checks._APP)
for name in sys.argv[1:]:
    print(name, checks.CHECKS[name]())
"""
"""Runs checks with our classes in place of Textual's own."""


def test_each_fix_has_a_check() -> None:
    names = fixes()
    assert sorted(names) == sorted(CHECKS)


def said_of(*names: str) -> str:
    """Return what checks say with our classes, or why there is nothing."""
    run = subprocess.run(
        [sys.executable, "-c", MENDED, *names],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout or run.stderr


def test_with_a_fix_its_check_finds_nothing_wrong() -> None:
    assert said_of(*QUICK) == "".join(f"{name} False\n" for name in QUICK)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize("name", sorted(CHECKS.keys() - ELSEWHERE - set(QUICK)))
def test_with_a_fix_its_slow_check_finds_nothing_wrong(name: str) -> None:
    assert said_of(name).splitlines()[-1:] == [f"{name} False"]


REPORTED = ("gone_option", "huge_sizes", "narrow_lists", "page_of_none", "unstarted_worker")
"""Reports whose programs are quick to run."""


def test_each_fix_has_a_report_with_a_program_that_shows_it() -> None:
    reports = {fix.name: fix for fix in textual_reports.fixes()}
    assert sorted(reports) == sorted(CHECKS)
    for fix in reports.values():
        assert fix.fault.endswith("."), fix
        assert fix.wanted.endswith("."), fix
        compile(textual_reports.program(fix.name), fix.name, "exec")
    together = "".join(
        f"exec({textual_reports.program(name)!r}, {{'__name__': {name!r}}})\n" for name in REPORTED
    )
    run = subprocess.run(
        [sys.executable, "-c", together], capture_output=True, text=True, check=False
    )
    assert run.stdout.split() == ["True"] * len(REPORTED), run.stderr
