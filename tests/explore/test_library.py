"""The index of matches: it agrees with a slow count, stays up to date, and survives damage."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Barrier, BrokenBarrierError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.match_files import battles_with, played, some, write
from rules.strategies import every_variant
from rules.test_symmetry import SYMMETRIES, mapped, of_variant
from thud.explore import library as module
from thud.explore.index import NAME, Index
from thud.explore.library import CannotIndex, ExploredMove, IndexState, Library, Source
from thud.explore.words import made
from thud.records.record import Record
from thud.records.tgn.writer import tgn_text
from thud.records.thudboard import thud_text
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]


@contextmanager
def looking(tmp_path: Path, *roots: Path, variant: Variant | None = None) -> Iterator[Library]:
    """Open an up-to-date library of some directories, or of the default one."""
    library = Library(roots or [tmp_path / "records"], tmp_path / "cache", variant)
    with closing(library):
        library.update()
        yield library


def at_start(library: Library, variant: Variant = CLASSIC) -> dict[str, int]:
    """Return the number of times each move was played at the start."""
    found = library.played(variant, variant.start)
    return {move_text(variant.start, each.move): each.number for each in found}


def count_of(library: Library) -> int:
    return sum(at_start(library).values())


# Counts


@every_variant
def test_it_finds_what_a_slow_count_finds(
    tmp_path: Path, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every orientation, among matches of all games, and written in several batches."""
    monkeypatch.setattr(module, "_AT_ONCE", 100)
    own = some(variant, 8)
    records = [*own, *(each for game in VARIANTS.values() for each in some(game, 1, seed=2))]
    for number, record in enumerate(records):
        write(tmp_path / "records" / f"{number}.tgn", record)
    turns = cycle(SYMMETRIES[name] for name in of_variant(variant))
    with looking(tmp_path) as library:
        for record in own[:3]:
            for battle in record.battles:
                for position in list(battle.positions())[:-1][::5]:
                    assert_counted(records, variant, mapped(next(turns), position), library)


def assert_counted(
    records: list[Record], variant: Variant, position: Position, library: Library
) -> None:
    found = library.played(variant, position)
    assert found
    assert sum(each.share for each in found) == pytest.approx(1)
    for each in found:
        margins = battles_with(records, variant, position, each.move)
        assert len(library.samples(variant, position, each.move)) == len(margins)
        known = [margin for margin in margins if margin is not None]
        assert (each.number, each.over) == (len(margins), len(known))
        assert each.dwarfs == sum(margin > 0 for margin in known)
        assert each.trolls == sum(margin < 0 for margin in known)
        assert each.mean == (pytest.approx(sum(known) / len(known)) if known else None)


def test_a_battle_counts_once_for_a_position_that_it_comes_back_to(tmp_path: Path) -> None:
    back = "dF1-F2", "TG7-G6", "dF2-F1", "TG6-G7"
    write(tmp_path / "records" / "a.tgn", played(*back, "dG1-G2"), played("dG1-G2"))
    with looking(tmp_path) as library:
        found = {text[1] in "FKAP": number for text, number in at_start(library).items()}
        assert found == {True: 1, False: 1}


def test_only_what_is_asked_for_counts_whatever_is_in_the_index(tmp_path: Path) -> None:
    write(tmp_path / "records" / "a.tgn", played("dF1-F5"))
    write(tmp_path / "other" / "b.tgn", played("dF1-F5"))
    with looking(tmp_path, tmp_path / "records", tmp_path / "other") as library:
        assert count_of(library) == 2
    with looking(tmp_path) as library:
        assert count_of(library) == 1
    with looking(tmp_path, tmp_path / "records", tmp_path / "records" / "a.tgn") as library:
        assert count_of(library) == 1


def test_samples_say_where(tmp_path: Path) -> None:
    write(tmp_path / "records" / "a.tgn", played("dG1-G5"), played("dF1-F5", "TG7-G6"))
    with looking(tmp_path) as library:
        position = CLASSIC.start
        move = next(
            each.move
            for each in library.played(CLASSIC, position)
            if move_text(position, each.move)[1] in "FKAP"
        )
        (found,) = library.samples(CLASSIC, position, move)
        assert found.where == (2, 1, 0)
        assert found.battle == ("Ann – Bob", "dF1-F5 TG7-G6", 2)
        assert len(library.samples(CLASSIC, position)) == 2


def test_a_file_that_names_no_game_is_read_as_what_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    path = tmp_path / "records" / "a.thud"
    path.write_text(thud_text(played("dF1-F5")))
    with looking(tmp_path) as library:
        assert count_of(library) == 1
    with looking(tmp_path, variant=VARIANTS["single"]) as library:
        assert sum(at_start(library, VARIANTS["single"]).values()) == 1
        assert count_of(library) == 0


