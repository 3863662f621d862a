"""Processes of other programs, and their memory; for Linux only."""

from __future__ import annotations

import re
from pathlib import Path


def descendants(process: int) -> list[int]:
    """Return the process ids of a process's children, and of theirs."""
    found, parents = [], {process}
    for number, parent in sorted(_processes()):
        if parent in parents:
            parents.add(number)
            found.append(number)
    return found


def _processes() -> list[tuple[int, int]]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            found.append(
                (int(path.parent.name), int(path.read_text().rpartition(")")[2].split()[1]))
            )
        except OSError:
            continue
    return found


def memory(number: int) -> int:
    """Return the memory of a process in KiB, 0 if it has ended."""
    try:
        text = Path(f"/proc/{number}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = re.search(r"^Pss:\s*(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0
