"""The engine's end of the protocol: in this process, and in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.conversation import COMMAND, conversation
from sampling import sampled
from thud.disk.directories import CACHE_VARIABLE, COMPILED_VARIABLE
from thud.engines.protocol import MAX_LINE, MAX_MOVES
from thud.engines.server import Server
from thud.rules.notation import parse_move
from thud.rules.position import Position
from thud.rules.variants import VARIANTS

KOOM = "setoption name Variant value koom"
WON = "position text 5/Rd5/9/11/13/15/15/15/15/1T13/13/11/9/7/5 d moves RE2-F1"


class Engine:
    """A server in this process, and the lines that it has sent."""

    def __init__(self, kind: str = "material") -> None:
        self.sent: list[str] = []
        self.server = Server(self.sent.append, kind, seed=1)

    def answers(self, line: str) -> list[str]:
        """Send a line and stop any search; return all answers."""
        self.sent.clear()
        assert self.server.obey(line) is not (line.split()[:1] == ["quit"])
        self.server.close()
        return list(self.sent)

    @property
    def state(self) -> tuple[object, ...]:
        server = self.server
        return (
            server._variant,
            server._level,
            server._seed,
            server._setup,
            tuple(server._positions),
            server._busy,
        )


@pytest.fixture
def engine() -> Engine:
    return Engine()


REFUSED = {
    "castle": "unknown command 'castle': use uci, isready, setoption, ucinewgame, position, go, ",
    "go movetime": "movetime is followed by a whole number from 1 to 100000000",
    "go nodes 1e3": "nodes is followed by a whole number from 1 to 1000000000000",
    "go depth 201": "depth is followed by a whole number from 1 to 200",
    "go depth 3 depth 3": "go is followed by movetime, nodes, depth or infinite, each once, not",
    "go wtime 1000 btime 1000": "go is followed by movetime, nodes, depth or infinite, each once, "
    "not 'wtime'",
    "position": "position is followed by startpos, or by text and a position text; then by moves",
    "position startpos dF1-F5": "position is followed by startpos, or",
    "position text": "position is followed by startpos, or",
    "position text 5/7 d": "found 2 ranks; expected 15, separated by /",
    "position startpos moves dF1-F5 TG7-F6 dF5-F4x": "move 3, 'dF5-F4x': 'dF5-F4x' is not a move",
    "position startpos moves dF1-Z9": "move 1, 'dF1-Z9': ",
    "setoption": "setoption is followed by name, the option's name, value and the value",
    "setoption name Variant value": "setoption is followed by",
    "setoption name Variant value chess": "unknown variant 'chess': use classic, single, koom",
    "setoption name Hash value 16": "unknown option 'hash': use Variant, Level, Seed and Mul",
    "setoption name Level value 16": "Level is a whole number from 0 to 15, not '16'",
    "setoption name Level value ²": "Level is a whole number",
    "setoption name Seed value -1": "Seed is a whole number from 0 to 2147483647",
    "\0\1\x1b[2J": "unknown command '\\x00\\x01\\x1b[2J': use",
}


@pytest.mark.parametrize(("line", "sentence"), REFUSED.items())
def test_a_bad_line_is_answered_with_a_sentence_and_changes_nothing(
    engine: Engine, line: str, sentence: str
) -> None:
    assert engine.answers("setoption name Level value 3") == []
    assert engine.answers("position startpos moves dG1-G5") == []
    before = engine.state
    [answer] = engine.answers(line)
    assert answer.startswith(f"info string {sentence}")
    assert answer.isprintable()
    assert engine.state == before


WORDS = """
uci isready setoption name value Variant koom Level 4 Seed position startpos text moves go movetime
nodes depth infinite stop ucinewgame debug dF1-F5 TG7-F6 dF15-F11 0 1 -1 99 9999999999999999999999
""".split()  # noqa: SIM905 - a list of words reads better without quotes
PIECES = st.one_of(
    st.sampled_from([*WORDS, VARIANTS["koom"].start.to_text(), "  ", "\t", "end"]),
    st.text(max_size=8),
    st.binary(max_size=8).map(lambda data: data.decode("ascii", "replace")),
)
BEGINNINGS = st.sampled_from(["position ", "position startpos moves ", "go ", "setoption name "])
LINES = st.one_of(
    st.lists(PIECES, max_size=8).map(" ".join),
    st.tuples(st.sampled_from(["position ", "go ", "setoption "]), st.text(max_size=60)).map(
        "".join
    ),
)


@given(st.lists(LINES, max_size=6))
def test_no_line_breaks_the_engine_and_a_refused_one_leaves_it_as_it_was(lines: list[str]) -> None:
    engine = Engine("random")
    for line in lines:
        before = engine.state
        answers = engine.answers(line)
        assert all(answer.isprintable() for answer in answers)
        if [answer[:11] for answer in answers] == ["info string"]:
            assert engine.state == before
    assert engine.answers("isready") == ["readyok"]


def test_the_levels_and_the_seed_can_be_set(engine: Engine) -> None:
    for line in "setoption name level value 3", "  setoption  name SEED\tvalue 5 ":
        assert engine.answers(line) == []
    assert engine.state[1:3] == (3, 5)
    assert "option name Level type spin default 3 min 0 max 15" in engine.answers("uci")


def test_a_battle_that_is_over_has_no_best_move(engine: Engine) -> None:
    engine.answers(KOOM)
    assert engine.answers(WON) == []
    assert engine.answers("go") == [
        "info string the battle is over: the Rock stands on the far side",
        "bestmove 0000",
    ]


def after(moves: str) -> Iterator[Position]:
    """Yield the start of Classic, and the position after each move."""
    variant = VARIANTS["classic"]
    position = variant.start
    yield position
    for text in moves.split():
        position = position.after(parse_move(variant, position, text))
        yield position


def test_moves_are_told_again_and_taken_back(engine: Engine) -> None:
    for count in (2, 4, 3, 1, 0, 4):
        texts = ["dF1-F5", "TG7-F6", "dG1-G5", "TF6-G6xF5xG5"][:count]
        assert engine.answers(" ".join(["position startpos moves", *texts])) == []
        assert len(engine.server._positions) == count + 1
    for moves in (
        "dF1-F5 TG7-F6 dG1-G4",
        "dF1-F5 TG7-G6xF5",
        "dF1-F5 TG7-F6 dG1-G5",
        "dF1-F4 TG7-F6",
    ):
        assert engine.answers(f"position startpos moves {moves}") == []
        assert engine.server._positions == [*after(moves)]
    text = VARIANTS["classic"].start.to_text()
    assert engine.answers(f"position text {text} moves dF1-F4") == []
    assert len(engine.server._positions) == 2


def test_the_better_line_scores_more_where_another_one_ends_the_battle() -> None:
    engine, depth = Engine("cpu"), re.compile(r"depth (\d+)(?: multipv (\d))? score cp (\S+)")
    rows = "5/5dd/6ddd/7dddd/8ddddd/8TTddddd/9dddddd/7R1ddTddd/15/15/13/11/9/7/5 T"
    for line in "setoption name MultiPV value 2", f"position text {rows}":
        engine.answers(line)
    engine.server.obey("go nodes 20000")
    while not engine.sent[-1:] or not engine.sent[-1].startswith("bestmove"):
        time.sleep(0.01)
    told = dict[str, tuple[str, int]]()
    for line in engine.sent:
        if found := depth.search(line):
            told[found[2] or "1"] = found[1], int(found[3])
    assert told["1"][0] == told["2"][0]
    assert told["1"][1] >= told["2"][1]


@pytest.mark.parametrize(
    ("variant", "rows", "score"),
    [
        (
            "football",
            "2d2/6d/9/3Td2d3/1T11/9T4d/dT11d1/d11d2/2d3T8/5dT4T3/1d5R2d2/4d1d4/2T6/2d4/5 d",
            "mate 1",
        ),
        (
            "classic",
            "1d1d1/7/dd1d5/11/9d3/15/14d/dd5R2d4/15/15/13/1d3d5/9/7/3Td d",
            "cp 1300",
        ),
    ],
)
def test_a_move_that_ends_the_battle_is_worth_its_end_before_anything_is_searched(
    engine: Engine, variant: str, rows: str, score: str
) -> None:
    engine.answers(f"setoption name Variant value {variant}")
    engine.answers(f"position text {rows}")
    engine.server.obey("go nodes 200")
    while not engine.sent[-1:] or not engine.sent[-1].startswith("bestmove"):
        time.sleep(0.01)
    assert all(f" score {score} " in line for line in engine.sent if " score " in line)


def test_lines_and_moves_are_bounded(engine: Engine) -> None:
    [answer] = engine.answers("position startpos moves" + " dF1-F5" * (MAX_MOVES + 1))
    assert answer == f"info string a position has at most {MAX_MOVES} moves behind it"
    [answer] = engine.answers("x" * (MAX_LINE + 1))
    assert answer == f"info string a line has at most {MAX_LINE} characters"


def test_a_player_that_fails_is_told_of_and_gives_no_move(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        name = "Broken"

        def decide(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError("so sorry\nso sorry")

    engine.server._player = Broken()  # type: ignore[assignment]
    assert engine.answers("go") == [
        "info string the player failed: ZeroDivisionError: so sorry so sorry",
        "bestmove 0000",
    ]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_endless_thinking_about_a_battle_that_is_over_ends_with_stop() -> None:
    with conversation() as talk:
        talk.say(KOOM, WON, "go infinite")
        assert talk.hear() == "info string the battle is over: the Rock stands on the far side"
        talk.say("isready")
        assert talk.hear() == "readyok"
        talk.say("stop")
        assert talk.hear() == "bestmove 0000"


@pytest.mark.parametrize("ending", ["", "quit\n"])
def test_the_end_of_input_is_answered_even_while_the_search_is_compiled(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.delenv(COMPILED_VARIABLE)
    asked = f"position startpos\ngo infinite\n{ending}"
    done = subprocess.run(COMMAND, input=asked, capture_output=True, text=True, check=True)
    move = done.stdout.splitlines()[-1].removeprefix("bestmove ")
    assert parse_move(VARIANTS["classic"], VARIANTS["classic"].start, move)
    assert list(tmp_path.glob("core/*.bin"))


def test_while_it_thinks_it_listens_and_changes_nothing() -> None:
    with conversation() as talk:
        talk.say("go infinite", KOOM, "position startpos", "ucinewgame", "go", "isready")
        heard = talk.hear_until("readyok")
        busy = "info string a search is running: send stop and wait for bestmove"
        assert heard.count(busy) == 4
        talk.say("stop")
        assert talk.hear_until("bestmove")[-1].startswith("bestmove d")


def test_infinite_means_until_stop_even_where_there_is_nothing_to_think_about() -> None:
    with conversation("--player", "random") as talk:
        talk.say("go infinite", "isready", "isready")
        assert [talk.hear(), talk.hear()] == ["readyok", "readyok"]
        talk.say("stop")
        assert talk.hear().startswith("bestmove d")


TRIES = 40


def test_stop_is_answered_within_a_tenth_of_a_second() -> None:
    with conversation() as talk:
        for _ in range(TRIES):
            talk.say("go infinite")
            talk.hear_until("info depth 2")
            asked = time.perf_counter()
            talk.say("stop")
            talk.hear_until("bestmove")
            # The machine may be busy: a single timely answer is enough.
            if time.perf_counter() - asked < 0.1:
                return
    raise AssertionError(f"stop was answered late {TRIES} times")


LIMITS = {
    "nodes 500": ("nodes", 2000),
    "depth 2": ("depth", 2),
    "movetime 50": ("time", 5000),
    "depth 9 nodes 400": ("nodes", 2000),
    "nodes 1000000 depth 1": ("depth", 1),
}


@pytest.mark.slow
def test_limits_are_kept_and_a_seed_and_nodes_make_it_repeat_itself() -> None:
    answers = []
    for tried in LIMITS, {}:
        with conversation("--seed", "1") as talk:
            talk.say("position startpos moves dF1-F5", "go nodes 1000")
            answers.append(talk.hear_until("bestmove")[-1])
            for limits, (word, most) in tried.items():
                talk.say("position startpos", f"go {limits}")
                *_, thought, decision = talk.hear_until("bestmove")
                words = thought.split()
                assert decision.startswith("bestmove d")
                assert 0 < int(words[words.index(word) + 1]) <= most, limits
    assert answers[0] == answers[1]


def test_binary_input_and_lines_without_end_are_survived() -> None:
    data = (
        bytes(range(256)) * 40 + b"\n" + b"x" * (3 * MAX_LINE) + b"\nisready\n" + b"go" * MAX_LINE
    )
    done = subprocess.run(COMMAND, input=data, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    *answers, last = done.stdout.decode().splitlines()
    assert answers[-1] == "readyok"
    assert last == answers[-2] == f"info string a line has at most {MAX_LINE} characters"
    assert all(answer.startswith("info string ") for answer in answers[:-1])


@pytest.mark.parametrize("end", sampled(["quit", ""]))
def test_it_ends_while_it_thinks(end: str) -> None:
    with conversation() as talk:
        talk.say("go infinite")
        talk.hear_until("info depth 1")
        if end:
            talk.say(end)


@pytest.mark.slow
def test_it_ends_when_nobody_listens_any_more() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b"go movetime 100\n")
        process.stdin.flush()
        assert (process.wait(60), process.stderr.read()) == (0, b"")


def test_neither_rich_nor_textual_nor_asyncio_is_loaded() -> None:
    script = """
import sys
from thud.cli.main import main
main(["engine"])
print(sorted({name.partition(".")[0] for name in sys.modules} & {"rich", "textual", "asyncio"}))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        input="isready\ngo nodes 50\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