# Staying up to date


def test_files_come_change_and_go(tmp_path: Path) -> None:
    first, second = (tmp_path / "records" / name for name in ("a.tgn", "b.tgn"))
    write(first, played("dF1-F5"))
    with looking(tmp_path) as library:
        write(second, played("dF1-F5"), played("dF1-F5"))
        assert library.update() == IndexState(2, 2)
        assert count_of(library) == 3
        write(first, *[played("dF1-F5")] * 3)
        library.update()
        assert count_of(library) == 5
        second.unlink()
        library.update()
        assert count_of(library) == 3
    with looking(tmp_path) as library:
        assert count_of(library) == 3


def test_what_is_left_behind_is_cleared_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.explore.index._GONE", 2)
    paths = [tmp_path / "records" / f"{number}.tgn" for number in range(3)]
    for path in paths:
        write(path, played("dF1-F5"))
    with looking(tmp_path) as library:
        for path in paths[:2]:
            path.unlink()
        library.update()
        assert count_of(library) == 1
    with closing(sqlite3.connect(tmp_path / "cache" / NAME)) as database:
        assert database.execute("SELECT COUNT(*) FROM play").fetchone() == (1,)
        assert database.execute("SELECT COUNT(*) FROM gone").fetchone() == (0,)


def test_an_update_that_is_broken_off_goes_on_next_time(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path / "records" / f"{number:02}.tgn", played("dF1-F5"))
    library = Library([tmp_path / "records"], tmp_path / "cache")

    def interrupt(state: IndexState) -> None:
        if state.read >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.update(interrupt)
    library.close()
    with closing(Library([tmp_path / "records"], tmp_path / "cache")) as library:
        told: list[IndexState] = []
        library.update(told.append)
        assert [each.read for each in told] == [10, 20, 30, 30]
        assert {each.files for each in told} == {30}
        assert count_of(library) == 30


# What cannot be read

HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(range(256)),
    "large": b"x" * (1 << 20) + b"x",
    "illegal": b'[Variant "classic"]\n1. dF1-F9 TG7-G1 *\n',
    "cut": b'[Variant "classic"]\n1. dF1-F5',
    "unknown": b'[Variant "chess"]\n1. e4 *\n',
    "later": tgn_text(played("dF1-F5")).encode() + b'\n[Variant "classic"]\n1. dF1-H9 *\n',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_cannot_be_read_is_counted_and_hides_nothing(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "records" / "a.tgn", played("dF1-F5"))
    write(tmp_path / "records" / "z.tgn", played("dF1-F5"))
    (tmp_path / "records" / "hostile.tgn").write_bytes(HOSTILE[kind])
    for _ in range(2):
        with looking(tmp_path) as library:
            assert count_of(library) == 2 + (kind == "later"), "matches before a fault count"
            assert library.state[:3] == (3, 3, 1)
            assert "hostile.tgn" in library.state.fault
            assert "\n" not in library.state.fault


@given(faulty=st.lists(st.booleans(), min_size=2, max_size=8))
def test_a_faulty_match_hides_none_of_the_same_file(
    tmp_path_factory: pytest.TempPathFactory, faulty: list[bool]
) -> None:
    tmp_path = tmp_path_factory.mktemp("mixed")
    sound = tgn_text(played("dF1-F5"))
    texts = [sound.replace("F1-F5", "F1-H9") if each else sound for each in faulty]
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "a.tgn").write_text("\n".join(texts))
    with looking(tmp_path) as library:
        assert count_of(library) == faulty.count(False)
        numbers = {each.where.match for each in library.samples(CLASSIC, CLASSIC.start)}
        assert numbers == {number for number, each in enumerate(faulty, 1) if not each}
        told = f"{faulty.count(True)} of {len(faulty)} matches"
        assert (told in library.state.fault) == any(faulty)


def test_a_file_in_the_place_of_a_folder_is_told_and_hides_nothing(tmp_path: Path) -> None:
    write(tmp_path / "records" / "a.tgn", played("dF1-F5"))
    (tmp_path / "matches").touch()
    with looking(tmp_path, tmp_path / "matches", tmp_path / "records") as library:
        assert count_of(library) == 1
        assert library.state[:3] == (2, 2, 1)
        assert "it is a file, not a folder" in library.state.fault
    with closing(Library([], tmp_path / "cache", saved=tmp_path / "matches")) as library:
        assert "it is a file, not a folder" in library.update().fault


