"""The commands that find, show and write records."""

import json
import socket
import zlib
from base64 import urlsafe_b64encode
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from saving import begin
from thud.cli import launch
from thud.cli.main import main
from thud.exercises.puzzles.book import puzzles
from thud.records.bounds import MAX_BYTES
from thud.records.formats import WRITABLE, read_file, write_file
from thud.records.links import link_to, link_to_position, link_to_puzzle
from thud.records.record import MAX_PLIES, Record
from thud.records.store import Store
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.tui.start import Edit, Puzzles, Replay, Start

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Store()


def match_of(*moves: str, over: bool = False) -> Match:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for text in moves:
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    if over:
        match.battle.agree()
        match.next_battle()
        match.battle.agree()
    return match


def kept(store: Store, match: Match) -> str:
    with begin(store, match) as saved:
        return saved.id


def packed(text: str) -> str:
    return urlsafe_b64encode(zlib.compress(text.encode())).decode()


WHOLE = link_to(Record.of(match_of("dF1-F5", "TG7-F6xF5")))
BAD = {
    WHOLE[:-9]: "the link is cut off",
    "#match=2.x": "of a later version",
    "#chess=1": "nothing of Thud's",
    "#match=1." + "A" * (10 << 20): "at most 100,000 characters",
    "#[bold]<script>": "there is no saved match",
    "#match=1." + packed('[Variant "[bold]chess"]\n\n1. e4 *\n'): "chess",
    "#match=1." + packed("x" * (10 << 20)): "too large",
}
NO_MATCH = {"#day": "leads to no match"}
NO_START = {"#position=chess:d": "no game 'chess'", "#puzzle=[bold]x": "no puzzle '[bold]x'"}


@pytest.mark.parametrize(
    ("command", "bad"),
    [
        (["show"], BAD | NO_MATCH),
        (["replay", "--plain"], BAD | NO_MATCH),
        (["replay"], BAD | NO_START),
    ],
    ids=["show", "in lines", "on the board"],
)
def test_a_bad_link_gets_a_sentence(
    command: list[str], bad: dict[str, str], store: Store, capsys: Capture
) -> None:
    for link, why in bad.items():
        assert main([*command, link]) == 2
        said = capsys.readouterr().err
        assert why in said
        assert len(said.splitlines()) == 1


def test_a_link_is_shown(store: Store, capsys: Capture) -> None:
    assert main(["show", WHOLE]) == 0
    assert "1 to the trolls" in capsys.readouterr().out


def test_a_link_is_replayed_and_nothing_fetched(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Start] = []
    monkeypatch.setattr(launch, "show", lambda start, *_, **__: begun.append(start))
    monkeypatch.setattr(socket, "socket", None)
    monkeypatch.setattr(socket, "getaddrinfo", None)
    position = link_to_position(Setup.usual(VARIANTS["koom"]))
    puzzle = link_to_puzzle(puzzles()[0].id)
    for link in (WHOLE, position, "#day", puzzle):
        elsewhere = f"https://elsewhere.example/#{link.partition('#')[2]}"
        assert main(["replay", elsewhere]) == 0
    assert [type(start) for start in begun] == [Replay, Edit, Puzzles, Puzzles]


def test_unfinished_and_finished_matches_are_listed(store: Store, capsys: Capture) -> None:
    unfinished = kept(store, match_of("dF1-F5", "TG7-F6xF5"))
    finished = kept(store, match_of("dF1-F5", "TG7-F6xF5", over=True))
    assert main(["resume", "--list"]) == 0
    listed = capsys.readouterr().out
    assert unfinished in listed
    assert finished not in listed
    assert main(["history"]) == 0
    table = capsys.readouterr().out
    assert finished in table
    assert "63 : 64" in table
    assert main(["history", "--name", "nobody"]) == 0
    assert "No such finished match" in capsys.readouterr().out
    assert main(["history", "--name", "BERT", "--variant", "classic"]) == 0
    assert finished in capsys.readouterr().out


def test_show_a_place_in_a_record(store: Store, capsys: Capture) -> None:
    name = kept(store, match_of("dF1-F5", "TG7-F6xF5"))
    assert main(["show", name]) == 0
    assert "31 dwarfs" in capsys.readouterr().out
    assert main(["show", name, "--ply", "1"]) == 0
    assert "32 dwarfs" in capsys.readouterr().out
    assert main(["show", name, "--ply", "3"]) == 2
    assert "has no ply 3" in capsys.readouterr().err


