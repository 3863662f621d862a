"""The page's files are on the disk as they are in memory, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js here")
def test_files_are_there_again_after_the_page_has_ended(tmp_path: Path) -> None:
    built = os.environ.get("THUD_PAGE")
    if not built:
        pytest.skip("the page is not built: run make page, and set THUD_PAGE")
    files = tmp_path / "files.mjs"
    files.write_text(
        (Path(built) / "files.js").read_text().replace("class Log", "export class Log")
    )
    script = Path(__file__).with_name("files_in_node.mjs")
    done = subprocess.run(
        ["node", script, Path(built).resolve() / "pyodide", files],
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    told = done.stdout.splitlines()
    assert len(told) == 4
    assert all(line.startswith("same ") for line in told), done.stdout
