"""Every link in the documents has a target, as far as can be checked offline."""

from pathlib import Path

from document_text import DOCUMENTS, REPOSITORY, anchors, links


def fault(document: Path, link: str) -> str:
    """Return what is wrong with a link; empty if nothing is."""
    if link.startswith("https://"):
        return ""
    if ":" in link:
        return "is no https link"
    path, _, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    if not target.is_relative_to(REPOSITORY) or not target.exists():
        return "leads nowhere"
    if anchor and (target.suffix != ".md" or anchor not in anchors(target)):
        return "leads to no heading"
    return ""


def test_every_link_leads_somewhere() -> None:
    found = [(each, link, fault(each, link)) for each in DOCUMENTS for link in links(each)]
    assert [each for each in found if each[-1]] == []
