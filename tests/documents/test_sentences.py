"""The documents consist of short sentences."""

import re
from pathlib import Path
from statistics import median, quantiles

import pytest

from documents.markdown import DOCUMENTS, prose

README_BOUNDS = 9, 18
BOUNDS = 11, 21
"""Words a sentence: the median and the 90th percentile, at most."""
README_WORDS = 700
FEWEST = 6
"""A page of fewer sentences has no percentile worth the name."""

_BLOCK = re.compile(r"<!--.*?-->|<img[^>]*>|^(?: {4}|\||#|_+$)[^\n]*", re.DOTALL | re.MULTILINE)
"""What is not said in sentences: comments, pictures, tables, headings and code."""
_LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")
_ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ", re.MULTILINE)
_END = re.compile(r"[.!?:;]+[)*”\"’]*(?=\s|$)|\n\s*\n")


def sentences(text: str) -> list[list[str]]:
    """Return the words of each sentence of a document without its code, as `prose` returns it."""
    said = _ITEM.sub("\n\n", _LINK.sub(r"\1", _BLOCK.sub("\n\n", text)))
    parts = ([word for word in part.split() if re.search(r"\w", word)] for part in _END.split(said))
    return [words for words in parts if words]


def lengths(document: Path) -> list[int]:
    return [len(words) for words in sentences(prose(document))]


MEASURED = [each for each in DOCUMENTS if len(lengths(each)) >= FEWEST]


@pytest.mark.parametrize("document", MEASURED, ids=lambda path: path.name)
def test_sentences_are_short(document: Path) -> None:
    middle, long = README_BOUNDS if document.name == "README.md" else BOUNDS
    counts = lengths(document)
    assert median(counts) <= middle
    longest = sorted(sentences(prose(document)), key=len)[-(len(counts) // 10 + 1) :]
    assert quantiles(counts, n=10)[-1] <= long, [" ".join(words) for words in longest]


def test_the_readme_is_short() -> None:
    text = re.sub(r"<!--.*?-->", "", DOCUMENTS[0].read_text("utf-8"), flags=re.DOTALL)
    assert len(text.split()) <= README_WORDS
