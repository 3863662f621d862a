"""Tables of the command line: aligned, whole, and as narrow as names allow."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from thud.cli.tables import AlignedTable

HEADINGS = "id", "players", "score", "winner"
names = st.text("abc é日本ö e\u0301\u200d", max_size=40).map(lambda text: " ".join(text.split()))
rows = st.lists(st.tuples(st.just("20260101-000000-0000"), names, st.just("1 : 2"), names))


def table_of(added: list[tuple[str, ...]]) -> AlignedTable:
    table = AlignedTable(*HEADINGS)
    for row in added:
        table.add_row(*row)
    return table


@given(rows)
def test_columns_are_aligned(added: list[tuple[str, ...]]) -> None:
    lines = list(table_of(added)._lines(None))
    assert len(lines) == 1 + len(added)
    widest = max(cell_len(row[1]) for row in [HEADINGS, *added])
    for line, (name, players, score, winner) in zip(lines[1:], added, strict=True):
        padding = " " * (widest - cell_len(players))
        assert line == f"{name}  {players}{padding}  {score}  {winner}".rstrip()


@given(rows, st.integers(1, 120))
def test_names_are_wrapped_whole(added: list[tuple[str, ...]], room: int) -> None:
    lines = list(table_of(added)._lines(room))
    least = sum(map(len, ("20260101-000000-0000", "1 : 2"))) + 2 * 14 + 3 * 2
    assert all(cell_len(line) <= max(room, least) for line in lines)
    for character in "abcé日本ö":
        there = sum(name.count(character) for row in added for name in (row[1], row[3]))
        assert "".join(lines[1:]).count(character) == there


def test_a_row_is_wrapped_between_words() -> None:
    players = "Granny Weatherwax – Nanny"
    heading, *lines = table_of([("20260101-000000-0000", players, "1 : 2", "Nanny")])._lines(60)
    start, end = heading.index("players"), heading.index("score")
    assert [line[start:end].strip() for line in lines] == ["Granny Weatherwax –", "Nanny"]
