"""The documentation site builds without warnings, has no broken links, and loads nothing remote."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

import pytest

import site_films
from club.web.chromium import chromium, playwright
from document_text import REPOSITORY
from thud import rules
from thud.disk.atomic import write_atomic
from thud.rulebook.chapters import Drawing, chapters
from thud.rules.variants import VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["chromium", "playwright"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("furo"), reason="Sphinx and Furo are missing"),
]
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
ELSEWHERE = re.compile(r"""(?:url\(|@import|\bhref=|\bsrc=)\s*["']?(?:https?:)?//[^"')\s]*""")


class Page(HTMLParser):
    """A page's resources, links and anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in LOADED and LOADED[tag] in given:
            self.loads.append(given[LOADED[tag]])
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])
        self.anchors |= {given[name] for name in ("id", "name") if name in given}


class Site:
    """The built site."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.axe = directory.with_suffix(".work") / "npm/node_modules/axe-core/axe.min.js"

    @cached_property
    def pages(self) -> dict[Path, Page]:
        return {path: Page(path) for path in self.directory.rglob("*.html")}

    def fault(self, page: Page, link: str) -> str:
        """Return what is wrong with a link within the site; empty if nothing is."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return ""
        target = page.path.parent / unquote(parts.path) if parts.path else page.path
        if not target.resolve().is_file():
            return "leads nowhere"
        known = self.pages.get(target.resolve())
        if parts.fragment and known and unquote(parts.fragment) not in known.anchors:
            return "leads to no place on the page"
        return ""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Site:
    """The site, which the first of all processes builds."""
    base = tmp_path_factory.getbasetemp().resolve()
    directory = (base if worker_id == "master" else base.parent) / "site"
    told = directory.with_suffix(".txt")
    try:
        directory.mkdir()
    except FileExistsError:
        while not told.exists():
            sleep(0.1)
    else:
        work = directory.with_suffix(".work")
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(work)]
        command += ["docs", str(directory)]
        built = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        write_atomic(told, f"{built.returncode}\n{built.stderr}".encode())
    assert told.read_text("utf-8") == "0\n"
    return Site(directory)


@pytest.fixture(scope="module")
def served(site: Site) -> Iterator[str]:
    """The site's address, as browsers load films over http only."""
    files = partial(QuietHandler, directory=str(site.directory))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_every_document_is_a_page_that_the_index_leads_to(site: Site) -> None:
    index = site.pages[site.directory / "index.html"]
    for document in REPOSITORY.glob("docs/*.md"):
        assert site.directory / f"{document.stem}.html" in site.pages
        assert document.stem == "index" or f"{document.stem}.html" in index.leads


def test_every_link_and_picture_is_there(site: Site) -> None:
    checked = 0
    for page in site.pages.values():
        for link in page.leads + page.loads:
            checked += 1
            assert not site.fault(page, link), (page.path.name, link)
    assert checked > 1000


def test_no_page_asks_for_anything_from_elsewhere(site: Site) -> None:
    for page in site.pages.values():
        assert not [link for link in page.loads if urlsplit(link).netloc], page.path.name
    for file in site.directory.rglob("*"):
        if file.suffix in {".css", ".svg"}:
            assert not ELSEWHERE.findall(file.read_text(encoding="utf-8")), file.name


def test_what_is_looked_for_is_found(site: Site) -> None:
    words = (site.directory / "searchindex.js").read_text(encoding="utf-8")
    for word in "hurl", "trampl", "multipv", "legal_mov":
        assert word in words


def test_every_diagram_of_the_rules_is_a_picture(site: Site) -> None:
    text = (site.directory / "rules.html").read_text(encoding="utf-8")
    drawn = [b.diagram for each in chapters() for b in each.blocks if isinstance(b, Drawing)]
    assert text.count('<div class="boards">') == len(drawn) > 10
    assert text.count("<figure>") == sum(map(len, drawn))
    for diagram in drawn:
        for excerpt in diagram:
            word, *moves = excerpt.caption.split() or [""]
            assert f"{' '.join([word, *(f'<code>{move}</code>' for move in moves)])}<" in text
    pictures = [*site.directory.glob("_pictures/rules-*.svg")]
    assert len(pictures) == sum(map(len, drawn))
    assert all("thud-dwarf" in each.read_text() for each in pictures[:1])


def test_the_gallery_has_every_game_theme_and_set_of_pieces(site: Site) -> None:
    pictures = {path.name for path in site.directory.glob("_pictures/*")}
    text = (site.directory / "gallery.html").read_text(encoding="utf-8")
    from thud.tui.looks.themes import THEMES

    for name in VARIANTS:
        assert {f"{name}-start.svg", f"{name}-later.svg", f"game-{name}.svg"} <= pictures
    assert {f"theme-{theme.name}.svg" for theme in THEMES} <= pictures
    assert "football.gif" in pictures
    assert "<!-- pictures" not in text


def test_films_are_there_with_their_player(site: Site) -> None:
    for name in site_films.FILMS:
        head, *events = map(
            json.loads, (site.directory / f"_pictures/{name}.cast").read_text().splitlines()
        )
        assert head["version"] == 2
        assert len(events) > 5
        seconds = [time for time, *_ in events]
        assert seconds == sorted(seconds)
        assert 5 < seconds[-1] < 90
    shown = [page for page in site.directory.glob("*.html") if 'class="film"' in page.read_text()]
    assert {page.stem for page in shown} == {"index", *VARIANTS}
    if site.axe.exists():
        assert all("asciinema-player.min.js" in each.read_text() for each in shown)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 820, 1400])
def test_pages_are_accessible_and_have_room(
    site: Site, served: str, chromium: Browser, width: int, scheme: Literal["light", "dark"]
) -> None:
    if not site.axe.exists():
        pytest.skip("npm cannot bring the player and axe")
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    errors: list[object] = []

    def note(error: object) -> None:
        errors.append(error)

    page.on("pageerror", note)
    for name in "index", "rules", "koom", "models", "search":
        page.goto(f"{served}/{name}.html")
        if (site.directory / f"{name}.html").read_text().count("data-film"):
            page.wait_for_selector(".ap-player")
        page.add_script_tag(path=site.axe)
        found = page.evaluate("axe.run()")["violations"]
        assert [(name, each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
    assert not errors


@pytest.mark.parametrize("name", rules.__all__)
def test_the_reference_has_everything_with_its_own_words(site: Site, name: str) -> None:
    text = (site.directory / "reference.html").read_text(encoding="utf-8")
    assert re.search(rf'id="thud\.rules\.\w+\.{name}"', text)
    assert "Alias for field" not in text
    assert "str(object=" not in text
    assert "int([x])" not in text
