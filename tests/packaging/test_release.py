"""A release is made only of committed changes with a changelog entry."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import release as tool
from document_text import REPOSITORY, links
from release import ADDRESS, NotReady, check, git, is_unpublished, publish, release

CHANGES = "# Changes\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n"

VERSIONED = {
    "src/thud/__init__.py": '"""Thud."""\n\n__version__ = "{}"\n',
}
"""What names the version, and how."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository ready for release, isolated from the user's git settings."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for who in "AUTHOR", "COMMITTER":
        monkeypatch.setenv(f"GIT_{who}_NAME", "Esme")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "esme@example.org")
    for name, text in VERSIONED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text.format("0.1.0"))
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    git(tmp_path, "tag", "v0.1.0")
    return tmp_path


def test_a_release_is_dated_committed_and_tagged(tree: Path) -> None:
    check(tree, "0.2.0")
    release(tree, "0.2.0", "2026-12-24")
    assert "## 0.2.0 (2026-12-24)\n" in git(tree, "show", "v0.2.0:CHANGELOG.md")
    for name, text in VERSIONED.items():
        assert git(tree, "show", f"v0.2.0:{name}") == text.format("0.2.0").strip()
    assert git(tree, "cat-file", "-t", "v0.2.0") == "tag"
    assert git(tree, "status", "--porcelain") == ""
    with pytest.raises(NotReady, match=r"0\.2\.0 does not come after 0\.2\.0"):
        check(tree, "0.2.0")


def unclean(tree: Path) -> None:
    (tree / "left").touch()


def changed(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text(f"{CHANGES}\n")


def elsewhere(tree: Path) -> None:
    git(tree, "switch", "--quiet", "--create", "idea")


def undescribed(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text(CHANGES.replace("- New.\n", ""))
    git(tree, "commit", "--quiet", "--all", "--message", "Forget")


def tagged_later(tree: Path) -> None:
    git(tree, "tag", "v0.10.0")
    git(tree, "tag", "vague")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (unclean, "left"),
        (changed, "CHANGELOG.md"),
        (elsewhere, "this is idea"),
        (undescribed, "has nothing below"),
        (tagged_later, "does not come after 0.10.0"),
    ],
)
def test_what_is_unclear_is_refused_and_nothing_is_done(
    spoil: Callable[[Path], None],
    reason: str,
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoil(tree)
    before = git(tree, "log", "--all", "--format=%H %D"), git(tree, "status", "--porcelain")
    monkeypatch.setattr(tool, "ROOT", tree)
    assert tool.main(["0.2.0"]) == 1
    assert reason in capsys.readouterr().err
    assert before == (
        git(tree, "log", "--all", "--format=%H %D"),
        git(tree, "status", "--porcelain"),
    )


_TOLD = "*.md", "*.toml", "packaging", "tools", "page", "src"


@pytest.fixture
def unpublished(tree: Path) -> Path:
    """The repository with this project's documents and packages."""
    kept = "docs", "packaging", "tools", "README.md", "SECURITY.md", "pyproject.toml", ".gitignore"
    for name in (*kept, "page/index.html", "src/thud/records/links.py"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
        copy(REPOSITORY / name, tree / name)
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message", "Describe")
    return tree


@pytest.mark.parametrize("address", [ADDRESS, "Esme-W/trolls.and-dwarfs"])
def test_on_the_day_one_commit_says_where_it_is(address: str, unpublished: Path) -> None:
    if not is_unpublished(unpublished):
        pytest.skip("it is published")
    with pytest.raises(NotReady, match="--publish"):
        check(unpublished, "0.2.0")
    before = git(unpublished, "rev-parse", "HEAD")
    publish(unpublished, address)
    assert git(unpublished, "rev-parse", "HEAD~1") == before
    check(unpublished, "0.2.0")
    written = {
        name: (unpublished / name).read_text("utf-8")
        for name in git(unpublished, "ls-files", "--", *_TOLD).split()
        if name not in ("docs/releasing.md", "tools/release.py")
    }
    assert not [name for name, text in written.items() if "not published" in text]
    if address != ADDRESS:
        left = "thud-game/thud", "thud-game.github", "thud-game@", "github.thud_game"
        assert not [name for name, text in written.items() if any(each in text for each in left)]
    readme = links(unpublished / "README.md")
    readme += re.findall(r'src="([^"]*)"', written["README.md"])
    assert len(readme) > 10
    for link in readme:
        ours = re.fullmatch(rf"https://[\w.]+/{address}/(?:(?:blob|tree)/)?main/(.*)", link)
        assert ours or link.startswith("https://")
        assert not ours or (REPOSITORY / ours[1]).exists()
    urls = tomllib.loads(written["pyproject.toml"])["project"]["urls"]
    assert urls["Source"] == f"https://github.com/{address}"
    assert f"https://github.com/{address}" in written["packaging/thud.metainfo.xml"]
    with pytest.raises(NotReady, match="say already"):
        publish(unpublished, address)


@pytest.mark.parametrize("address", ["", "thud", "a/b/c", "https://github.com/a/b", "a b/c"])
def test_what_is_no_address_is_refused(address: str, unpublished: Path) -> None:
    with pytest.raises(NotReady, match="is no address"):
        publish(unpublished, address)


@pytest.mark.parametrize("version", ["", "1", "0.2", "v0.2.0", "0.2.0-rc1", "0.02.0", "0.2.0\n"])
def test_what_is_no_version_is_refused(version: str, tree: Path) -> None:
    with pytest.raises(NotReady, match="is no version"):
        check(tree, version)


def test_it_can_only_be_asked_whether_all_is_well(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tool, "ROOT", tree)
    # There is no core in this tree, so that it cannot be built as a release needs it.
    assert tool.main(["0.2.0", "--check"]) == 1
    assert "core.wasm must be built" in capsys.readouterr().err
    monkeypatch.setattr(tool, "check_core", lambda: None)
    assert tool.main(["0.2.0", "--check"]) == 0
    assert capsys.readouterr().out == "0.2.0 can be released\n"
    assert git(tree, "tag") == "v0.1.0"
    assert tool.main([]) == 2
