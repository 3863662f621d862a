"""Tries the packages as people install them, in fresh systems made for it.

Usage: python tools/try_packages.py WHEEL DIRECTORY

Makes the packages and the images in the directory.  Each Debian package is installed in a fresh
Debian of its release, played, upgraded from the version before with a match saved, removed and
purged.  The image is played in, and a club in it is killed and started again.  What is for another
machine is tried so where qemu-user-static and arch-test are there, in Debian 13 alone.  The other
packages are built, twice, and listed.  Needs root, mmdebstrap, buildah, lintian,
desktop-file-utils, appstream, and the extras `dev` and `ci`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import packages

sys.path.insert(0, str(packages.ROOT / "tests"))

from terminal.emulator import Terminal

RELEASES: Final = {"debian-12": "bookworm", "debian-13": "trixie", "debian-13-arm64": "trixie"}
PATIENCE: Final = 600
"""Seconds for what another machine's program may take while it is emulated."""

MIRROR: Final = "http://deb.debian.org/debian"
NEEDED: Final = "python3,man-db,bash-completion,systemd"
_PLAY: Final = r"printf 'f1 f5\nlist\nquit\n' | thud play --plain --opponent 1 --names Ann"
_COMPLETE: Final = "source /usr/share/bash-completion/completions/thud; complete -p thud"


class Wrong(Exception):
    """What is not as it should be."""


def expect(so: bool, what: str) -> None:
    """Report what holds.

    Raises:
        Wrong: it does not.
    """
    if not so:
        raise Wrong(what)
    print(f"  {what}", flush=True)


@contextmanager
def system(release: str, machine: str) -> Iterator[Path]:
    """Make a fresh Debian with a user, Ann; yield its root."""
    with TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        include = (f"--arch={machine}", "--variant=minbase", f"--include={NEEDED}")
        run("mmdebstrap", "--quiet", *include, release, root, MIRROR)
        run("chroot", root, "useradd", "--create-home", "ann")
        run("mount", "--bind", "/dev", root / "dev")
        run("mount", "--bind", "/dev/pts", root / "dev/pts")
        run("mount", "-t", "proc", "proc", root / "proc")
        try:
            yield root
        finally:
            for place in "dev/pts", "dev", "proc":
                run("umount", root / place)


def run(*command: str | Path) -> str:
    """Run a command and return its output.

    Raises:
        Wrong: it failed; with what it said.
    """
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"{command[0]} failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def files_of(root: Path) -> set[str]:
    """Return all files of a system but what dpkg and homes keep."""
    found = run("find", root, "-xdev", "(", "-type", "f", "-o", "-type", "l", ")").splitlines()
    inside = {path.removeprefix(str(root)) for path in found}
    kept = ("/var/lib/dpkg/", "/var/log/", "/var/cache/", "/home/")
    passing = ("/tmp/", "/run/", "/dev/", "/proc/")
    return {path for path in inside if not path.startswith(kept + passing)}


def try_debian(name: str, package: Path, before: Path) -> None:
    """Install, play, upgrade, remove and purge a package in its release of Debian."""
    machine = packages.TARGETS[name].machine
    print(f"{package.name} in Debian {RELEASES[name]}, {machine}:", flush=True)
    checks = ("--fail-on", "error,warning", "--tag-display-limit", "0", "--allow-root")
    expect(run("lintian", *checks, package).strip() == "", "lintian finds nothing")
    with system(RELEASES[name], machine) as root:
        there = files_of(root)

        def ann(command: str) -> str:
            return run("chroot", root, "su", "--login", "ann", "--command", command)

        for each in before, package:
            shutil.copy(each, root / "tmp")
        run("chroot", root, "dpkg", "--install", f"/tmp/{before.name}")
        expect("dF1-F5 T" in ann(_PLAY), "in lines, the computer answers a move")
        run("chroot", root, "dpkg", "--install", f"/tmp/{package.name}")
        expect("Ann" in ann("thud resume --list"), "an upgrade keeps the match")
        told = ann("thud doctor < /dev/null")
        expect("compiled, with wasmtime" in told, "the search is compiled")
        expect("dwarfs and trolls" in ann("man thud"), "man thud")
        expect("thud" in ann(f"bash -c '{_COMPLETE}'"), "completions")
        login = ("chroot", str(root), "su", "--login", "ann", "--command", "thud resume")
        with Terminal(login, (80, 24), {}) as terminal:
            terminal.wait_for("Your move", PATIENCE)
            terminal.send("q")
            terminal.wait_for("play on", PATIENCE)
            terminal.send("y")
            expect(terminal.wait_for_end() == 0, "the match goes on at the board")
        shared = root / "usr/share"
        run("desktop-file-validate", shared / "applications/thud.desktop")
        run("appstreamcli", "validate", "--no-net", *(shared / "metainfo").glob("*thud*.xml"))
        expect(True, "menu entry and AppStream data are valid")
        service = "/usr/lib/systemd/system/thud-club.service"
        told = run("chroot", root, "systemd-analyze", "verify", service)
        expect(not told, "systemd accepts the club's service")
        expect("thud" in run("chroot", root, "id", "thud"), "the club has a user")
        run("chroot", root, "dpkg", "--remove", packages.NAME)
        run("chroot", root, "dpkg", "--purge", packages.NAME)
        left = files_of(root) - there
        expect(not left, f"nothing is left of it{''.join(sorted(left)[:5])}")
        kept = list((root / "home/ann/.local/share/thud/matches").glob("*.tgn"))
        expect(len(kept) == 1, "Ann's match is")


