"""What the documents need to be a site, as an extension of Sphinx: pictures, and every page listed.

docs/ stays as it is read in an editor or at a forge: what is changed here is changed on the way.
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
"""A link to what is in the source tree, but no document."""

_IMAGE: Final = re.compile(r"!\[([^]]+)\]\(images/([^)]+\.svg)\)")
"""A picture of a terminal, which asks for its fonts from elsewhere until it is written again."""

_ALIAS: Final = re.compile("Alias for field number [0-9]+")


def make_pictures(app: Sphinx) -> None:
    """Write the pictures that do not come from a page."""
    directory = _directory(app)
    directory.mkdir(parents=True, exist_ok=True)
    for image in _IMAGES.glob("*.svg"):
        text = site_gallery.self_contained(image.read_text())
        directory.joinpath(image.name).write_text(text)
    site_gallery.make(directory)


def change(app: Sphinx, page: str, content: list[str]) -> None:
    """Change the text of a page that needs it."""
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
    """List the pages that the index does not name: whoever adds one need not think of it."""
    named = set(re.findall(r"^([\w-]+)$", index, re.MULTILINE)) | {"index"}
    return sorted(app.project.discover(app.config.exclude_patterns) - named)


def tell_members(_: Sphinx, __: str, ___: str, ____: Any, _____: Any, lines: list[str]) -> None:
    """Drop what Python says by itself of the fields of a named tuple."""
    if lines and _ALIAS.fullmatch(lines[0]):
        lines.clear()


def _directory(app: Sphinx) -> Path:
    return Path(app.outdir) / PICTURES


def setup(app: Sphinx) -> dict[str, Any]:
    """Hook in."""
    for plain in "tgn", "thud":
        app.add_lexer(plain, TextLexer)
    app.connect("builder-inited", make_pictures)
    app.connect("source-read", change)
    app.connect("autodoc-process-docstring", tell_members)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
