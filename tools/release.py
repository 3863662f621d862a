"""Makes a release: dates the changelog, commits, tags, and prints what is left to do.

Usage: python tools/release.py VERSION [--check]
       python tools/release.py --publish OWNER/NAME

Refuses if there are uncommitted files, the branch is not main, the version does not follow the last
one, or the changelog has no entry for it.  Nothing leaves this machine: that happens when you push
the tag, which .github/workflows/release.yml then publishes.  With --check it only checks.

With --publish, once before the first release, it commits what documents say from then on: that Thud
is published, and that its repository is OWNER/NAME at GitHub.  docs/releasing.md has all steps.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from shutil import which
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BRANCH: Final = "main"
_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_CHANGES: Final = "CHANGELOG.md"
_UNPUBLISHED: Final = re.compile(
    r"<!-- until it is published -->\n.*?<!-- once it is\n(.*?)-->\n", re.DOTALL
)
"""What a document says until the first release, and what it says from then on."""

ADDRESS: Final = "thud-game/thud"
"""The owner and the name of the repository at GitHub."""

_ADDRESSED: Final = ("*.md", "packaging", "tools", "pyproject.toml", "src/*.py", "page/*.html")
"""Files that may have the address."""

_LINK: Final = re.compile(r'(!?\[[^]]*\]\(|src=")(?!https?:|#)([^)"]*)')
_VERSIONED: Final = {
    "src/thud/__init__.py": r'(?<=__version__ = ")[^"]*',
}
"""The files that contain the version, with patterns that match it."""


class NotReady(Exception):
    """Why a release is not possible yet."""


def check(root: Path, version: str) -> None:
    """Check whether a version can be released from a working tree.

    Raises:
        NotReady: it cannot; the message says why.
    """
    if not _VERSION.fullmatch(version):
        raise NotReady(f"{version!r} is no version such as 1.2.3")
    _check_tree(root)
    if is_unpublished(root):
        raise NotReady("the documents say that Thud is not published: see --publish")
    if (last := _last(root)) and _parts(version) <= _parts(last):
        raise NotReady(f"{version} does not come after {last}")
    if not _changes(root, version):
        raise NotReady(f"{_CHANGES} has nothing below '## {version} (unreleased)'")


def _check_tree(root: Path) -> None:
    if changed := git(root, "status", "--porcelain"):
        raise NotReady(f"these files are not committed:\n{changed}")
    if (branch := git(root, "branch", "--show-current")) != BRANCH:
        raise NotReady(f"this is {branch or 'no branch'}, and releases are made from {BRANCH}")


def is_unpublished(root: Path) -> bool:
    """Whether documents still say that Thud is not published."""
    return any(_UNPUBLISHED.search(path.read_text("utf-8")) for path in _files(root, "*.md"))


def check_core() -> None:
    """Check that the computer's search is what its sources make, byte for byte.

    Raises:
        NotReady: it is not, or cannot be built here.
    """
    build = [sys.executable, str(ROOT / "tools/build_core.py"), "--check", "--strict"]
    if which("apt-get"):
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        build += ["--debian", str(Path(cache, "thud-wasm-rust"))]
    print("Compiling the computer's search anew, which takes some minutes", flush=True)
    if subprocess.run(build, check=False).returncode:
        raise NotReady("core.wasm must be built here by the compiler that it names")


def release(root: Path, version: str, today: str) -> None:
    """Date the changes, set the version, commit both and tag the commit."""
    changes = root / _CHANGES
    _write(
        changes,
        changes.read_text("utf-8").replace(f"{version} (unreleased)", f"{version} ({today})"),
    )
    for name, pattern in _VERSIONED.items():
        text = (root / name).read_text("utf-8")
        _write(root / name, re.sub(pattern, version, text, flags=re.MULTILINE))
    git(root, "commit", "--quiet", "--message", f"Release {version}", _CHANGES, *_VERSIONED)
    git(root, "tag", "--annotate", "--message", f"Thud {version}", f"v{version}")


def publish(root: Path, address: str) -> None:
    """Commit what documents and packages say once Thud is published.

    Args:
        root: the working tree.
        address: the owner and the name of the repository at GitHub.

    Raises:
        NotReady: this is done already, or files are not committed.
    """
    if not re.fullmatch(r"[A-Za-z0-9-]+/[\w.-]+", address):
        raise NotReady(f"{address!r} is no address such as {ADDRESS}")
    _check_tree(root)
    if not is_unpublished(root):
        raise NotReady("the documents say already that Thud is published")
    addresses = tuple(zip(_forms(ADDRESS), _forms(address), strict=True))
    for path in _files(root, *_ADDRESSED):
        text = before = path.read_text("utf-8")
        if path.suffix == ".md":
            text = _UNPUBLISHED.sub(r"\1", text)
        for old, new in addresses:
            text = text.replace(old, new)
        if path == root / "README.md":
            text = _LINK.sub(lambda link: _absolute(link, address), text)
        if path == root / "pyproject.toml":
            text = text.replace("[project.scripts]", f"{_urls(address)}\n[project.scripts]", 1)
        if text != before:
            _write(path, text)
    git(root, "commit", "--quiet", "--all", "--message", f"Say that Thud is published at {address}")


def _forms(address: str) -> tuple[str, ...]:
    """Return an address as repository, site, author, and names of an application and its maker."""
    owner, name = address.split("/")
    maker, application = (re.sub(r"\W", "_", each) for each in (owner, name))
    return (
        address,
        f"{owner.lower()}.github.io/{name}",
        f"{owner}@users.noreply",
        f"io.github.{maker}.{application}",
        f'"io.github.{maker}"',
    )


def _absolute(link: re.Match[str], address: str) -> str:
    """Return a link of the README as PyPI needs it."""
    before, path = link.groups()
    if before.startswith(("!", "src")):
        return f"{before}https://raw.githubusercontent.com/{address}/{BRANCH}/{path}"
    kind = "tree" if path.endswith("/") else "blob"
    return f"{before}https://github.com/{address}/{kind}/{BRANCH}/{path}"


def _urls(address: str) -> str:
    site = f"https://{_forms(address)[1]}"
    source = f"https://github.com/{address}"
    return f"""\