def test_a_file_that_exists_is_kept_unless_that_is_forced(store: Store, capsys: Capture) -> None:
    match = match_of("dF1-F5", "TG7-F6xF5")
    name = kept(store, match)
    assert main(["export", name, "-o", "out.tgn"]) == 0
    assert main(["export", name, "--svg", "out.tgn"]) == 2
    assert "exists: use --force" in capsys.readouterr().err
    assert read_file(Path("out.tgn"))[0].match().battle.moves == match.battle.moves
    assert main(["export", name, "-o", "out.tgn", "--force"]) == 0


def test_the_home_directory_is_known_where_the_shell_leaves_it(
    store: Store, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in "HOME", "USERPROFILE":
        monkeypatch.setenv(name, str(home))
    name = kept(store, match_of("dF1-F5"))
    assert main(["export", name, "--output=~/out.tgn", "--svg=~/out.svg"]) == 0
    assert main(["export", "~/out.tgn", "-o", "~/out.tgn"]) == 2
    assert f"{home / 'out.tgn'} exists" in capsys.readouterr().err
    games = ["arena", "random", "random", "--matches=1", "--variant=football", "--nodes=1"]
    assert main([*games, "--output=~/arena"]) == 0
    assert {each.name for each in home.iterdir()} == {"out.tgn", "out.svg", "arena"}


@pytest.mark.slow
def test_pictures_look_as_they_are_asked_to(store: Store, capsys: Capture) -> None:
    name = kept(store, match_of("dF1-F5", "TG7-F6xF5"))

    def svg(*options: str) -> str:
        assert main(["export", name, "--svg", "-", *options]) == 0
        return capsys.readouterr().out

    usual, last = svg(), svg("--arrows", "last")
    assert len(last.splitlines()) == len(usual.splitlines()) + 1
    looks = [usual, last, svg("--theme", "nord"), svg("--pieces", "sprites")]
    looks.append(svg("--theme", "nord", "--pieces", "sprites"))
    assert len(set(looks)) == len(looks)
    both = svg("--arrows", "both", "--ply", "1")
    assert len(both.splitlines()) == len(svg("--ply", "1").splitlines()) + 2


def test_the_format_follows_the_output(store: Store, capsys: Capture) -> None:
    name = kept(store, match_of("dF1-F5"))
    assert main(["export", name, "-o", "out.json"]) == 0
    assert json.loads(Path("out.json").read_text())
    assert main(["export", name, "--ply", "1", "--svg", "out.svg", "--gif", "out.gif"]) == 0
    assert Path("out.svg").read_text().startswith("<svg")
    assert Path("out.gif").read_bytes().startswith(b"GIF8")
    assert main(["export", name, "-o", "out.txt"]) == 2
    assert (
        "'out.txt' must end in .tgn, .thud, .json, .pos, .svg, .png or .gif"
        in capsys.readouterr().err
    )
    assert main(["export", name, "-o", "none/out.tgn"]) == 2
    assert capsys.readouterr().err.startswith("thud export: none/out.tgn cannot be written")
    assert main(["export", name, "--svg", "-", "--theme", "mud"]) == 2
    assert "there is no theme 'mud': use koom-valley," in capsys.readouterr().err


def test_a_battle_too_long_to_be_saved_is_not_played_on(store: Store, capsys: Capture) -> None:
    moves = ["dP10-O9", "TG7-G6", "dO9-P10", "TG6-G7"] * (MAX_PLIES // 4)
    Path("full.tgn").write_text(f'[Variant "classic"]\n\n{" ".join(moves)} *\n')
    assert main(["play", "--from", "full.tgn", "--plain"]) == 2
    assert "5000 moves, the most that can be saved" in capsys.readouterr().err


def test_all_matches_of_a_file_are_exported_and_a_first_one_is_told(
    store: Store, capsys: Capture
) -> None:
    one = '[Variant "classic"]\n\n1. {} *\n\n'
    Path("two.tgn").write_text(one.format("dF1-F5") + one.format("dF1-F6") + one.format("dF1-H9"))
    assert main(["export", "two.tgn", "--format", "json"]) == 0
    told = capsys.readouterr()
    assert len(json.loads(told.out)["matches"]) == 1
    assert told.err == (
        "thud: two.tgn has three matches, and this is the first: use --match N, or --match all\n"
    )
    assert main(["export", "two.tgn", "--match", "all", "-o", "all.tgn"]) == 0
    assert "two.tgn, match 3: line 11" in capsys.readouterr().err
    assert [len(each.battles[0].moves) for each in read_file(Path("all.tgn"))] == [1, 1, 0]
    assert main(["export", "two.tgn", "--match", "all", "--format", "svg"]) == 2
    assert "only .tgn and .json files hold several matches" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["export", "two.tgn", "--match", "both"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--battle 1", "a .tgn file holds the whole record: leave out --battle"),
        ("--ply 1 -o out.json", "a .json file holds the whole record: leave out --ply"),
        ("--format thud --battle 1 --ply 1", "a .thud file holds a whole battle: leave out --ply"),
        ("--format json --svg -", "only one output can go to standard output"),
    ],
)
def test_what_an_export_would_not_heed_is_refused(
    store: Store, capsys: Capture, arguments: str, reason: str
) -> None:
    name = kept(store, match_of("dF1-F5"))
    assert main(["export", name, *arguments.split()]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert reason in err


@pytest.mark.usefixtures("rough")
@pytest.mark.parametrize("suffix", WRITABLE)
def test_the_output_has_what_the_screen_would_get(
    store: Store, capfdbinary: pytest.CaptureFixture[bytes], suffix: str
) -> None:
    name = kept(store, match_of("dF1-F5"))
    assert main(["export", name, "-o", f"board{suffix}"]) == 0
    assert main(["export", name, "--format", suffix[1:]]) == 0
    assert capfdbinary.readouterr().out == Path(f"board{suffix}").read_bytes()


def test_pictures_name_who_commands_in_that_battle(store: Store, capsys: Capture) -> None:
    name = kept(store, match_of(over=True))
    for battle, dwarfs in ((1, "Anna"), (2, "Bert")):
        assert main(["export", name, "--battle", str(battle), "--svg", "-"]) == 0
        assert f"{dwarfs} (dwarfs)" in capsys.readouterr().out


def test_one_of_several_matches(store: Store, capsys: Capture) -> None:
    one, two = Record.of(match_of("dF1-F5")), Record.of(match_of("dF1-F4"))
    write_file(Path("good.tgn"), one, two)
    text = Path("good.tgn").read_text()
    Path("bad.tgn").write_text(text + "\n" + text.split("\n\n[")[0].replace("dF1-F5", "dF1-F1"))
    for file in ("good.tgn", "bad.tgn"):
        for number, move in (("1", "dF1-F5"), ("2", "dF1-F4")):
            assert main(["export", file, "--match", number]) == 0
            printed = capsys.readouterr()
            assert move in printed.out
            assert not printed.err
    assert main(["export", "good.tgn", "--match", "3"]) == 2


def test_the_moves_before_a_fault_are_kept(store: Store, capsys: Capture) -> None:
    write_file(Path("good.thud"), Record.of(match_of("dF1-F5", "TG7-F6xF5")))
    text = Path("good.thud").read_text()
    Path("bad.thud").write_text(text + "dA6-A1\n")
    assert main(["show", "bad.thud"]) == 0
    printed = capsys.readouterr()
    assert "31 dwarfs" in printed.out
    assert "line 4" in printed.err


def test_a_record_is_read_from_standard_input(
    store: Store, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store
    record = Record.of(match_of("dF1-F5", "TG7-F6xF5"))
    written = tgn_text(record).encode()
    for given, said in (
        (written, ""),
        (written + written[: len(written) // 2], ""),
        (b"", "standard input: line 1: the file is empty"),
        (b"x" * (MAX_BYTES + 2), "standard input: "),
        (b"\xff\xfe", "standard input: "),
    ):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(given)))
        assert main(["export", "-", "--format", "json"]) == (2 if said else 0)
        out, err = capsys.readouterr()
        assert said in err
        if not said:
            assert json.loads(out)["matches"][0]["variant"] == "classic"
