"""The far end of an ssh connection: bridges the standard streams to a match there.

The first line written is the result: `{"m": "relay"}` if the match was reached, else
`{"m": "closed"}` with the reason and the open matches.  After it come only the host's bytes.
"""

from __future__ import annotations

import json
import os
import socket
import time
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from thud.net.transports import local, other_users
from thud.net.transports.transport import Unreachable

LINGER: Final = 30.0
"""Seconds in which a host can still send after the guest has hung up."""

_AT_A_TIME: Final = 2**16
_INPUT, _OUTPUT = 0, 1


def relay(match: str = "") -> None:
    """Bridge the standard streams to a match until either end hangs up.

    Args:
        match: its id, or the path of another user's socket; empty for the only one.
    """
    try:
        if match.startswith("/"):
            reached = other_users.connected(match)
        else:
            reached = local.connected(match or local.only().id)
    except Unreachable as fault:
        matches = [each.as_json() for each in local.open_matches()[: local.MOST_TOLD]]
        _write({"m": "closed", "because": str(fault), "open": matches})
        return

    def tell() -> None:
        """Copy the guest's bytes to the host until the guest hangs up."""
        with suppress(OSError):
            while data := os.read(_INPUT, _AT_A_TIME):
                reached.sendall(data)
        with suppress(OSError):
            reached.shutdown(socket.SHUT_WR)
            time.sleep(LINGER)
            reached.shutdown(socket.SHUT_RDWR)

    with reached:
        _write({"m": "relay"})
        reached.settimeout(None)
        Thread(target=tell, daemon=True).start()
        with suppress(OSError):
            while data := reached.recv(_AT_A_TIME):
                _put(data)


def list_matches() -> None:
    """Print the matches open to this user, each as one line of JSON."""
    for match in local.open_matches():
        _write(match.as_json())


def _write(values: dict[str, Any]) -> None:
    _put(json.dumps(values).encode() + b"\n")


def _put(data: bytes) -> None:
    while data:
        data = data[os.write(_OUTPUT, data) :]
