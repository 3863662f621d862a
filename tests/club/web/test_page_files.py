"""A club that offers the page that runs the program in a browser."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from club.web.conftest import SECRET, Browser
from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.web.door import open_web
from thud.club.web.page_files import page_files


def packed(path: Path, *names: str) -> Path:
    with ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return path


async def test_anybody_can_play_alone_without_an_invitation(
    club: ClubServer, tmp_path: Path
) -> None:
    file = packed(tmp_path / "page.zip", "index.html", "program.js", "pyodide/pyodide.asm.wasm")
    door = await open_web(club, DoorOptions(LOOPBACK, 0, SECRET, page=str(file)))
    browser = Browser(door.invitation[1].partition("/#")[0])
    assert await browser.ask("/play/") == (200, "index.html")
    assert (await browser.ask("/play/../pyproject.toml"))[0] == 404
    assert (await browser.ask("/play/nothing.js"))[0] == 404
    async with browser.session.get(f"{browser.url}/play/pyodide/pyodide.asm.wasm") as answer:
        assert answer.content_type == "application/wasm"
        assert "'wasm-unsafe-eval'" in answer.headers["Content-Security-Policy"]
        assert not answer.cookies
    await browser.session.close()
    await door.close()


async def test_a_club_without_the_page_has_nothing_there(guest: Browser) -> None:
    assert (await guest.ask("/play/"))[0] == 404


@pytest.mark.parametrize(
    "names", [(), ("index.html",), ("index.html", "program.js", "../x"), ("program.js", "a.exe")]
)
def test_a_file_that_is_no_page_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="is no page of Thud's"):
        page_files(packed(tmp_path / "page.zip", *names))


def test_a_page_that_is_damaged_is_refused(tmp_path: Path) -> None:
    with ZipFile(path := tmp_path / "page.zip", "w", ZIP_DEFLATED) as archive:
        for name in "index.html", "program.js":
            archive.writestr(name, name * 9)
    data = path.read_bytes()
    start = data.index(b"index.html") + len("index.html")
    path.write_bytes(data[:start] + b"\xff" + data[start + 1 :])
    with pytest.raises(ValueError, match="is no page of Thud's"):
        page_files(path)


def test_a_page_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        page_files(tmp_path / "missing.zip")
