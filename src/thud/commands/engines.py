"""`thud engine` and `thud arena`."""

from __future__ import annotations

from argparse import Namespace


def engine(options: Namespace) -> None:
    """Be an engine: obey the lines of standard input on standard output."""
    from thud.engines.server import serve

    serve(options.player, options.level, options.seed)
