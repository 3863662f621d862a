"""The documents as Markdown: their files, headings and links."""

import re
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
DOCUMENTS = [
    REPOSITORY / "README.md",
    *(REPOSITORY / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY")),
    *sorted(REPOSITORY.glob("docs/*.md")),
]
_CODE = re.compile(r"^(```+).*?^\1$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]*)")


def prose(document: Path) -> str:
    """Return a document's text without code."""
    return _CODE.sub(lambda code: re.sub("[^\n]", "_", code[0]), document.read_text("utf-8"))


def links(document: Path) -> list[str]:
    """Return the targets of a document's links."""
    return _LINK.findall(prose(document))


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as forges generate them."""
    return set(_anchors(document))


def _anchors(document: Path) -> Iterator[str]:
    fences = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)
    seen: dict[str, int] = {}
    for heading in re.findall(
        r"^#+ (.+)$", fences.sub("", document.read_text("utf-8")), re.MULTILINE
    ):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        yield f"{slug}-{seen[slug]}" if seen[slug] else slug
