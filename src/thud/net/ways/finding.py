"""From where a match is said to be to the way that leads there."""

from __future__ import annotations

from thud.net.ways import local
from thud.net.ways.invitation import Goal, OfAnother, OverSsh, OverTls
from thud.net.ways.others import Neighbour
from thud.net.ways.ssh import Ssh
from thud.net.ways.way import Way


def way_to(goal: Goal, thud: str = "thud") -> Way:
    """Return the way to a match; nothing is opened yet, but for asking which match is the only one.

    Args:
        goal: where it is.
        thud: the program at the far side of ssh.

    Raises:
        Unreachable: none is named, and there is not just one here.
    """
    if isinstance(goal, OverTls):
        from thud.net.ways.tls import Invited

        return Invited(goal)
    if isinstance(goal, OverSsh):
        return Ssh(goal, thud)
    if isinstance(goal, OfAnother):
        return Neighbour(goal.path, goal.secret)
    return local.Local(goal.match or local.only().id)
