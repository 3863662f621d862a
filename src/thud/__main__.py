"""`python -m thud`."""

import sys

from thud.cli import main

sys.exit(main())
