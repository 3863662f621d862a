"""`thud review`: output, where judgements are written, and errors."""

import json
import os
from pathlib import Path

import pytest

from explore.match_files import played
from thud.ai.player import Limits
from thud.cli import review as command
from thud.cli.main import main
from thud.cli.parser import INTERRUPTED
from thud.records.formats import read_file, write_file
from thud.records.record import Record
from thud.records.store import Store
from thud.review.judgement import Judgement
from thud.review.notes import judgements_in, without_judgements
from thud.review.reviewer import Judged
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
CLASSIC = VARIANTS["classic"]
MOVES = ("dF1-F5", "TG7-F6", "dG1-G5", "TF6-G6xF5xG5")
QUICKLY = ("--nodes", "40", "--jobs", "1")
BETTER = Judgement(-450, 50, parse_move(CLASSIC, CLASSIC.start, "dF1-F2"))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: Patch) -> Store:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Store()


@pytest.fixture
def file(store: Store) -> Path:
    path = Path("ab.tgn")
    write_file(path, played(*MOVES, over=False))
    return path


@pytest.fixture
def at_once(monkeypatch: Patch) -> None:
    """Judge without a computer: the first move is a blunder."""

    async def judge(*arguments: object, limits: Limits) -> None:
        _, _, plies, _, tell = arguments
        for ply in plies:  # type: ignore[attr-defined]
            tell(Judged(ply, Judgement(0, 0) if ply else BETTER))  # type: ignore[operator]

    monkeypatch.setattr(command, "judge_battle", judge)


@pytest.mark.usefixtures("at_once")
def test_a_review_is_broken_between_words(file: Path, monkeypatch: Patch, capsys: Capture) -> None:
    def said() -> str:
        assert main(["review", str(file), *QUICKLY]) == 0
        return capsys.readouterr().out

    whole = said()
    assert max(map(len, whole.splitlines())) > 80
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    shown = said()
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.split() == whole.split()


def kept(store: Store) -> str:
    with store.adopt(played(*MOVES, over=False)) as saved:
        return saved.id


def printed(capsys: Capture, *arguments: str) -> str:
    assert main(["review", *arguments]) == 0
    out, err = capsys.readouterr()
    assert not err
    return out


def refused(capsys: Capture, *arguments: str) -> str:
    assert main(["review", *arguments]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    return err


def judged_moves(record: Record) -> list[int]:
    return list(judgements_in(record.variant, record.battles[0]))


def test_a_file_is_judged_and_is_as_it_was(capsys: Capture, file: Path) -> None:
    before = file.read_bytes()
    out = printed(capsys, str(file), *QUICKLY)
    assert "Classic, battle 1: Ann (dwarfs), Bob (trolls)" in out
    assert "Ann (dwarfs): accuracy " in out
    assert "Use -o OUT to save the review" in out
    assert file.read_bytes() == before


@pytest.mark.usefixtures("at_once")
def test_the_output_has_the_judgement_and_needs_no_other(capsys: Capture, file: Path) -> None:
    printed(capsys, str(file), *QUICKLY, "-o", "judged.tgn")
    (record,) = read_file(Path("judged.tgn"))
    assert judged_moves(record) == [0, 1, 2, 3]
    assert without_judgements(record) == read_file(file)[0]
    again = printed(capsys, "judged.tgn", "--jobs", "1", "--nodes", "999999999")
    assert "Cost the " in again
    assert "judged.tgn exists" in refused(capsys, str(file), "-o", "judged.tgn")
    assert main(["export", "judged.tgn", "--no-judgements"]) == 0
    assert capsys.readouterr().out == file.read_text()


def test_a_saved_match_is_the_only_one_of_its_id(capsys: Capture, store: Store) -> None:
    for word in "review", "replay", "export":
        for name, told in (kept(store), "there is no match 2, the last is 1"), ("x", "list them"):
            assert main([word, name, "--match", "2"]) == 2
            assert capsys.readouterr().err.endswith(f"{told}\n")


@pytest.mark.usefixtures("at_once")
def test_a_saved_match_keeps_its_judgement_and_its_place(capsys: Capture, store: Store) -> None:
    name = kept(store)
    path = store.matches / f"{name}.tgn"
    os.utime(path, (10**9, 10**9))
    assert "The review is saved with the match" in printed(capsys, name, *QUICKLY)
    assert judged_moves(store.load(name)) == [0, 1, 2, 3]
    assert path.stat().st_mtime == 10**9
    assert "--again" in printed(capsys, name, "--nodes", "999999999")


@pytest.mark.usefixtures("at_once")
def test_json_has_every_move(capsys: Capture, file: Path) -> None:
    document = json.loads(printed(capsys, str(file), *QUICKLY, "--json"))
    (battle,) = document["battles"]
    assert [move["move"] for move in battle["moves"]] == list(MOVES)
    assert battle["complete"]
    assert {*battle["sides"]} == {"dwarfs", "trolls"}


def test_ctrl_c_keeps_what_there_is_and_the_rest_is_judged_later(
    capsys: Capture, store: Store, monkeypatch: Patch
) -> None:
    name, asked = kept(store), list[int]()

    async def interrupted(*arguments: object, limits: Limits) -> None:
        _, _, plies, _, tell = arguments
        asked[:] = plies  # type: ignore[call-overload]
        tell(Judged(asked[0], BETTER._replace(best=None)))  # type: ignore[operator]
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "judge_battle", interrupted)
    with pytest.raises(SystemExit) as left:
        main(["review", name])
    assert left.value.code == INTERRUPTED
    assert "Three moves have not been judged." in capsys.readouterr().out
    assert judged_moves(store.load(name)) == [0]
    with pytest.raises(SystemExit):
        main(["review", name])
    assert asked == [1, 2, 3]
    with pytest.raises(SystemExit):
        main(["review", name, "--again"])
    assert asked == [0, 1, 2, 3]


