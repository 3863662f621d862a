"""What can be printed: also the joiners with which Persian and Hindi spell words."""

import pytest

from thud.net.codec import cleaned
from thud.records.record import Record
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.match import InvalidPlayers, Match, player_names
from thud.rules.variants import VARIANTS
from thud.text import is_printable, legible, printable

PERSIAN = "امیر می\u200cخواهم"
HINDI = "क्\u200dष"
MALAYALAM = "അവന്\u200d"


@pytest.mark.parametrize("name", [PERSIAN, HINDI, MALAYALAM])
def test_a_word_that_is_spelled_with_a_joiner_is_a_name(name: str) -> None:
    assert is_printable(name)
    assert legible(name) == printable(name, 40) == cleaned(name) == name
    record = Record.of(Match(VARIANTS["classic"], player_names(name, "Ann")), event=name)
    assert read_tgn(tgn_text(record)) == (record,)


@pytest.mark.parametrize(
    "name",
    ["An\u200cn", "\u200cAnn", "می\u200c", "می\u200c\u200cخ", "An\u200dn", "\u200d", "می\u200b‌خ"],
)
def test_a_joiner_elsewhere_is_unprintable(name: str) -> None:
    assert not is_printable(name)
    with pytest.raises(InvalidPlayers, match="unprintable"):
        player_names(name, "Bob")
    assert "?" in legible(name)
    assert is_printable(cleaned(name))
