"""Each match of a file is told of its own first unprintable character."""

from thud.records.tgn.reader import readings_of

MATCH = '[Variant "classic"]\n[Event "a{}b"]\n\n1. dF1-F5 {{c{}d}}\n*\n'


def test_each_match_has_the_fault_that_stands_in_it() -> None:
    texts = [MATCH.format("\0", "\x1b"), MATCH.format("", ""), MATCH.format("", "\x85")]
    first, second, third = readings_of("\n".join(texts))
    assert first.record == second.record == third.record
    assert second.fault is None
    assert first.fault
    assert third.fault
    assert (first.fault.line, third.fault.line) == (2, 16)
