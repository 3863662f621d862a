"""Build hook: compiles the core with Cargo, for a wheel for any Python on this platform."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_BUILD: Final = ("build", "--release", "--locked", "--lib")
_LIBRARY: Final = {".dll", ".dylib", ".so"}
_OLDEST_MACOS: Final = "11.0"


class Library(BuildHookInterface[Any]):
    """Compiles the library of this crate, and tags the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Copy the library into the package, replacing any old one."""
        library, package = compiled(Path(self.root)), Path(self.root, "python", "thud_core")
        for other in package.iterdir():
            if other.suffix in _LIBRARY:
                other.unlink()
        shutil.copy(library, package)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag()}"


def compiled(crate: Path) -> Path:
    """Compile a crate without dependencies; return its shared library.

    Raises:
        SystemExit: Cargo is not installed.
        subprocess.CalledProcessError: compilation failed.
    """
    cargo = shutil.which("cargo")
    if cargo is None:
        raise SystemExit("thud-core is compiled with Cargo, and there is none: https://rustup.rs")
    done = subprocess.run(
        [cargo, *_BUILD, "--message-format", "json-render-diagnostics"],
        cwd=crate,
        env={"MACOSX_DEPLOYMENT_TARGET": _OLDEST_MACOS, **os.environ},
        stdout=subprocess.PIPE,
        check=True,
    )
    made = [
        each for line in done.stdout.splitlines() for each in json.loads(line).get("filenames", [])
    ]
    return next(path for path in map(Path, made) if path.suffix in _LIBRARY)


def platform_tag() -> str:
    """Return the wheel's platform tag; on Linux a generic one, which auditwheel refines."""
    if sys.platform == "darwin":
        # A universal Python would report both architectures, but the library has only one.
        return f"macosx_{_OLDEST_MACOS}_{platform.machine()}".replace(".", "_")
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
