"""Builds the page that runs the program in a browser.

Usage: python tools/build_page.py [DIRECTORY]

The page is in DIRECTORY (default: build/page), and as one file beside it, `thud-page-VERSION.zip`.
Python for browsers comes from npm (`page/package-lock.json`), the packages from PyPI
(`requirements/page.txt`), both with hashes.  Any server of files can serve it; nothing of it loads
from elsewhere.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tarfile import USTAR_FORMAT, TarFile, TarInfo
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from PIL import Image

from thud import __version__
from thud.pictures.svg import board_svg
from thud.rules.variants import VARIANTS
from thud.tui.board.sprites import SHEETS, colours, pixels
from thud.tui.looks.themes import KOOM_VALLEY, paints

ROOT: Final = Path(__file__).resolve().parents[1]
_PAGE: Final = ROOT / "page"
_CLUB: Final = ROOT / "src" / "thud" / "club" / "web" / "page"
_LOCK: Final = ROOT / "requirements" / "page.txt"

_ICONS: Final = (192, 512)
_GROUND: Final = "#3a2f22"

_PLATFORM: Final = ("pyemscripten_2026_0_wasm32", "3.14")
"""The platform and the Python of the locked Pyodide."""

_OWN: Final = ("*.html", "*.js", "*.css", "*.webmanifest")
_OF_CLUB: Final = ("board.js", "club.css", "icon.svg", "mono.woff2", "mono-italic.woff2")
_OF_TEXTUAL: Final = {
    "textual.js": "js/textual.js",
    "xterm.css": "css/xterm.css",
    "mono.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
    "mono-italic.ttf": "fonts/RobotoMono-Italic-VariableFont_wght.ttf",
}
_PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_LIBRARY: Final = "python_stdlib.zip"
_PACKAGES: Final = "pyodide-lock.json"

_NOT_OF_THUD: Final = ("cli", "plain")
_CLUB_DRIVER: Final = ("__init__.py", "web/__init__.py", "web/driver.py")
"""What the page has of the package of clubs."""

_BY_NAME: Final = (
    *("encodings", "pyodide.*", "_pyodide.*", "collections.*", "importlib.*", "zoneinfo.*"),
    *(f"encodings.{name}" for name in ("aliases", "ascii", "cp437", "idna", "latin_1")),
    *(
        f"encodings.{name}"
        for name in ("utf_8", "utf_8_sig", "unicode_escape", "raw_unicode_escape")
    ),
    *("rich._unicode_data.*", "textual.drivers.web_driver", "msgspec.*"),
    *(f"textual.widgets._{name}" for name in ("button", "input", "label", "loading_indicator")),
    *(f"textual.widgets._{name}" for name in ("option_list", "progress_bar", "static", "toast")),
    *("textual.widgets._tooltip", "textual.widgets.option_list"),
    *("pygments.lexers", "pygments.lexers.python", "pygments.styles.default"),
    *("zipfile.*", "shutil", "tempfile", "traceback", "tarfile", "sysconfig", "_sysconfigdata*"),
)
"""Modules that are imported by names found while the program runs, or by Pyodide itself."""

_OURS: Final = ("thud.*", "thud_page.*")


def build(directory: Path) -> Path:
    """Build the page in a directory, which is made anew; return the path of the zip beside it."""
    with TemporaryDirectory() as scratch:
        work = Path(scratch)
        pyodide = _from_npm(work / "npm")
        program, library = work / "program", work / "library"
        _fill(program, work)
        shutil.rmtree(directory, ignore_errors=True)
        (directory / "pyodide").mkdir(parents=True)
        for name in _PYODIDE:
            shutil.copy(pyodide / name, directory / "pyodide")
        with ZipFile(pyodide / _LIBRARY) as archive:
            archive.extractall(library)
        _compile(pyodide, program, library)
        _pack(library, work / _LIBRARY, ZIP_STORED)
        _compress((work / _LIBRARY).read_bytes(), directory / f"{_LIBRARY}.gz")
        _compress(_as_one(program), directory / "program.tar.gz")
        _write_nothing_more(pyodide, directory / "pyodide")
        _copy_page(directory)
        _in_pyodide(
            pyodide,
            {"/program": program},
            "shrink.import_all('/program', ['thud'])",
            library=work / _LIBRARY,
        )
    _write_version(directory)
    packed = directory.with_name(f"thud-page-{__version__}.zip")
    _pack(directory, packed)
    return packed


def _run(*command: object, at: Path = ROOT) -> None:
    subprocess.run([str(each) for each in command], cwd=at, check=True)


def _from_npm(directory: Path) -> Path:
    """Install what is locked; return the directory of Pyodide."""
    npm = shutil.which("npm")
    if not npm:
        raise SystemExit("build_page: npm is needed, which comes with Node.js")
    directory.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(_PAGE / name, directory)
    _run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", at=directory)
    return directory / "node_modules" / "pyodide"


def _fill(program: Path, work: Path) -> None:
    """Unpack the locked packages into a directory, with our own."""
    wheels = work / "wheels"
    platform, python = _PLATFORM
    _run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
        *("--only-binary", ":all:", "--platform", platform, "--python-version", python),
        *("-d", wheels, "-r", _LOCK),
    )
    for wheel in sorted(wheels.glob("*.whl")):
        with ZipFile(wheel) as archive:
            archive.extractall(program)
    for path in program.glob("*.dist-info/**/*"):
        if path.is_file() and path.name != "METADATA":
            path.unlink()
    ignored = shutil.ignore_patterns("__pycache__", "core.wasm.txt")
    source = ROOT / "src" / "thud"
    shutil.copytree(source, program / "thud", ignore=ignored)
    for name in (*_NOT_OF_THUD, "club"):
        shutil.rmtree(program / "thud" / name)
    for name in _CLUB_DRIVER:
        path = program / "thud" / "club" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / "club" / name, path)
    shutil.copy(ROOT / "docs" / "rules.md", program / "thud" / "rulebook" / "rules.md")
    shutil.copytree(_PAGE / "python", program, ignore=ignored, dirs_exist_ok=True)


def _compile(pyodide: Path, program: Path, library: Path) -> None:
    """Leave out what no module imports, and the rest as bytecode, by the Python that runs it."""
    places = {"/program": program, "/library": library}
    _in_pyodide(pyodide, places, f"shrink.shrink({[*_OURS, *_BY_NAME]!r}, '/program', '/library')")


def _in_pyodide(
    pyodide: Path, places: dict[str, Path], code: str, *, library: Path | None = None
) -> None:
    """Run code of `shrink.py` in Pyodide, with its own standard library or another."""
    mounted = {**places, "/tools": Path(__file__).parent}
    choices = {
        "pyodide": str(pyodide),
        "library": str(library) if library else "",
        "places": {place: str(path) for place, path in mounted.items()},
        "code": f"import shrink\n{code}",
    }
    _run("node", _PAGE / "run_in_node.mjs", json.dumps(choices))


def _write_nothing_more(pyodide: Path, directory: Path) -> None:
    """Write what Pyodide asks for besides: a list of packages and a standard library, empty.

    The page puts the library in its place itself, which the browser decompresses as one stream:
    that is smaller, and faster than Python, which unpacks each module of a zip file.
    """
    with ZipFile(directory / _LIBRARY, "w"):
        pass
    listed = json.loads((pyodide / _PACKAGES).read_text())
    (directory / _PACKAGES).write_text(json.dumps({**listed, "packages": {}}))


def _pack(directory: Path, path: Path, method: int = ZIP_DEFLATED) -> None:
    """Pack a directory, the same each time."""
    with ZipFile(path, "w", compresslevel=9) as archive:
        for file in _files(directory):
            about = ZipInfo(file.relative_to(directory).as_posix())
            about.compress_type = method
            archive.writestr(about, file.read_bytes())


def _compress(data: bytes, path: Path) -> None:
    """Compress small files as one stream, which makes them smaller by a tenth more."""
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def _as_one(directory: Path) -> bytes:
    """Return a directory as one archive, the same each time."""

    def timeless(about: TarInfo) -> TarInfo:
        about.mtime, about.uid, about.gid, about.uname, about.gname = 0, 0, 0, "", ""
        return about

    stream = BytesIO()
    with TarFile(fileobj=stream, mode="w", format=USTAR_FORMAT) as archive:
        for file in _files(directory):
            name = file.relative_to(directory).as_posix()
            archive.add(file, name, recursive=False, filter=timeless)
    return stream.getvalue()


def _files(directory: Path) -> Iterator[Path]:
    yield from sorted(path for path in directory.rglob("*") if path.is_file())


def _copy_page(directory: Path) -> None:
    """Copy the page's own files, and those that it shares with clubs."""
    for pattern in _OWN:
        for path in _PAGE.glob(pattern):
            shutil.copy(path, directory)
    for name in _OF_CLUB:
        shutil.copy(_CLUB / name, directory)
    theirs = files("textual_serve") / "static"
    for name, place in _OF_TEXTUAL.items():
        (directory / name).write_bytes(theirs.joinpath(*place.split("/")).read_bytes())
    for size in _ICONS:
        _draw_icon(size).save(directory / f"icon-{size}.png", optimize=True)
    variant = VARIANTS["classic"]
    (directory / "board.svg").write_text(board_svg(variant.start, goals=variant.goals))


