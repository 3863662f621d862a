"""Makes the fonts of the club's pages: Latin letters and signs of Roboto Mono, in WOFF2.

Usage: python tools/subset_fonts.py

The whole fonts come with textual-serve; browsers load them for other letters only.  Needs fonttools
and brotli (PyPI).  The results are part of the source, since they change only with the font.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PAGE: Final = Path(__file__).resolve().parents[1] / "src" / "thud" / "club" / "web" / "page"
NAMES: Final = {
    "RobotoMono-VariableFont_wght.ttf": "mono.woff2",
    "RobotoMono-Italic-VariableFont_wght.ttf": "mono-italic.woff2",
}
CHARACTERS: Final = "U+0020-007E,U+00A0-017F,U+2010-2027,U+2030-203A,U+20AC,U+2190-27BF"
"""The same as the `unicode-range` of these fonts in club.css, as far as the font has them."""


def main() -> None:
    """Write both fonts."""
    for name, made in NAMES.items():
        whole = files("textual_serve") / "static" / "fonts" / name
        with as_file(whole) as source, TemporaryDirectory() as scratch:
            bounded = Path(scratch, name)
            _run("varLib.instancer", str(source), "wght=400:700", "-o", str(bounded))
            _run(
                "subset",
                str(bounded),
                f"--unicodes={CHARACTERS}",
                "--flavor=woff2",
                "--layout-features=*",
                f"--output-file={PAGE / made}",
            )


def _run(tool: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", f"fontTools.{tool}", *arguments], check=True)


if __name__ == "__main__":
    main()
