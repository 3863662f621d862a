"""Every link in the documents has a target, as far as can be checked offline."""

from pathlib import Path

import pytest

from documents.markdown import DOCUMENTS, REPOSITORY, anchors, links


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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    faults = {link: fault(document, link) for link in links(document)}
    assert not {link: told for link, told in faults.items() if told}
