"""What a terminal answers presses no keys, however it is cut, and keys around it count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.drivers import web_driver
from textual.message import Message

from thud.terminal import sequences
from thud.terminal.sequences import LONGEST_SEQUENCE, LONGEST_STRING
from thud.tui.textual_fixes import CheckedParser, FixedApp

INTRODUCERS = {"DCS": ("\x1bP", "\x90"), "OSC": ("\x1b]", "\x9d"), "SOS": ("\x1bX", "\x98")}
INTRODUCERS |= {"PM": ("\x1b^", "\x9e"), "APC": ("\x1b_", "\x9f")}
BEGINNINGS = [each for pair in INTRODUCERS.values() for each in pair]
TERMINATORS = ["\x1b\\", "\x9c"]

ANSWERS = (
    *("\x1bP>|XTerm(370)\x1b\\", "\x1bP!|7E565445\x1b\\", "\x1bP1+r544e=787465\x1b\\"),
    *("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "\x1b]11;rgb:0/0/0\x07", "\x1b]l quit\x1b\\"),
    *("\x1b]52;c;cXVpdA==\x07", "\x1b_Gi=31;OK\x1b\\", "\x1b]4;1;rgb:cdcd/0/0\x1b\\", "\x1b]\x07"),
    *("\x1b[?64;1;2c", "\x1b[?0u", "\x1b[?997;1n", "\x1b[>0;276;0c", "\x1b[=1;2c"),
    *("\x1b[8;24;80t", "\x1b[4;384;640t", "\x1b[0n", "\x1b[?1;2;256S", "\x1b[20;1$y"),
    *("\x1b[?1u\x1b[?62;22c", "\x1b]10;?\x9c", "\x9d11;rgb:0/0/0\x9c", "\x9b?64;1c", "\x1bOz"),
    *("\x1bP\x1b\\", "\x1b^é\u4e16\x1b\\", "\x1bXq\x1b\\", f"\x1bP{'q' * 5000}\x1b\\", "\x1b\\"),
    *("\x1b[M !!", "\x1b[32;5;5M", f"\x1b[?{'1;' * 100}c"),
)
"""Answers, and mouse events that Textual does not use."""

KEYS = (
    *("a", "Q", "é", "ß", "@", "\u4e16", "\r", "\t", "\x7f", "\x03", "\x1a", "ä\u0301"),
    *("\x1b[A", "\x1bOA", "\x1b[1;5C", "\x1b[Z", "\x1bOP", "\x1b[15~", "\x1b[[A", "\x1b[3$"),
    *("\x1b[3;2~", "\x1b[H", "\x1b[5~", "\x1bOj", "\x1bb", "\x1bOM", "\x1b[24;2~"),
    *("\x1b[27u", "\x1b[97u", "\x1b[97;5u", "\x1b[97;2;65u", "\x1b[113;129;113u"),
    *("\x1b[97;65;65u", "\x1b[97;193;97u", "\x1b[57414;129u", "\x1b[13;129u", "\x1b[1;129A"),
    *("\x1b[57358;1u", "\x1b[57400;129;49u", "\x1b[113;7;64u", "\x1b[0;;228u", "\x1b[9;2u"),
    *("\x1b[0;;20320:22909u", "\x1b[3;129~", "\x1b[1;131D", "\x1b[32;1;32u", "\x1b[127;5u"),
    *("\x1b[<0;10;5M", "\x1b[<0;10;5m", "\x1b[<35;1;1M", "\x1b[<64;3;3M", "\x1b[<0;-1;2M"),
    *("\x1b[I", "\x1b[O", "\x1b[24;80R", "\x1b[?2026;2$y", "\x1b[48;24;80;480;800t"),
    *("\x1b[200~f1-f5\x1b[201~", "\x1b[200~\x1b[201~", "\x1b[200~a\nb\x1b[201~"),
)
"""What Textual's own parser takes for a key, a mouse event, a paste or a report that it knows."""


