"""TLS for guests without an account, with a certificate pinned in the invitation.

What a client without a secret can do at an open port:

- *reach*: the TLS 1.3 handshake, then a refusal of its greeting.  Nothing older than TLS 1.3 is
  spoken, and nothing in the clear.
- *learn*: that a Thud host listens there, and its certificate, which names nobody and is always the
  same, so that the host can be recognized where it moves to.
- *exhaust*: `auth_throttle.UNPROVEN` connections at once, `auth_throttle.UNPROVEN_EACH` of them
  from one address (or one IPv6 network), each for `listener.HANDSHAKE` seconds and the host's
  greeting timeout; one new connection every hundredth of a second.  Each failure keeps the client's
  address out for longer, for a minute at most.  Players inside are not affected.  New guests may be
  delayed for seconds, or kept out while many machines try at once.  Guests who share an address
  with a failing client, behind one router say, are kept out with it, for a minute at a time, even
  with the right invitation.

The socket for other users of the machine (`other_users`) is the same without the handshake, each
user being an origin; listing the parent directory reveals which user hosts.  The socket for this
user alone (`local`) is open only to processes with the user's own rights, and delays nobody.

A guest sends nothing before it has checked the host's certificate against the invitation, so a
secret reaches nobody else.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
import socket
import ssl
from datetime import UTC, datetime
from typing import Final, NamedTuple

from thud.disk.directories import data_directory
from thud.extras import how_to_get
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.invitation import FINGERPRINT_BYTES, OverTls, bracketed
from thud.net.transports.listener import HANDSHAKE, StreamListener
from thud.net.transports.permissions import keep_new, made_private, read_bytes
from thud.net.transports.sockets import bound_at, reached_at
from thud.net.transports.transport import Serve, Streams, Unreachable
from thud.text import quoted, why

_MAX_BYTES: Final = 2**14
_BLOCK: Final = re.compile(
    r"-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n", re.ASCII
)


class ListeningUnavailable(ValueError):
    """The library for making a certificate is not installed."""


class Certificate(NamedTuple):
    """A certificate and its key.

    Args:
        context: the server's TLS context: TLS 1.3 only.
        fingerprint: the certificate's SHA-256, 32 bytes.
    """

    context: ssl.SSLContext
    fingerprint: bytes


def own_certificate() -> Certificate:
    """Return this user's certificate; made the first time, which takes a moment.

    Raises:
        ListeningUnavailable: it has to be made, and cannot be.
        ValueError: its file is damaged, or others could read it.
        OSError: it cannot be read or written.
    """
    path = made_private(data_directory() / "listen") / "certificate.pem"
    if not os.path.lexists(path):
        keep_new(path, _made())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    try:
        block = _BLOCK.search(read_bytes(path, _MAX_BYTES).decode("ascii"))
        if block is None:
            raise ValueError
        context.load_cert_chain(path)
        return Certificate(context, fingerprint_of(ssl.PEM_cert_to_DER_cert(block[0])))
    except (ssl.SSLError, ValueError):
        raise ValueError(
            f"{quoted(str(path), 200)} is damaged: delete it, and the next invitation makes another"
        ) from None


def fingerprint_of(certificate: bytes) -> bytes:
    """Return the SHA-256 fingerprint of a certificate in DER."""
    return hashlib.sha256(certificate).digest()


def _made() -> bytes:
    """Return a new key and certificate, in PEM, that reveal nothing about the machine or user."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError as error:
        raise ListeningUnavailable(
            f"listening needs the package cryptography for its certificate: {how_to_get('listen')}"
        ) from error
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "thud")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(9999, 12, 31, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    encoded = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return encoded + certificate.public_bytes(serialization.Encoding.PEM)


TIMEOUT: Final = 20.0
"""Timeout for a host's answer."""


class TlsTransport:
    """Reaches the host of an invitation.

    Args:
        invitation: the host's address, fingerprint and secret.

    Attributes:
        secret: the secret for the host.
    """

    def __init__(self, invitation: OverTls) -> None:
        self.secret = invitation.secret
        self._invitation = invitation

    async def open(self) -> Streams:
        """Reach the host, and check its fingerprint.

        Raises:
            Unreachable: nobody answers, or another host does: nothing was sent then.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # the pinned fingerprint is checked instead
        try:
            async with asyncio.timeout(TIMEOUT):
                reader, writer = await asyncio.open_connection(
                    self._invitation.address,
                    self._invitation.port,
                    ssl=context,
                    server_hostname="",
                    ssl_handshake_timeout=HANDSHAKE,
                )
        except (OSError, UnicodeError) as error:
            raise Unreachable(self._why(error)) from None
        encrypted = writer.get_extra_info("ssl_object")
        shown_to_us = encrypted.getpeercert(binary_form=True) or b""
        expected = self._invitation.fingerprint
        if not hmac.compare_digest(fingerprint_of(shown_to_us)[: len(expected)], expected):
            writer.transport.abort()
            raise Unreachable(
                f"the host at {self._place} did not send this invitation: nothing was sent"
            )
        return reader, writer

    @property
    def _place(self) -> str:
        return f"{bracketed(self._invitation.address)}:{self._invitation.port}"

    def _why(self, error: OSError | UnicodeError) -> str:
        if isinstance(error, socket.gaierror | UnicodeError):
            return f"there is no machine called {quoted(self._invitation.address)}"
        # asyncio tells the faults of all addresses of a name in one text.
        if numbers := re.findall(r"\[Errno (\d+)\]", str(error)):
            error = OSError(int(numbers[-1]), os.strerror(int(numbers[-1])))
        if isinstance(error, TimeoutError):
            return f"no answer from {self._place}"
        if isinstance(error, ConnectionRefusedError):
            return f"nothing listens at {self._place}: is the match still open?"
        if isinstance(error, ConnectionError | ssl.SSLEOFError):
            return f"the host at {self._place} hung up: try again in a minute"
        if isinstance(error, ssl.SSLError):
            return f"there is no Thud host at {self._place}"
        return f"{self._place} cannot be reached: {why(error)}"


class Listening:
    """An open TLS listener; made by `listen`.

    Attributes:
        address: the address it listens at.
        port: the port.
        listener: serves the connections.
    """

    def __init__(
        self, listener: StreamListener, place: tuple[str, int], fingerprint: bytes
    ) -> None:
        self.address, self.port = place
        self.listener = listener
        self._fingerprint = fingerprint

    def invitations(self, secret: str) -> tuple[OverTls, ...]:
        """Return the invitations with a secret, one for each address, the best first."""
        return tuple(
            OverTls(address, self.port, self._fingerprint[:FINGERPRINT_BYTES], secret)
            for address in reached_at(self.address)
        )

    async def close(self) -> None:
        """Stop listening."""
        await self.listener.close()


async def listen(
    address: str, port: int, serve: Serve, throttle: AuthThrottle, certificate: Certificate
) -> Listening:
    """Listen at an address, 0.0.0.0 or :: for all, and a port, 0 for any.

    Raises:
        ValueError: that address is not this machine's, or the port is taken.
    """
    listening = await asyncio.to_thread(bound_at, address, port)
    port = listening.getsockname()[1]
    listener = StreamListener(
        listening, serve, trusted=False, throttle=throttle, context=certificate.context
    )
    return Listening(listener, (address, port), certificate.fingerprint)
