"""Where browsers find the door: what they may say that its address is, and whence they may come.

A page of somebody else's that is open in the same browser can send requests here, and can have a
name of its own lead here; the browser then says so in `Origin` and `Host`.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from thud.club.doors import LOOPBACK, Terms
from thud.net.transports.sockets import reached_at
from thud.wording.text import quoted


class Place:
    """Where one door is.

    Args:
        terms: on which terms it is opened.
        port: where it listens.

    Raises:
        ValueError: the public address is none.
    """

    def __init__(self, terms: Terms, port: int) -> None:
        self._address = ip_address(terms.address)
        if terms.public_url:
            self.url = _public(terms.public_url)
        else:
            reached = reached_at(terms.address)[0]
            self.url = f"http://{f'[{reached}]' if ':' in reached else reached}:{port}"
        self._public = terms.public_url != ""

    @property
    def encrypted(self) -> bool:
        """Whether browsers come by https."""
        return self.url.startswith("https:")

    def is_here(self, host: str) -> bool:
        """Say whether a browser that names this host means this door."""
        host = host.lower()
        if self._public:
            return host == urlsplit(self.url).netloc
        try:
            name = (urlsplit(f"//{host}").hostname or "") if _is_plain(host) else ""
            address = ip_address(LOOPBACK if name == "localhost" else name)
        except ValueError:
            return False
        return address == self._address or self._address.is_unspecified

    def is_own(self, origin: str, host: str) -> bool:
        """Say whether a page from this origin is ours, for a browser that names this host."""
        scheme = urlsplit(self.url).scheme
        return origin.lower() == f"{scheme}://{host.lower()}"


def _is_plain(host: str) -> bool:
    """Say whether a host is no more than a name or an address, with a port perhaps."""
    return all(each.isascii() and (each.isalnum() or each in ".-_:[]") for each in host)


def _public(text: str) -> str:
    try:
        url = urlsplit(text.lower())
        whole = f"{url.scheme}://{url.hostname}" + (f":{url.port}" if url.port else "")
    except ValueError:
        whole = ""
    if url_is_plain := whole and text.lower().rstrip("/") == whole:
        url_is_plain = url.scheme in {"http", "https"} and _is_plain(url.netloc)
    if not url_is_plain:
        raise ValueError(
            f"{quoted(text)} is not where browsers could find this: it is like https://club.example"
        )
    return whole