[project.urls]
Documentation = "{site}/"
Source = "{source}"
Issues = "{source}/issues"
Changes = "{source}/blob/{BRANCH}/{_CHANGES}"
"""


def _files(root: Path, *patterns: str) -> list[Path]:
    """Return the files of the repository that match."""
    return [root / name for name in git(root, "ls-files", "--", *patterns).splitlines()]


def git(root: Path, *arguments: str) -> str:
    """Run git and return its output.

    Raises:
        NotReady: git failed.
    """
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReady(done.stderr.strip() or f"git {arguments[0]} failed")
    return done.stdout.strip()


def _last(root: Path) -> str | None:
    """Return the latest released version, None if there is none."""
    tags = (tag.removeprefix("v") for tag in git(root, "tag", "--list", "v*").split())
    return max(filter(_VERSION.fullmatch, tags), key=_parts, default=None)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _changes(root: Path, version: str) -> str:
    text = (root / _CHANGES).read_text(encoding="utf-8")
    _, _, below = text.partition(f"## {version} (unreleased)\n")
    return below.partition("\n## ")[0].strip()


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str]) -> int:
    """Check and, without --check, release or publish; return the exit status."""
    words = [each for each in arguments if each not in ("--check", "--publish")]
    if len(words) != 1 or {"--check", "--publish"} <= {*arguments}:
        print(__doc__, file=sys.stderr)
        return 2
    (version,) = words
    try:
        if "--publish" in arguments:
            publish(ROOT, address := version)
            print(f"{address} is in the documents; to see it: git show")
            return 0
        check(ROOT, version)
        check_core()
        if "--check" in arguments:
            print(f"{version} can be released")
            return 0
        release(ROOT, version, f"{datetime.now(UTC):%Y-%m-%d}")
    except NotReady as reason:
        print(f"No release: {reason}", file=sys.stderr)
        return 1
    print(f"v{version} is tagged; to publish it: git push --atomic origin {BRANCH} v{version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
