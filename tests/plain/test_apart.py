"""Plain mode where somebody plays from another place: it stays awake while a line is awaited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plain.apart import Apart, Does, Line, Step
from plain.playing import played
from plain.test_session import CHOICE, NOWHERE
from thud.rules.variants import VARIANTS
from thud.session.commands import COMMANDS, COMMANDS_APART
from thud.session.events import (
    Arrived,
    Departed,
    Event,
    NotSaid,
    Played,
    Proposed,
    ProposeEnd,
    Said,
    Withdrawn,
)
from thud.session.session import Session
from thud.session.words import proposes
from thud.words.match import if_agreed
from thud.words.moves import described

CLASSIC = VARIANTS["classic"]
ANN = "Ann, dwarfs, to move. Your move:"
OPENED = (Line("f1 f5"), Does("play", "g7 f6 all"))
"""Ann has played, and Bob after her."""


def said(directory: Path, *script: Step, **how: Any) -> list[str]:
    """Return what is said from the first question on, up to the last, which nobody answers."""
    told = Apart(directory, *script, **how).play()
    board = max(n for n, line in enumerate(told[:20]) if line.startswith("Rank"))
    return told[board + 1 : -2 if told[-1].startswith("Saved. ") else -1]


def test_what_was_said_is_said_again(tmp_path: Path) -> None:
    script = Line("said"), Does("say", "hello"), Line("say hi"), Line("said")
    assert said(tmp_path, *script) == [
        f"{ANN} said",
        "No messages yet.",
        f"{ANN} ",
        "Bob says: hello",
        f"{ANN} say hi",
        f"{ANN} said",
        "Bob says: hello",
        "Ann says: hi",
    ]


def test_who_is_here_and_how_others_come_is_told(tmp_path: Path) -> None:
    apart = Apart(tmp_path, Does("come"), Does("look", "Carl"), Line("who"))
    apart.session.state.participants.invitation = {"Anybody:": ("thud join me", "thud watch me")}
    assert apart.play()[-8:-1] == [
        f"{ANN} who",
        "Ann has the dwarfs and sits here.",
        "Bob has the trolls and plays elsewhere.",
        "Watching: Carl.",
        "Anybody:",
        "thud join me",
        "thud watch me",
    ]


def test_where_hints_were_ruled_out_there_are_none(tmp_path: Path) -> None:
    apart = Apart(tmp_path, Line("hint"), Line("help"))
    apart.session.state.hints_allowed = False
    told = apart.play()
    assert "This match is played without hints." in told
    assert not any(line.startswith("hint") for line in told)


def test_a_terminal_shows_what_is_typed_above_what_happens(tmp_path: Path) -> None:
    script = Line("f1 f5"), Line("flip"), Does("say", "hm")
    told = Apart(tmp_path, *script, echo=False).play()
    assert told[-6:-2] == [
        f"{ANN} Ann: dwarf moves from F1 to F5.",
        "Waiting for Bob, trolls, who is away. Rank 15 is read first now.",
        "",
        "Bob says: hm",
    ]


def test_what_is_proposed_is_asked_of_the_other_one_or_withdrawn(tmp_path: Path) -> None:
    withdrawn = Line("undo"), Line("u"), Line("withdraw"), Line("withdraw")
    told = said(tmp_path, Line("f1 f5"), *withdrawn, Line("undo"), Does("yes"), Line("list"))
    waiting = "Waiting for Bob, trolls, who is away."
    assert told[2:] == [
        f"{waiting} undo",
        "Waiting for Bob to answer. u",
        "Another proposal has not been answered yet.",
        "withdraw",
        "Ann has withdrawn the proposal.",
        f"{waiting} withdraw",
        "You have not proposed anything.",
        "undo",
        "Waiting for Bob to answer. ",
        "Bob agrees.",
        "Undone: dwarf moves from F1 to F5.",
        f"{ANN} list",
        "No move has been made.",
    ]


def test_who_proposed_something_is_told_that_it_has_lapsed(tmp_path: Path) -> None:
    told = said(tmp_path, Line("f1 f5"), Line("undo"), Does("play", "g7 f6"))
    assert told[-2:] == [
        "Bob: troll steps from G7 to F6.",
        "Your proposal to undo has lapsed: the match has moved on.",
    ]


@pytest.mark.parametrize(
    ("answer", "then"),
    [
        ("no", ["Ann does not agree."]),
        ("", ["Please answer yes or no."]),
        ("g1 g5", ["Ann: dwarf moves from G1 to G5."]),
    ],
)
def test_what_is_asked_from_elsewhere_is_answered(
    tmp_path: Path, answer: str, then: list[str]
) -> None:
    told = said(tmp_path, *OPENED, Does("undo"), Line(answer))
    question = "Ann, do you agree to undo that move? Yes or no?"
    at = told.index("Bob asks to undo their last move.")
    assert told[at + 1 : at + 2 + len(then)] == [f"{question} {answer}", *then]


def test_the_end_is_taken_back_when_agreed(tmp_path: Path) -> None:
    script = Line("f1 f5"), Does("end"), Line("yes"), Does("undo"), Line("yes"), Does("play")
    told = said(tmp_path, *script)
    asked = told.index("Bob asks to go on with the battle.")
    assert told[asked + 1] == "Ann, do you agree to go on with the battle? Yes or no? yes"
    assert told[asked + 3] == "The battle continues."


def test_what_is_withdrawn_is_not_asked_any_more(tmp_path: Path) -> None:
    told = said(tmp_path, *OPENED, Does("undo"), Does("withdraw"), Line("yes"))
    assert told[-4:] == [
        "Ann, do you agree to undo that move? Yes or no? ",
        "Bob has withdrawn the proposal.",
        f"{ANN} yes",
        "Unknown command 'yes': type help, or a move like F1 F5.",
    ]


def test_a_question_that_the_match_has_left_behind_is_dropped(tmp_path: Path) -> None:
    script = Line("end"), Line("g8 g7"), Does("say", "moment"), Does("yes"), Line("score")
    told = said(tmp_path, *script, contenders=("guest", "human"), position=CHOICE)
    question = "On G7 the troll can capture F6, F7 and H6. Captures: all, none, or squares? "
    agreed = told.index("Ann agrees.")
    assert told[agreed - 4 : agreed] == [
        "Waiting for Ann to answer. g8 g7",
        question,
        "Ann says: moment",
        question,
    ]
    late = told.index("The match has moved on.")
    assert told[late + 1] == "Next battle, undo, or quit? score"


def test_who_is_back_is_claimed_of_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Does("come"), Line("f1 f5"), Does("go"), Line("claim"), Does("come"), Line("score")
    table = Apart(tmp_path, *script)
    table.session.state.agree_on(hints=True, chat=True, waits=False, claim=1)
    monkeypatch.setattr(table.session.state, "absent_for", lambda _: None)
    told = table.play()
    assert sum("Claim the battle?" in line for line in told) == 1
    assert told[told.index("Bob is back.") + 1] == "score"


def test_another_match_takes_both(tmp_path: Path) -> None:
    ended = Line("end"), Does("yes"), Line("next"), Does("end"), Line("yes")
    script = Line("new"), Does("no"), Does("new"), Line("yes")
    told = said(tmp_path, *ended, *script)
    at = told.index("The match is over. New match, undo, or quit? new")
    assert told[at + 1 : at + 3] == ["Waiting for Bob to answer. ", "Bob does not agree."]
    at = told.index("Bob proposes to begin another match.")
    assert told[at + 1 : at + 4] == [
        "Ann, do you agree to begin another match? Yes or no? yes",
        "Ann agrees.",
        "Classic, battle 1 of 2.",
    ]


def test_who_plays_nothing_here_looks_on(tmp_path: Path) -> None:
    script = Line("f1 f5"), Line("board 0"), Line("next")
    table = Apart(tmp_path, *script, contenders=("guest", "guest"))
    told = table.play()
    assert "Waiting for Ann, dwarfs, who is away. f1 f5" in told
    assert "It is Ann's turn." in told
    assert told.count("You are watching.") == 1
    assert not table.session.state.battle.moves


def test_a_line_is_obeyed_when_a_computer_has_moved_also_where_something_attends(
    tmp_path: Path,
) -> None:
    script = Line("a6 b6"), Line("p6 o6"), Line("list")
    table = Apart(tmp_path, *script, hasty=True, contenders=("human", "random"))
    assert re.match(r"2\. dP6-O6 T", table.play()[-3])


def test_help_names_every_word_that_can_be_typed(tmp_path: Path) -> None:
    apart = {"redo", "open", "claim"}
    watching = {"undo", "end", "resign", "withdraw", "say"}
    for told, refused in (
        (played(tmp_path / "here", "help").said, COMMANDS_APART.keys()),
        (said(tmp_path, Line("help")), apart),
        (Apart(tmp_path, Line("help"), contenders=("guest", "guest")).play(), apart | watching),
    ):
        for word, order in {**COMMANDS, **COMMANDS_APART}.items():
            assert order.form.startswith(word)
            assert (f"{order.form}: {order.meaning}." in told) is (word not in refused)


def test_what_is_said_is_heard_elsewhere(tmp_path: Path) -> None:
    table = Apart(tmp_path, Line("say well met"), Line('"again'), Line("say"))
    told = table.play()
    assert [event for event in table.events if isinstance(event, Said)] == [
        Said(0, "Ann", "well met"),
        Said(0, "Ann", "again"),
    ]
    assert "The message is empty." in told


def test_what_nobody_has_heard_is_told_to_who_said_it(tmp_path: Path) -> None:
    table = Apart(tmp_path, Line("f1 f5"))
    why = "too fast: wait a moment"

    def refuse(event: Event) -> None:
        if isinstance(event, Played):
            table.session.emit(NotSaid("hello", why))

    table.session.subscribe(refuse)
    told = table.play()
    assert "Too fast: wait a moment. Not sent: hello" in told


def test_what_was_said_before_is_told_at_the_beginning(tmp_path: Path) -> None:
    table = Apart(tmp_path)
    table.session.state.participants.add_message(1, "Bob", "see you on Sunday")
    assert table.play().count("Bob says: see you on Sunday") == 1


def test_what_breaks_beside_the_conversation_is_told(tmp_path: Path) -> None:
    async def breaks() -> None:
        raise OSError("no line")

    table = Apart(tmp_path)
    table.session.add_task(breaks)
    with pytest.raises(OSError, match="no line"):
        table.play()


# Any order of lines and of what happens

lines = st.sampled_from(
    [
        "f1 f5",
        "g1 g5",
        "e2 e6",
        "a6 b6 none",
        "undo",
        "end",
        "yes",
        "no",
        "withdraw",
        "next",
        "list",
    ]
).map(Line)
deeds = st.one_of(
    st.sampled_from(["play", "play", "end", "undo", "withdraw", "yes", "no", "come", "go", "next"]),
).map(Does)


@given(st.lists(lines | deeds, max_size=24), st.booleans())
def test_nothing_is_lost_and_nothing_said_twice_in_any_order(
    script: list[Step], hasty: bool
) -> None:
    numbered = list[Step]()
    for number, step in enumerate(script):
        mark = (
            Line(f"say line {number}") if isinstance(step, Line) else Does("say", f"word {number}")
        )
        numbered += step, mark
    table = Apart(NOWHERE, *numbered, hasty=hasty)
    expected: list[str] = []
    table.session.subscribe(lambda event: expected.append(_telling(table.session, event)))
    told = table.play()
    typed = [step.text for step in numbered if isinstance(step, Line)]
    assert [found for line in told if (found := _echoed(line, typed))] == typed
    assert [line for line in told if _tells(line)] == list(filter(None, expected))


def _echoed(line: str, typed: list[str]) -> str:
    """Return what was typed behind a question, or where there was none, empty if nothing was."""
    asked = re.match(r"(.*(?:[:?]|Waiting for .*\.|The match is over\.) )?(.*)$", line)
    assert asked
    return asked[2] if asked[2] in typed else ""


def _tells(line: str) -> bool:
    return bool(
        re.match(
            r"(Ann|Bob): (dwarf|troll)"
            r"|Bob (says|has (joined|stopped)|is (away|back)|asks|proposes)",
            line,
        )
    )


def _telling(session: Session, event: Event) -> str:
    """Return what has to be said, once, of some of what happens; empty of anything else."""
    said = ""
    match event:
        case Played(before, move):
            mover = session.state.match.name_of(before.to_move)
            said = f"{mover}: {described(CLASSIC, before, move)}."
        case Said(1, name, text):
            said = f"{name} says: {text}"
        case Arrived(name, _, how):
            said = f"{name} {how.value}."
        case Departed(name, _):
            said = f"{name} is away."
        case Proposed(by, wish) if session.state.match.commander(by) == 1:
            then = if_agreed(session.state.match) if isinstance(wish, ProposeEnd) else ""
            said = f"{proposes(session.state, event)} {then}".rstrip()
        case Withdrawn(by) if session.state.match.commander(by) == 1:
            said = "Bob has withdrawn the proposal."
    return said
