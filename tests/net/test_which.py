"""Choice between several open matches."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from unittest.mock import Mock

import pytest

from thud.cli.remote import _chosen, _goal
from thud.net.host_connection import Tokens
from thud.net.transports.invitation import OnThisMachine
from thud.net.transports.local import MatchInfo, OpenMatch

MATCHES = tuple(
    OpenMatch(name, MatchInfo("koom", ("Ann", ""), ("trolls",), 0.0)) for name in ("m1", "m2")
)


def test_it_is_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["", "2", "3", "00012"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert [_chosen(MATCHES).id, _chosen(MATCHES).id] == ["m1", "m2"]
    for _ in range(2):
        with pytest.raises(ValueError, match="a number from 1 to 2"):
            _chosen(MATCHES)
    assert "1  m1 (Koom Valley: Ann and nobody yet, trolls free)" in capsys.readouterr().out
    monkeypatch.setattr("builtins.input", Mock(side_effect=EOFError))
    with pytest.raises(ValueError, match="no match was chosen"):
        _chosen(MATCHES)


def test_a_file_without_an_invitation_is_not_the_open_match(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(ValueError, match=r"there is no invitation in .*empty"):
        _goal(Namespace(where=f"@{tmp_path / 'empty'}"), "seat")


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start without saved seats."""
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))


@pytest.mark.parametrize(
    ("want", "wanted", "known", "meant"),
    [
        ("seat", {"m1": ("trolls",), "m2": ()}, "", "m1"),
        ("seat", {"m1": (), "m2": ("dwarfs",)}, "", "m2"),
        ("seat", {"m1": (), "m2": ()}, "m2", "m2"),
        ("seat", {"m1": ("trolls",), "m2": ()}, "m2", ""),
        ("seat", {"m1": ("trolls",), "m2": ("trolls",)}, "", ""),
        ("watch", {"m1": ("trolls",), "m2": ()}, "", ""),
    ],
)
def test_whoever_joins_takes_the_only_free_seat_or_their_own(
    want: str,
    wanted: dict[str, tuple[str, ...]],
    known: str,
    meant: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = tuple(
        match._replace(about=match.about._replace(wanted=wanted[match.id])) for match in MATCHES
    )
    monkeypatch.setattr("thud.cli.remote.open_matches", lambda: found)
    if known:
        Tokens().keep(known, "token")
    assert _goal(Namespace(where=""), want) == OnThisMachine(meant)
