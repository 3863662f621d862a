"""A copy of the source tree with a fifth variant: one file, and one name in the registry."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parents[1]
LEFT_BEHIND: Final = shutil.ignore_patterns(
    *(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__"),
    *("bare-*", "build", "dist", "dist-core", "target"),
)
SCRIPT: Final = "#!{python}\nimport sys\nfrom thud.__main__ import main\nsys.exit(main())\n"


def plant(copy: Path, name: str) -> Path:
    """Copy the tree, add a variant of any name, and return the Python that runs the copy."""
    shutil.copytree(REPOSITORY, copy, ignore=LEFT_BEHIND, dirs_exist_ok=True)
    variants = copy / "src" / "thud" / "rules" / "variants"
    (variants / f"{name}.py").write_text(_source(name))
    registry = variants / "__init__.py"
    text = registry.read_text()
    assert ", FOOTBALL)" in text
    text = text.replace(", FOOTBALL)", f", FOOTBALL, {name.upper()})")
    line = "from thud.rules.variants.koom_valley import KOOM_VALLEY\n"
    added = f"from thud.rules.variants.{name} import {name.upper()}\n"
    registry.write_text(text.replace(line, line + added))
    return _environment(copy)


def _source(name: str) -> str:
    """Return the variant's source: the toy variant, renamed and with another start."""
    text = (REPOSITORY / "tests" / "toy_variant.py").read_text()
    begin, end = text.index("from thud.rules.geometry"), text.index("class Eyrie")
    text = text[begin:end].replace("from thud.rules.variants import VARIANTS\n", "")
    text = re.sub(r'^COMMAND: .*\n""".*"""\n', "", text, flags=re.M)
    text = text.replace("2ddddddddd2/11/", "13/1ddddddddd1/")
    return (
        f'"""{name.title()}: a made-up game."""\n\nfrom __future__ import annotations\n\n'
        "from collections.abc import Iterator\nfrom types import MappingProxyType\n"
        "from typing import Final\n\n"
        + text.replace("Skirmish", name.title()).replace("skirmish", name)
        + f"{name.upper()}: Final = {name.title()}()\n"
    )


def _environment(copy: Path) -> Path:
    """Return a Python with the packages of this one, except that `thud` is the copy."""
    venv.create(copy / ".venv", symlinks=True)
    binaries = copy / ".venv" / "bin"
    python, script = binaries / "python", binaries / "thud"
    command = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    ours = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
    Path(packages, "copy.pth").write_text(f"{copy / 'src'}\n{ours}\n")
    script.write_text(SCRIPT.format(python=python))
    script.chmod(0o755)
    return python


if __name__ == "__main__":
    print(plant(Path(sys.argv[1]), sys.argv[2]))
