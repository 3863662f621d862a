"""Check that the documents consist of short sentences; part of `make lint`."""

import re
import sys
from pathlib import Path
from statistics import median, quantiles

from document_text import DOCUMENTS, prose

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


def faults(document: Path) -> list[str]:
    """Return what is too long in a document."""
    said = sorted(sentences(prose(document)), key=len)
    if len(said) < FEWEST:
        return []
    middle, long = README_BOUNDS if document.name == "README.md" else BOUNDS
    counts, found = [len(words) for words in said], []
    if median(counts) > middle:
        found.append(f"half of its sentences have more than {middle} words")
    if quantiles(counts, n=10)[-1] > long:
        longest = said[-(len(counts) // 10 + 1) :]
        found.append(f"a tenth of its sentences have more than {long} words:")
        found += [f"  {' '.join(words)}" for words in longest]
    return found


def main() -> None:
    """Print what is too long, and fail if anything is."""
    found = [f"{path.name}: {fault}" for path in DOCUMENTS for fault in faults(path)]
    seen = re.sub(r"<!--.*?-->", "", DOCUMENTS[0].read_text("utf-8"), flags=re.DOTALL)
    if len(seen.split()) > README_WORDS:
        found.append(f"README.md has more than {README_WORDS} words")
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
