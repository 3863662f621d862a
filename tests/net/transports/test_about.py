"""Round trips of the listing of an open match, including untrusted input."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from thud.net.transports.local import MatchInfo, OpenMatch, read_open
from thud.rules.match import LONGEST_NAME
from thud.rules.variants import VARIANTS

names = st.text(st.characters(categories=["L", "N", "P"]), max_size=LONGEST_NAME)
matches = st.builds(
    OpenMatch,
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", fullmatch=True),
    st.builds(
        MatchInfo,
        st.sampled_from([*VARIANTS]),
        st.tuples(names, names),
        st.sampled_from([(), ("dwarfs",), ("trolls",), ("dwarfs", "trolls")]),
        st.integers(0, 2**39).map(float),
    ),
    st.integers(0, 2**22),
)
anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)

FIELDS = st.sampled_from([*OpenMatch("m", MatchInfo("koom", ("", ""), (), 0.0)).as_json()])


@given(matches)
def test_what_is_written_is_read_again(match: OpenMatch) -> None:
    assert read_open(match.as_json()) == match
    assert match.description().startswith(f"{match.id} (")


@given(
    matches,
    st.dictionaries(FIELDS, anything),
)
def test_whatever_is_written_does_no_harm(match: OpenMatch, wrong: dict[str, Any]) -> None:
    read = read_open(match.as_json() | wrong)
    if read is not None:
        assert read_open(read.as_json()) == read
        assert read.description().isprintable()
        assert max(map(len, read.about.players)) <= LONGEST_NAME
