"""What is said on a command line leads to the right way."""

import pytest

from net.transports.serving import ABOUT, Echo, exchanged
from thud.net.transports import local
from thud.net.transports.invitation import OverTls, parse_goal
from thud.net.transports.resolve import transport_to
from thud.net.transports.transport import Unreachable

SECRET = "AbCdEfGhIjKlMnOpQrStUv"


@pytest.mark.parametrize(
    ("text", "described", "secret"),
    [
        ("m1", "on this machine", ""),
        (f"/tmp/nowhere/m1#{SECRET}", "on this machine", SECRET),
        ("ssh://ann@box", "over ssh to ann@box", ""),
        (f"ssh://box/tmp/nowhere/m1#{SECRET}", "over ssh to box", SECRET),
        (str(OverTls("::1", 5, bytes(32), SECRET)), "at [::1]:5", SECRET),
    ],
)
def test_every_goal_has_a_way(text: str, described: str, secret: str) -> None:
    way = transport_to(parse_goal(text))
    assert way.describe() == described
    assert way.secret == secret


async def test_nothing_is_the_only_match() -> None:
    with pytest.raises(Unreachable, match="no match is open here"):
        transport_to(parse_goal(""))
    opened = await local.listen("m1", ABOUT, Echo())
    assert await exchanged(transport_to(parse_goal(""))) == b"dF1-F5\n"
    await opened.close()
