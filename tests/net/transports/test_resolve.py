"""Addresses on the command line resolve to the right transport."""

import pytest

from net.transports.serving import ABOUT, Echo, exchanged
from thud.net.transports import local
from thud.net.transports.invitation import OverTls, parse_goal
from thud.net.transports.local import LocalTransport
from thud.net.transports.other_users import OtherUserTransport
from thud.net.transports.resolve import transport_to
from thud.net.transports.ssh import SshTransport
from thud.net.transports.tls import TlsTransport
from thud.net.transports.transport import Unreachable

SECRET = "AbCdEfGhIjKlMnOpQrStUv"


@pytest.mark.parametrize(
    ("text", "kind", "secret"),
    [
        ("m1", LocalTransport, ""),
        (f"/tmp/nowhere/m1#{SECRET}", OtherUserTransport, SECRET),
        ("ssh://ann@box", SshTransport, ""),
        (f"ssh://box/tmp/nowhere/m1#{SECRET}", SshTransport, SECRET),
        (str(OverTls("::1", 5, bytes(32), SECRET)), TlsTransport, SECRET),
    ],
)
def test_every_goal_has_a_way(text: str, kind: type[object], secret: str) -> None:
    way = transport_to(parse_goal(text))
    assert isinstance(way, kind)
    assert way.secret == secret


async def test_nothing_is_the_only_match() -> None:
    with pytest.raises(Unreachable, match="no match is open here"):
        transport_to(parse_goal(""))
    opened = await local.listen("m1", ABOUT, Echo())
    assert await exchanged(transport_to(parse_goal(""))) == b"dF1-F5\n"
    await opened.close()
