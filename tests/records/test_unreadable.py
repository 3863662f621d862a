"""A file that the disk refuses to read is listed with the reason, beside the others."""

from pathlib import Path

import pytest

from saving import begin
from thud.records import summary
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS


def test_a_match_that_cannot_be_read_is_listed_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, read = Store(tmp_path), summary.summary_of
    for _ in range(2):
        match = Match(VARIANTS["classic"])
        match.battle.play(match.variant.legal_moves(match.battle.position)[0])
        with begin(store, match) as saved:
            name = saved.id

    def refuse(path: Path) -> summary.Summary:
        if path.stem == name:
            raise OSError(5, "Input/output error")
        return read(path)

    monkeypatch.setattr(summary, "summary_of", refuse)
    found = store.listing()
    assert [(each.path.stem, each.reason) for each in found.broken] == [
        (name, "Input/output error")
    ]
    assert len(found.unfinished) == 1
