"""`thud relay`: what a guest over ssh has run at the host's machine."""

from __future__ import annotations

from argparse import Namespace


def relay(options: Namespace) -> None:
    """Bridge the standard streams to a match that is open here, or list those that are."""
    from thud.net.ways import relay as far_end

    if options.list:
        far_end.list_matches()
    else:
        far_end.relay(options.match)
