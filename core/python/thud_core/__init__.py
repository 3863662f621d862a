"""Where the compiled core of Thud is: `thud.ai.core` loads it, and knows what it is asked."""

import sys
from pathlib import Path
from typing import Final

_NAMES: Final = {"darwin": "libthud_core.dylib", "win32": "thud_core.dll"}

LIBRARY: Final = Path(__file__).with_name(_NAMES.get(sys.platform, "libthud_core.so"))
"""The shared library, which says of itself which version it is."""
