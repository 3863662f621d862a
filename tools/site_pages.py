"""Sphinx extension for the documentation site: adds pictures and lists every page.

docs/ stays readable in an editor or on a forge: the changes are made only during the build.
"""

import re
from pathlib import Path
from typing import Any, Final

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import site_boards
import site_gallery
import site_reference

PICTURES: Final = "_pictures"
_DOCS: Final = Path(__file__).parents[1] / "docs"
_IMAGES: Final = _DOCS / "images"
_MORE: Final = "<!-- all others -->"
_OUTSIDE: Final = re.compile(r"\[([^]]+)\]\(\.\./([^)]+)\)")
"""A link to a file of the source tree outside docs/."""

_IMAGE: Final = re.compile(r"!\[([^]]+)\]\(images/([^)]+\.svg)\)")
"""A terminal screenshot, which is rewritten so that it does not load external fonts."""

_ALIAS: Final = re.compile("Alias for field number [0-9]+")


def make_pictures(app: Sphinx) -> None:
    """Write the pictures that are not generated from a page."""
    directory = _directory(app)
    directory.mkdir(parents=True, exist_ok=True)
    for image in _IMAGES.glob("*.svg"):
        text = site_gallery.self_contained(image.read_text())
        directory.joinpath(image.name).write_text(text)
    site_gallery.make(directory)


def change(app: Sphinx, page: str, content: list[str]) -> None:
    """Change the text of a page for the site."""
    if page == "rules":
        content[0] = site_boards.with_pictures(content[0], _directory(app), PICTURES)
    elif page == "gallery":
        content[0] = site_gallery.with_pictures(content[0], PICTURES)
    elif page == "reference":
        content[0] = site_reference.with_reference(content[0])
    elif page == "index":
        index = content[0].replace(_MORE, "\n".join(_others(app, content[0])))
        content[0] = site_gallery.with_pictures(index, PICTURES)
    content[0] = _IMAGE.sub(rf'<img src="{PICTURES}/\2" alt="\1">', content[0])
    content[0] = _OUTSIDE.sub(r"\1 (`\2`)", content[0])


def _others(app: Sphinx, index: str) -> list[str]:
    """List the pages missing from the index, so that new pages need no entry."""
    named = set(re.findall(r"^([\w-]+)$", index, re.MULTILINE)) | {"index"}
    return sorted(app.project.discover(app.config.exclude_patterns) - named)


def drop_field_docstrings(
    _: Sphinx, __: str, ___: str, ____: Any, _____: Any, lines: list[str]
) -> None:
    """Drop the docstrings that Python generates for the fields of a named tuple."""
    if lines and _ALIAS.fullmatch(lines[0]):
        lines.clear()


def _directory(app: Sphinx) -> Path:
    return Path(app.outdir) / PICTURES


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    for plain in "tgn", "thud":
        app.add_lexer(plain, TextLexer)
    app.connect("builder-inited", make_pictures)
    app.connect("source-read", change)
    app.connect("autodoc-process-docstring", drop_field_docstrings)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