@pytest.fixture(scope="module", autouse=True)
def _slow_machines() -> Iterator[None]:
    """Let no string end because this machine has stood still for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "STRING_SECONDS", 1e9)
        yield


def told(parser: XTermParser, *parts: str) -> list[tuple[object, ...]]:
    return [_known(event) for part in parts for event in parser.feed(part)]


def _known(event: Message) -> tuple[object, ...]:
    match event:
        case events.Key():
            return type(event), event.key, event.character
        case events.MouseEvent():
            return type(event), event.x, event.y, event.button, event.shift, event.ctrl
        case events.Paste():
            return type(event), event.text
    return (type(event),)


def silence(parser: XTermParser) -> list[tuple[object, ...]]:
    """Let the time pass that the parser waits for, again and again."""
    found = []
    while parser._timeout_time is not None:
        parser._timeout_time = 0.0
        found += [_known(event) for event in parser.tick()]
        if parser._awaiting.timeout is not None:
            parser._timeout_time = 0.0
    return found


def keys(*pressed: str) -> list[tuple[object, ...]]:
    names = {"\x1b": "escape"}
    return [(events.Key, names.get(key, key), key) for key in pressed]


def cuts(text: str, full: bool) -> Iterator[Sequence[str]]:
    """Cut a text into its characters, and in two at any place, or at some."""
    yield list(text)
    for at in range(1, min(len(text), 60), 1 if full else 5):
        yield text[:at], text[at:]


def test_no_answer_presses_a_key_wherever_it_is_cut(full: bool) -> None:
    for answer in ANSWERS:
        for parts in cuts(answer, full):
            parser = CheckedParser()
            assert told(parser, "a", *parts, "b") == keys("a", "b")
            assert not silence(parser)


@given(
    st.sampled_from(BEGINNINGS),
    st.text(
        st.characters(min_codepoint=0x20, exclude_characters="\x7f\x9c", exclude_categories=["Cs"])
    ),
    st.sampled_from(TERMINATORS),
    st.data(),
)
def test_no_control_string_presses_a_key(
    beginning: str, content: str, terminator: str, data: st.DataObject
) -> None:
    answer = f"{beginning}{content}{terminator}"
    at = data.draw(st.integers(0, len(answer)))
    parts = [part for part in ("a", answer[:at], answer[at:], "b") if part]
    assert told(CheckedParser(), *parts) == keys("a", "b")


@given(st.from_regex(r"\x1b\[[<=>?][0-9;:]{0,40}[ -/]{0,2}[a-zA-Z@^`{|}]", fullmatch=True))
def test_no_private_sequence_presses_a_key(answer: str) -> None:
    events_told = told(CheckedParser(), *answer, "b")
    assert [each for each in events_told if each[0] is events.Key] == keys("b")


def test_what_textual_knows_is_what_it_was_beside_answers_and_wherever_it_is_cut(
    full: bool,
) -> None:
    for key in KEYS if full else KEYS[::5]:
        before = told(XTermParser(), key)
        for parts in cuts(key, full):
            assert told(CheckedParser(), *parts) == before
        for answer in ANSWERS:
            assert told(CheckedParser(), f"{key}{answer}{key}") == before * 2


def test_escape_and_alt_with_a_key_count_after_a_silence() -> None:
    for key in (*"[OP]X^_af1\r", "é", "", "\x1b"):
        ours, textual = CheckedParser(), XTermParser()
        text = f"\x1b{key}"
        assert told(ours, text) + silence(ours) == told(textual, text) + silence(textual)
        assert told(ours, "a") == keys("a")


def test_an_unfinished_string_is_given_up_and_bounded_and_takes_no_escape() -> None:
    for beginning in BEGINNINGS:
        parser = CheckedParser()
        assert told(parser, f"{beginning}quit") + silence(parser) + told(parser, "a") == keys("a")
        assert told(parser, f"{beginning}quit", "\x1b") + silence(parser) == keys("\x1b")
        assert told(parser, f"{beginning}quit", "\x1b[I", "a")[1:] == keys("a")
        assert told(parser, f"{beginning}quit", "\x03") == [(events.Key, "ctrl+c", "\x03")]
    parser = CheckedParser()
    told(parser, "\x1bP" + "q" * LONGEST_STRING)
    assert told(parser, "a") == keys("a")
    told(parser, "\x1b[?" + "1" * LONGEST_SEQUENCE)
    assert told(parser, "a")[-1:] == keys("a")


def test_a_string_takes_no_keys_for_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "STRING_SECONDS", 3.0)
    now = 100.0
    monkeypatch.setattr(sequences, "monotonic", lambda: now)
    parser = CheckedParser()
    assert not told(parser, "\x1bPa")
    now += 3.5
    assert told(parser, "b", "c") == keys("c")


def test_a_paste_presses_no_keys_whatever_it_contains() -> None:
    parser = CheckedParser()
    text = "\x1b[31mquit\x1b[0m\x1bPq\x1b\\\x1b"
    assert told(parser, f"\x1b[200~{text}\x1b[201~a") == [
        (events.Paste, text.replace("\x1b", "")),
        *keys("a"),
    ]
    assert not told(parser, "\x1b[200~f1-f5")
    assert silence(parser) == [(events.Paste, "f1-f5")], "one that never ends ends after a while"
    assert told(parser, "a") == keys("a")


def test_a_long_sentence_of_an_input_method_is_typed() -> None:
    sentence = "\u4f60\u597d" * 40
    typed = told(CheckedParser(), f"\x1b[0;;{':'.join(str(ord(each)) for each in sentence)}u")
    assert "".join(str(character) for _, _, character in typed) == sentence


class Typed(list[bytes]):
    """What a browser sends, in place of the reader of a club's visitor."""

    def close(self) -> None: ...


async def test_what_a_browser_answers_presses_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = f"a{''.join(ANSWERS)}b".encode()
    packets = (b"D" + len(part).to_bytes(4, "big") + part for part in (typed[:20], b"", typed[20:]))
    monkeypatch.setattr(web_driver, "InputReader", lambda: Typed(packets))
    monkeypatch.setattr(constants, "DRIVER", "thud.club.web.driver:BrowserDriver")
    app = FixedApp()
    driver: Any = app.get_driver_class()(app)
    pressed: list[Message] = []
    driver.process_message = pressed.append
    driver.run_input_thread()
    assert [_known(each) for each in pressed if isinstance(each, events.Key)] == keys("a", "b")
