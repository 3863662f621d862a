"""Which of several matches that are open here is meant."""

from __future__ import annotations

import pytest

from thud.cli.join import _chosen
from thud.net.transports.local import About, Open

MATCHES = tuple(Open(name, About("koom", ("Ann", ""), ("trolls",), 0.0)) for name in ("m1", "m2"))


def test_it_is_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["", "2", "3"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert [_chosen(MATCHES).id, _chosen(MATCHES).id] == ["m1", "m2"]
    with pytest.raises(ValueError, match="they go from 1 to 2"):
        _chosen(MATCHES)
    assert "1  m1 (Koom Valley: Ann and nobody yet, trolls free)" in capsys.readouterr().out


def test_no_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    with pytest.raises(ValueError, match="no match was chosen"):
        _chosen(MATCHES)
