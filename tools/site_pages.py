"""Sphinx extension for the documentation site: adds pictures and lists every page.

docs/ stays readable in an editor or on a forge: the changes are made only during the build.
"""

import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util import logging

import site_boards
import site_films
import site_gallery
import site_models
import site_reference

PICTURES: Final = "_pictures"
_DOCS: Final = Path(__file__).parents[1] / "docs"
_IMAGES: Final = _DOCS / "images"
_MORE: Final = "<!-- all others -->"
_OUTSIDE: Final = re.compile(r"(\()?\[([^]]+)\]\(\.\./([^)]+)\)(?(1)\))")
"""A link to a file of the source tree outside docs/, perhaps in brackets."""

_IMAGE: Final = re.compile(r"!\[([^]]+)\]\(images/([^)]+\.svg)\)")
"""A terminal screenshot, which is rewritten so that it does not load external fonts."""

_ADDRESS: Final = "https://thud-game.github.io/thud/"
_DESCRIPTION: Final = "Discworld's board game of dwarfs and trolls, in your terminal"

PLAYED: Final = _DOCS.parent / "build" / "page"
"""The page that runs the program in a browser, if `make page` has built it."""

_PLAY: Final = "<!-- play now -->"
_BUTTON: Final = '<p class="play"><a href="play/index.html">Play now</a> in this browser.</p>'

_ACCESSIBLE: Final = {
    'role="heading">': 'role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">',
}

_ALIAS: Final = re.compile("Alias for field number [0-9]+")


def make_pictures(app: Sphinx) -> None:
    """Write the pictures that are not generated from a page."""
    directory = _directory(app)
    directory.mkdir(parents=True, exist_ok=True)
    for image in _IMAGES.glob("*.svg"):
        text = site_gallery.self_contained(image.read_text())
        directory.joinpath(image.name).write_text(text)
    site_gallery.use_driver()
    site_gallery.make(directory)
    site_films.make(directory)
    if not site_films.bring_player(directory, Path(app.doctreedir) / "npm"):
        logging.getLogger(__name__).info("npm cannot bring the player: films are stills")


def change(app: Sphinx, page: str, content: list[str]) -> None:
    """Change the text of a page for the site."""
    if page == "rules":
        content[0] = site_boards.with_pictures(content[0], _directory(app), PICTURES)
    elif page == "gallery":
        content[0] = site_gallery.with_pictures(content[0], PICTURES)
    elif page == "reference":
        content[0] = site_reference.with_reference(content[0])
    elif page == "models":
        content[0] = site_models.with_battles(content[0])
    elif page == "index":
        content[0] = content[0].replace(_PLAY, _BUTTON if PLAYED.is_dir() else "")
        content[0] = content[0].replace(_MORE, "\n".join(_others(app, content[0])))
        content[0] = site_gallery.with_pictures(content[0], PICTURES)
    content[0] = site_films.with_films(content[0], _directory(app))
    content[0] = _IMAGE.sub(rf'<img src="{PICTURES}/\2" alt="\1">', content[0])
    content[0] = _OUTSIDE.sub(
        lambda link: f"({link[2]}: `{link[3]}`)" if link[1] else f"{link[2]} (`{link[3]}`)",
        content[0],
    )


def _others(app: Sphinx, index: str) -> list[str]:
    """List the pages missing from the index, so that new pages need no entry."""
    named = set(re.findall(r"^([\w-]+)$", index, re.MULTILINE)) | {"index"}
    return sorted(app.project.discover(app.config.exclude_patterns) - named)


def finish(app: Sphinx, page: str, _: str, context: dict[str, Any], __: object) -> None:
    """Add the player to pages with films, and what is shown of a page where it is shared."""
    if (
        'class="film"' in context.get("body", "")
        and (_directory(app) / site_films.PLAYER[0]).exists()
    ):
        for name in site_films.PLAYER:
            add = app.add_js_file if name.endswith("js") else app.add_css_file
            add(f"../{PICTURES}/{name}")
        app.add_js_file("films.js", defer="defer")
    shown = {
        "og:type": "website",
        "og:title": context.get("title", "Thud"),
        "og:description": _DESCRIPTION,
        "og:url": f"{_ADDRESS}{page}.html",
        "og:image": f"{_ADDRESS}_static/social.png",
        "og:image:alt": "A battle of Thud in a terminal",
        "twitter:card": "summary_large_image",
    }
    context["metatags"] = (
        context.get("metatags", "")
        + "".join(
            f'<meta property="{name}" content="{escape(text)}">\n' for name, text in shown.items()
        )
        + f'<meta name="description" content="{_DESCRIPTION}">\n'
    )


def add_models(app: Sphinx) -> Iterator[tuple[str, dict[str, object], str]]:
    """Add a page for each model battle."""
    return site_models.pages(_directory(app), PICTURES)


def add_page(app: Sphinx, failure: Exception | None) -> None:
    """Put the page that runs the program beside the documents, if it is built."""
    if not failure and PLAYED.is_dir():
        shutil.copytree(PLAYED, Path(app.outdir) / "play", dirs_exist_ok=True)


def make_accessible(app: Sphinx, failure: Exception | None) -> None:
    """Change what theme and Sphinx write into what screen readers and keyboards need."""
    for path in [] if failure else Path(app.outdir).glob("*.html"):
        text = path.read_text(encoding="utf-8")
        for written, needed in _ACCESSIBLE.items():
            text = text.replace(written, needed)
        path.write_text(text, encoding="utf-8")


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
    app.connect("html-collect-pages", add_models)
    app.connect("html-page-context", finish)
    app.connect("build-finished", add_page)
    app.connect("build-finished", make_accessible)
    app.connect("autodoc-process-docstring", drop_field_docstrings)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
