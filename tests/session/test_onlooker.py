"""What the computer thinks of a place, while it finds more."""

import pytest

from thud.ai.player import Decision, Report, Thought
from thud.engines.client import Engine
from thud.rules.position import Move
from thud.rules.variants import VARIANTS
from thud.session.onlooker import Lines, Onlooker


async def test_a_move_stands_on_one_line_only(monkeypatch: pytest.MonkeyPatch) -> None:
    koom = VARIANTS["koom"]
    first, second, third = koom.legal_moves(koom.start)[:3]
    told = [(1, first), (2, second), (3, third), (1, second), (2, first), (1, third), (3, second)]

    async def decide(*_: object, report: Report, **__: object) -> Decision:
        for rank, move in told:
            report(Thought(1, 0, 1, 0.0, (move,), rank=rank))
        return Decision(first)

    monkeypatch.setattr(Engine, "decide", decide)
    reports: list[Lines] = []
    await Onlooker().look(koom, (koom.start,), (), reports.append)
    assert [moves_of(lines) for lines in reports] == [
        {1: first},
        {1: first, 2: second},
        {1: first, 2: second, 3: third},
        {1: second, 3: third},
        {1: second, 2: first, 3: third},
        {1: third, 2: first},
        {1: third, 2: first, 3: second},
    ]


def moves_of(lines: Lines) -> dict[int, Move]:
    """Return the moves by their ranks."""
    return {rank: lines[rank].line[0] for rank in sorted(lines)}
