"""Resolves a destination to its transport."""

from __future__ import annotations

from thud.net.transports import local
from thud.net.transports.invitation import Goal, OfAnother, OverSsh, OverTls
from thud.net.transports.other_users import OtherUserTransport
from thud.net.transports.ssh import SshTransport
from thud.net.transports.tls import TlsTransport
from thud.net.transports.transport import Transport


def transport_to(goal: Goal, thud: str = "thud") -> Transport:
    """Return the transport to a match; nothing is connected yet, but the only match is looked up.

    Args:
        goal: the destination.
        thud: the program at the far side of ssh.

    Raises:
        Unreachable: no match is named, and not exactly one is open here.
    """
    if isinstance(goal, OverTls):
        return TlsTransport(goal)
    if isinstance(goal, OverSsh):
        return SshTransport(goal, thud)
    if isinstance(goal, OfAnother):
        return OtherUserTransport(goal.path, goal.secret)
    return local.LocalTransport(goal.match or local.only().id, goal.secret)
