"""Rehearses a release: runs here each step of release.yml that needs no account.

Usage: python tools/rehearse_release.py VERSION DIRECTORY

As root on Debian. The version is released in a clone, so nothing is tagged or changed here. The
jobs run one after the other, each in a fresh copy with a Python of its own; what they make is in
DIRECTORY in the end. Steps for an account or another system are listed, not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml

import packages
from release import (
    ADDRESS,
    BRANCH,
    ROOT,
    NotReady,
    check,
    check_core,
    git,
    is_unpublished,
    publish,
    release,
)

_WORKFLOW: Final = ".github/workflows/release.yml"
_EXPRESSION: Final = re.compile(r"\$\{\{ *(.*?) *\}\}")
_SUDO: Final = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
"""
_GH: Final = """#!/bin/sh
echo "This would run: gh $*"
"""
_PROGRAMS: Final = {"sudo": _SUDO, "gh": _GH}
"""What stands in for programs: one that root does not need, and one that needs an account."""


class Rehearsal:
    """The jobs of a workflow, run in a directory.

    Args:
        source: the repository with the tag.
        tag: such as v0.2.0.
        directory: where artifacts are kept, a folder each.
    """

    def __init__(self, source: Path, tag: str, directory: Path) -> None:
        self.left: list[str] = []
        """What was not run."""
        self._source, self._tag, self._artifacts = source, tag, directory

    def run(self, name: str, job: dict[str, Any]) -> None:
        """Run a job.

        Raises:
            CalledProcessError: a step failed.
        """
        if "uses" in job:
            self.left.append(f"{name}: {job['uses']}, which .ci/run does")
            return
        known = {"github.token": ""}
        for key, values in job.get("strategy", {}).get("matrix", {}).items():
            known[f"matrix.{key}"], *others = values
            self.left += [f"{name}: on {other}" for other in others]
        with TemporaryDirectory() as place:
            programs = Path(place, "bin")
            programs.mkdir()
            for program, text in _PROGRAMS.items():
                programs.joinpath(program).write_text(text)
                programs.joinpath(program).chmod(0o755)
            venv.create(Path(place, "python"), with_pip=True)
            variables = {
                **os.environ,
                "PATH": f"{programs}:{place}/python/bin:{os.environ['PATH']}",
                "GITHUB_REF_NAME": self._tag,
                "RUNNER_OS": "Linux",
                "RUNNER_ARCH": "X64",
            }
            work = Path(place, "work")
            work.mkdir()
            for step in job["steps"]:
                print(
                    f"== {name}: {step.get('name') or step.get('uses') or step['run']}", flush=True
                )
                self._step(name, step, work, known, variables)

    def _step(
        self,
        job: str,
        step: dict[str, Any],
        work: Path,
        known: dict[str, str],
        variables: dict[str, str],
    ) -> None:
        if "run" in step:
            more = {key: _filled(value, known) for key, value in step.get("env", {}).items()}
            command = "bash", "-eo", "pipefail", "-c", _filled(step["run"], known)
            subprocess.run(command, cwd=work, env={**variables, **more}, check=True)
            return
        options = {key: _filled(str(value), known) for key, value in step.get("with", {}).items()}
        match step["uses"].partition("@")[0]:
            case "actions/checkout":
                git(work, "clone", "--quiet", "--branch", self._tag, str(self._source), ".")
            case "actions/setup-python":
                self.left.append(
                    f"{job}: Python {options['python-version']}, not {sys.version.split()[0]}"
                )
            case "actions/upload-artifact":
                self._keep(work, options["name"], options["path"])
            case "actions/download-artifact":
                for each in sorted(
                    self._artifacts.glob(options.get("name") or options.get("pattern", "*"))
                ):
                    shutil.copytree(each, work / options["path"], dirs_exist_ok=True)
            case other:
                self.left.append(f"{job}: {other}")

    def _keep(self, work: Path, name: str, pattern: str) -> None:
        target = self._artifacts / name
        target.mkdir(parents=True)
        for path in work.glob(f"{pattern}*" if pattern.endswith("/") else pattern):
            shutil.copy(path, target)
        if not any(target.iterdir()):
            raise NotReady(f"{name} is empty")


def _filled(text: str, known: dict[str, str]) -> str:
    """Replace the expressions of a workflow."""
    return _EXPRESSION.sub(lambda found: known[found[1]], text)


def main(arguments: Sequence[str]) -> int:
    """Rehearse, and say what is left to do; return the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    version, directory = arguments[0], Path(arguments[1]).resolve()
    if directory.exists():
        print(f"{directory} is there already", file=sys.stderr)
        return 2
    for machine in packages.MACHINES:
        if not packages.runs_here(machine):
            print(f"Programs for {machine} do not run here: see docs/releasing.md", file=sys.stderr)
            return 2
    with TemporaryDirectory() as place:
        clone = Path(place)
        try:
            git(ROOT, "clone", "--quiet", "--branch", BRANCH, str(ROOT), place)
            for name, value in ("name", "Rehearsal"), ("email", "rehearsal@example.org"):
                git(clone, "config", f"user.{name}", value)
            if is_unpublished(clone):
                publish(clone, ADDRESS)
            check(clone, version)
            check_core()
            release(clone, version, f"{datetime.now(UTC):%Y-%m-%d}")
            rehearsal = Rehearsal(clone, f"v{version}", directory)
            jobs = yaml.safe_load((clone / _WORKFLOW).read_text("utf-8"))["jobs"]
            for name, job in jobs.items():
                rehearsal.run(name, job)
        except (NotReady, subprocess.CalledProcessError) as reason:
            print(f"The release would fail: {reason}", file=sys.stderr)
            return 1
    print("These steps were not run:", *rehearsal.left, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
