"""Build hook: generates completions and the manual page from the arguments, into every wheel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShellFiles(BuildHookInterface[Any]):
    """Adds the files of tools/shell_files.py to a wheel, as package data and as shared data."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files and register them for the wheel."""
        sys.path.insert(0, str(Path(__file__).parent))
        try:
            from shell_files import BUILT, INSTALLED, write
        finally:
            sys.path.pop(0)
        for name, path in write(BUILT).items():
            build_data["force_include"][str(path)] = f"thud/shell/{name}"
            build_data["shared_data"][str(path)] = INSTALLED[name]
