"""Ctrl+C before a visitor's process has started to play, and after its end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from thud.club import process


@pytest.mark.parametrize("at", ["sandbox.enclose", "process._play"])
def test_an_interrupt_ends_it_quietly(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("thud.club.sandbox.enclose", lambda: None)
    monkeypatch.setattr(f"thud.club.{at}", interrupted)
    assert process.main() == 130


def test_nothing_is_loaded_before_it_can_be_interrupted() -> None:
    tell = "import sys, thud.club.process; print(*(n for n in sys.modules if 'thud.' in n))"
    told = subprocess.check_output([sys.executable, "-P", "-c", tell], text=True)
    assert told.split() == ["thud.club", "thud.club.process"]
