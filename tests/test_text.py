import pytest

from thud.text import (
    capitalised,
    clipped,
    counted,
    joined,
    plural,
    printable,
    quoted,
    sentence,
    why,
    why_at,
)

LONGEST = 200


def test_untrusted_text_is_quoted_escaped_and_cut_short() -> None:
    assert quoted("a\n\x1b[31m\ud800") == r"'a\n\x1b[31m\ud800'"
    assert quoted("x" * 40) == f"'{'x' * 40}'"
    assert quoted("x" * 41) == f"'{'x' * 39}…'"
    assert quoted("o" + "\u0336" * 38) == "'o\u0336\u0336'"


def test_items_are_joined_as_they_are_said() -> None:
    assert joined([]) == ""
    assert joined([".a"]) == ".a"
    assert joined([".a", ".b"]) == ".a and .b"
    assert joined([".a", ".b", ".c"], "or") == ".a, .b or .c"


def test_things_are_counted_in_words_as_far_as_those_are_short() -> None:
    assert counted(0, "dwarf") == "no dwarfs"
    assert counted(1, "dwarf") == "one dwarf"
    assert counted(15, "dwarf") == "fifteen dwarfs"
    assert counted(16, "dwarf") == "16 dwarfs"
    assert [plural(number, "move") for number in (0, 1, 2)] == ["moves", "move", "moves"]


def test_a_sentence_has_a_capital_and_one_full_stop() -> None:
    assert capitalised("ann plays") == "Ann plays"
    assert capitalised("") == ""
    assert sentence("ann plays") == "Ann plays."
    assert sentence("does Ann play?") == "Does Ann play?"


@pytest.mark.parametrize("name", ["s.tgn", "x_classic:", "dF1-F5", "cpu:4", "a/b", "2026-11"])
def test_a_sentence_leaves_the_name_of_a_file_or_a_move_as_it_is(name: str) -> None:
    assert sentence(f"{name} is here") == f"{name} is here."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;x\x07b", "a ]0;x b"),
        ("a\u202eb\u2066c", "a b c"),
        ("o" + "\u0336" * 50 + "k", "o\u0336\u0336k"),
        ("x" * 500, "x" * LONGEST),
        ("\r\n\t", ""),
        ("\u3164\u2800\u115f\u1160\uffa0", ""),
        ("A\u3164\u2800nn", "A nn"),
    ],
)
def test_what_prints_draws_on_nothing_else(text: str, shown: str) -> None:
    assert printable(text, LONGEST) == shown


def test_what_is_cut_is_marked() -> None:
    assert clipped("x" * LONGEST, LONGEST) == "x" * LONGEST
    assert clipped("x" * (LONGEST + 1), LONGEST) == f"{'x' * (LONGEST - 1)}…"


def test_an_error_of_the_system_is_told_without_its_number() -> None:
    full = OSError(28, "No space left on device", "/tmp/a.tgn")
    assert why(full) == "No space left on device"
    assert why_at(full) == "/tmp/a.tgn: No space left on device"
    assert why_at(OSError("it is a pipe")) == "it is a pipe"
    assert why_at(ValueError("there is no match 3")) == "there is no match 3"