def test_what_is_no_record_is_not_looked_at(tmp_path: Path) -> None:
    write(tmp_path / "records" / "deep" / "er" / "a.tgn", played("dF1-F5"))
    write(tmp_path / "records" / ".a.tgn.12345678.tgn", played("dF1-F5"))
    (tmp_path / "records" / "notes.txt").write_text("nothing")
    (tmp_path / "records" / "folder.tgn").mkdir()
    os.mkfifo(tmp_path / "records" / "pipe.tgn")
    os.symlink(tmp_path / "records", tmp_path / "records" / "loop")
    with looking(tmp_path) as library:
        assert library.state == IndexState(1, 1)
        assert count_of(library) == 1


def test_of_saved_matches_no_copy_counts_that_a_cloud_made(tmp_path: Path) -> None:
    saved = tmp_path / "matches"
    own = "20261120-120000-abcd"
    copies = (f"{own} (conflicted copy).tgn", f".stversions/{own}.tgn", f"{own}-LAPTOP7.tgn")
    for name in (f"{own}.tgn", "a.sync-conflict-20261120-120000-ABC.tgn", *copies):
        write(saved / name, played("dF1-F5"))
    with closing(Library([], tmp_path / "cache", saved=saved)) as library:
        assert library.update() == IndexState(1, 1)
        assert count_of(library) == 1
    with closing(Library([], tmp_path / "cache", saved=tmp_path / "missing")) as library:
        assert library.update() == IndexState()


def test_a_name_may_be_anything(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\x1b[31m\n.tgn")
    write(tmp_path / "records" / name, played("dF1-F5"))
    (tmp_path / "records" / f"a{name}").write_text("broken")
    with looking(tmp_path) as library:
        assert count_of(library) == 1
        assert library.state.fault.isprintable()
        assert library.samples(CLASSIC, CLASSIC.start)[0].path.exists()


# The index is only a cache


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def age(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 0")
        database.execute("DROP TABLE play")


def garble_the_schema(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"TABLE battle")] = 0xA5
    path.write_bytes(data)


def put_views(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript("""
            DROP TABLE file;
            CREATE VIEW file AS SELECT 1 AS path, 2 AS id, 3 AS stamp, 4 AS fault;
            DROP TABLE play;
            CREATE VIEW play AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i AS position, i AS file, i AS place, i AS move, i AS margin FROM n;
        """)


def put_pipes(path: Path) -> None:
    for ending in ("-wal", "-journal"):
        os.mkfifo(path.with_name(NAME + ending))


DAMAGES = (
    *(cut, empty, age, garble_the_schema, put_views),
    *([put_pipes] if hasattr(os, "mkfifo") else []),
)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_index_is_made_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    for number in range(3):
        write(tmp_path / "records" / f"{number}.tgn", *some(CLASSIC, 1, number), played("dF1-F5"))
    with looking(tmp_path) as library:
        before = at_start(library)
    damage(tmp_path / "cache" / NAME)
    for _ in range(2):
        with looking(tmp_path) as library:
            assert at_start(library) == before
            assert library.state.lasts


def test_an_index_shares_no_memory_which_could_be_taken_away(tmp_path: Path) -> None:
    write(tmp_path / "records" / "one.tgn", played("dF1-F5"))
    kept = tmp_path / "cache" / NAME
    for _ in range(2):
        with looking(tmp_path) as library:
            assert at_start(library)
            assert not kept.with_name(f"{NAME}-shm").exists()
        with closing(sqlite3.connect(kept)) as database:
            database.execute("PRAGMA journal_mode = WAL")


def test_an_index_with_any_bytes_changed_answers(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / "records" / f"{number}.tgn", *some(CLASSIC, 1, number))
    with looking(tmp_path) as library:
        at_start(library)
        before = library.state
    kept, rng = (tmp_path / "cache" / NAME), Random(1)
    sound = kept.read_bytes()
    for _ in range(40):
        data = bytearray(sound)
        for _ in range(rng.randint(1, 5)):
            data[rng.randrange(rng.choice((100, 4096, len(data))))] = rng.choice((0, 0xA5, 0xFF))
        for each in kept.parent.iterdir():
            each.unlink()
        kept.write_bytes(data)
        with looking(tmp_path) as library:
            at_start(library)
            library.samples(CLASSIC, CLASSIC.start)
            assert library.state == before


def test_an_index_that_is_damaged_while_it_is_open_is_made_anew(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / "records" / f"{number}.tgn", *some(CLASSIC, 1, number))
    with looking(tmp_path) as library:
        before = at_start(library)
    library = Library([tmp_path / "records"], tmp_path / "cache")
    with closing(library):
        library.update()
        with (tmp_path / "cache" / NAME).open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(4096)
            file.write(b"x" * (size - 4096))
        assert at_start(library) == before


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("move", value) for value in (b"", b"\0", b"\xff\xff", b"\0\1\xff", "F1", 7)),
        *(("place", value) for value in (b"x", "x")),
    ],
)
def test_an_index_with_what_makes_no_sense_is_made_anew(
    tmp_path: Path, column: str, value: object
) -> None:
    for number in range(3):
        write(tmp_path / "records" / f"{number}.tgn", played("dF1-F5"))
    with looking(tmp_path) as library:
        before, samples = at_start(library), library.samples(CLASSIC, CLASSIC.start)
    with closing(sqlite3.connect(tmp_path / "cache" / NAME)) as database, database:
        database.execute(f"UPDATE play SET {column} = ? WHERE file = 1", (value,))
    with looking(tmp_path) as library:
        assert {each.where for each in library.samples(CLASSIC, CLASSIC.start)} == {
            each.where for each in samples
        }
        assert at_start(library) == before