def try_image(image: Path) -> None:
    """Play in the image; run a club in it with a volume, play there, kill it, start it again."""
    print(f"{image.name}, {image.stat().st_size / 1e6:.0f} MB:", flush=True)
    made = run("buildah", *packages.DRIVER, "from", f"docker-archive:{image}").split()[-1]
    try:
        with TemporaryDirectory() as scratch:
            volume, key = Path(scratch) / "data", Path(scratch) / "key"
            volume.mkdir()
            os.chown(volume, 1000, 1000)
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
            inside = ("--isolation", "chroot", "--volume", f"{volume}:/data", made, "--")
            command = ("buildah", *packages.DRIVER, "run", *inside)
            expect("22624" in run(*command, "thud", "perft", "2"), "it counts the moves")
            told = run(*command, "thud", "doctor")
            expect("compiled, with wasmtime" in told, "the search is compiled")
            expect("dF1-F5 T" in run(*command, "sh", "-c", _PLAY), "in lines, the computer answers")
            with _club(command, volume) as told:
                run(*command, "thud-health")
                expect(True, "its health check says that the club is open")
                with _visit(key) as ann:
                    ann.wait_for("The word of the invitation:", PATIENCE)
                    ann.send(f"{told.rpartition('#')[2].split()[0]}\r")
                    ann.wait_for("What is your name?", PATIENCE)
                    ann.send("Ann\r")
                    ann.wait_for("What now?", PATIENCE)
                    ann.send("open classic\r")
                    ann.wait_for("Your move:", PATIENCE)
                    ann.send("f1 f5\r")
                    ann.wait_for("from F1 to F5", PATIENCE)
                    told_owner = run(*command, "thud", "club", "who")
                    expect("Ann" in told_owner, "its owner sees who is in")
                expect(True, "over ssh, a table is opened and a move made")
                _browse(told.split("in a browser:")[1].split()[0])
                expect(True, "a browser comes in")
            with _club(command, volume), _visit(key) as ann:
                ann.wait_for("Rank 5: dwarfs B5 F5 O5.", PATIENCE)
                expect(True, "killed and started again, it leads Ann back to her table")
    finally:
        run("buildah", *packages.DRIVER, "rm", made)


@contextmanager
def _club(command: Sequence[str], volume: Path) -> Iterator[str]:
    """Run a club in a container, yield what it says, and kill it."""
    said = volume.with_name("said")
    with said.open("w") as output:
        club = subprocess.Popen(
            [*command, "thud", "serve", "--web", "--ssh"], stdout=output, start_new_session=True
        )
    try:
        while "Ctrl+C ends it" not in said.read_text():
            if club.poll() is not None:
                raise Wrong("the club has ended")
            time.sleep(0.1)
        yield said.read_text()
    finally:
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if "/buildah" in str((process / "root").readlink()):
                    os.kill(int(process.name), signal.SIGKILL)
        os.killpg(club.pid, signal.SIGKILL)
        club.wait()


def _visit(key: Path) -> Terminal:
    """Visit the club over ssh, in lines of text."""
    options = ("-tt", "-p", "4722", "-i", str(key), "-o", "StrictHostKeyChecking=no")
    forget = ("-o", "UserKnownHostsFile=/dev/null", "-o", "IdentitiesOnly=yes")
    return Terminal(("ssh", *options, *forget, "ann@127.0.0.1", "plain"), (100, 60), {})


def _browse(address: str) -> None:
    """Visit the club in a browser until the terminal is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector(".xterm-screen", timeout=60_000)
        browser.close()


def try_twice(wheel: Path, names: Sequence[str], made: Path) -> None:
    """Make packages once more and compare them byte for byte."""
    with TemporaryDirectory() as scratch:
        for name in names:
            again = packages.make(wheel, Path(scratch), name)
            same = again.read_bytes() == (made / again.name).read_bytes()
            size = again.stat().st_size / 1e6
            expect(same, f"{again.name}: {size:.1f} MB, twice the same bytes")


def main(arguments: Sequence[str]) -> int:
    """Make and try all packages; return the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    wheel, made = (Path(each).resolve() for each in arguments)
    made.mkdir(parents=True, exist_ok=True)
    try:
        with TemporaryDirectory() as scratch:
            version = packages.version_of(wheel)
            older = Path(scratch) / wheel.name.replace(version, "0.0.1", 1)
            shutil.copy(wheel, older)
            targets = packages.TARGETS
            tried = [name for name in RELEASES if packages.runs_here(targets[name].machine)]
            for name in tried:
                package = packages.make(wheel, made, name)
                try_debian(name, package, packages.make(older, Path(scratch), name))
        others = [name for name in targets if name not in tried]
        for name in others:
            packages.make(wheel, made, name)
        print("Built, and not installed anywhere:", *others)
        try_twice(wheel, list(targets), made)
        for name in packages.IMAGES:
            if packages.runs_here(packages.IMAGES[name]):
                try_image(packages.make_image(wheel, made, name))
            else:
                print("Not built: ", name)
    except Wrong as what:
        print(f"Wrong: {what}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