def _draw_icon(size: int) -> Image.Image:
    """Return a troll of the sprites on its square, as large as all shapes of icons show whole."""
    sheet, paint = SHEETS[0], paints(KOOM_VALLEY)
    rows, names = pixels(sheet)["troll"], colours(sheet)
    icon = Image.new("RGB", (size, size), _GROUND)
    scale = size * 6 // 10 // max(len(rows), len(rows[0]))
    left, top = ((size - scale * length) // 2 for length in (len(rows[0]), len(rows)))
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter in names:
                place = left + x * scale, top + y * scale
                corner = place[0] + scale, place[1] + scale
                icon.paste(paint[names[letter]], (*place, *corner))
    return icon


def _write_version(directory: Path) -> None:
    """Tell the service worker which files there are, and which version they make."""
    marks = {
        path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in _files(directory)
    }
    version = hashlib.sha256(json.dumps(marks).encode()).hexdigest()[:16]
    script = directory / "service-worker.js"
    if script.exists():
        names = json.dumps([name for name in marks if name != script.name], indent=2)
        text = script.read_text().replace('"VERSION"', f'"{version}"').replace('"FILES"', names)
        script.write_text(text)


def main() -> None:
    """Build the page."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "page"
    packed = build(directory)
    print(f"{directory} and {packed}: {packed.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