@pytest.mark.parametrize("obstacle", ["file", "folder"])
def test_where_it_cannot_be_kept_it_lasts_as_long_as_the_program(
    tmp_path: Path, obstacle: str
) -> None:
    write(tmp_path / "records" / "a.tgn", played("dF1-F5"))
    if obstacle == "file":
        (tmp_path / "cache").touch()
    else:
        (tmp_path / "cache" / NAME).mkdir(parents=True)
    with looking(tmp_path) as library:
        assert count_of(library) == 1
        assert not library.state.lasts


def test_several_at_once_do_no_harm(tmp_path: Path) -> None:
    for number in range(20):
        write(tmp_path / "records" / f"{number}.tgn", played("dF1-F5"))

    def look(_: int) -> tuple[int, bool]:
        with looking(tmp_path) as library:
            return count_of(library), library.state.lasts

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(look, range(8))) == [(20, True)] * 8
    with closing(sqlite3.connect(tmp_path / "cache" / NAME)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT COUNT(*) FROM file").fetchone() == (20,)


def test_an_update_and_a_question_at_once_open_one_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, together = list[Index](), Barrier(2)

    def opening(cache: Path) -> Index:
        # Two threads meet here if both come; one alone does not wait for ever.
        with suppress(BrokenBarrierError):
            together.wait(0.2)
        opened.append(Index(cache))
        return opened[-1]

    monkeypatch.setattr(module, "Index", opening)
    library = Library([tmp_path / "records"], tmp_path / "cache")
    with closing(library), ThreadPoolExecutor() as threads:
        updated = threads.submit(library.update)
        assert threads.submit(library.played, CLASSIC, CLASSIC.start).result() == []
        updated.result()
    assert len(opened) == 1


def test_a_walk_ends_when_the_library_is_closed_and_drops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        write(tmp_path / "records" / str(number) / "a.tgn", played("dF1-F5"))
    with looking(tmp_path):
        pass
    library, walked = Library([tmp_path / "records"], tmp_path / "cache"), list[str]()
    walk = os.walk

    def closing_walk(root: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        for folder, below, names in walk(root):
            walked.append(folder)
            if len(walked) == 2:
                library._closed.set()
            yield folder, below, names

    with monkeypatch.context() as patch:
        patch.setattr(os, "walk", closing_walk)
        library.update()
    library.close()
    with pytest.raises(CannotIndex):
        library.played(CLASSIC, CLASSIC.start)
    assert len(walked) == 2
    with looking(tmp_path) as library:
        assert count_of(library) == 5


def test_one_battle_has_no_average() -> None:
    move = parse_move(CLASSIC, CLASSIC.start, "dF1-F5")
    only = ExploredMove(move, 1, 1.0, 0, 0, 1, -32.0, None, 1, -32.0)
    assert made(CLASSIC, only, compared=True) == (
        "in one battle, 100%, yours. One troll win. The trolls were 32.0 points ahead."
    )


def test_own_battles_and_the_computers_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped"
    monkeypatch.setattr(module, "CORPUS", shipped)
    write(tmp_path / "records" / "own.tgn", played("dF1-F5"))
    with looking(tmp_path) as library:
        assert not library.has_corpus
        assert not library.compares
    write(shipped / "classic.tgn", played("dF1-F5"), played("dF1-F2"))
    with looking(tmp_path, tmp_path / "records", shipped) as library:
        assert library.has_corpus
        counts = []
        for _ in Source:
            counts.append((library.source, sum(at_start(library).values())))
            library.source = library.source.next
        assert counts == [(Source.ALL, 3), (Source.OWN, 1), (Source.CORPUS, 2)]
        assert library.source is Source.ALL
        assert library.compares
        found = library.played(CLASSIC, CLASSIC.start)
        assert sum(each.own for each in found) == 1
        told = "".join(made(CLASSIC, each, compared=True) for each in found)
        assert "one of them yours (dwarfs 0.0)." in told
        library.source = Source.OWN
        assert not library.compares
