"""The path of the compiled core of Thud, which `thud.ai.core` loads."""

import sys
from pathlib import Path
from typing import Final

_NAMES: Final = {"darwin": "libthud_core.dylib", "win32": "thud_core.dll"}

LIBRARY: Final = Path(__file__).with_name(_NAMES.get(sys.platform, "libthud_core.so"))
"""The shared library; its function `thud_version` returns its version."""