@pytest.mark.usefixtures("at_once")
def test_marked_moves_are_told_with_what_was_better(capsys: Capture, file: Path) -> None:
    out = printed(capsys, str(file), "--all")
    assert "Turn 1, dF1-F5 ??  Cost the dwarfs 5 points." in out
    assert "Better: dF1-F2." in out
    assert "Turn 2, TF6-G6xF5xG5" in out
    assert "One blunder" in out


def test_what_makes_no_sense_is_refused_in_a_line(
    capsys: Capture, file: Path, store: Store
) -> None:
    name = kept(store)
    with store.take(name):
        assert "open in another terminal" in refused(capsys, name, *QUICKLY)
    assert "there is no battle 2" in refused(capsys, str(file), "--battle", "2")
    assert "no/such.tgn" in refused(capsys, "no/such.tgn")
    assert "there is no saved match" in refused(capsys, "nosuch")


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("x.png", "must end in .tgn, .json, .html or .txt"),
        ("folder.tgn", "folder.tgn is a folder: name a file"),
        ("none/x.tgn", "none/x.tgn cannot be written: No such file or directory"),
    ],
)
def test_an_output_that_cannot_hold_the_review_is_refused_before_it(
    capsys: Capture, file: Path, output: str, reason: str
) -> None:
    Path("folder.tgn").mkdir()
    assert reason in refused(capsys, str(file), *QUICKLY, "-o", output, "--force")


@pytest.mark.usefixtures("at_once")
def test_a_review_is_written_as_text_and_kept_with_its_match(capsys: Capture, store: Store) -> None:
    name = kept(store)
    assert "The review is in out.txt." in printed(capsys, name, *QUICKLY, "-o", "out.txt")
    written = Path("out.txt").read_text(encoding="utf-8")
    assert written.startswith("Classic, battle 1: Ann (dwarfs), Bob (trolls)")
    assert judged_moves(store.load(name)) == [0, 1, 2, 3]
    assert "--force" in refused(capsys, name, "-o", "out.txt")


def test_a_match_without_moves_was_not_reviewed_before(capsys: Capture, store: Store) -> None:
    with store.adopt(played(over=False), "empty") as saved:
        saved.close(keep_empty=True)
        assert main(["review", "empty", *QUICKLY]) == 0
        assert "reviewed before" not in capsys.readouterr().out
