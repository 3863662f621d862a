"""The certificate of a host that listens: made once, and known by its fingerprint."""

from __future__ import annotations

import hashlib
import os
import re
import ssl
from pathlib import Path
from typing import Final, NamedTuple

from thud.disk.directories import data_directory
from thud.extras import how_to_get
from thud.net.ways.private import keep_new, made_private, read_bytes
from thud.wording.text import quoted

_NAME: Final = "certificate.pem"
_LARGEST: Final = 2**14
_BLOCK: Final = re.compile(
    r"-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n", re.ASCII
)


class ListeningUnavailable(ValueError):
    """The library that makes a certificate is not installed."""


class Certificate(NamedTuple):
    """A certificate with its key.

    Args:
        context: talks as its owner: TLS 1.3, and nothing older.
        fingerprint: the SHA-256 of the certificate, 32 bytes.
    """

    context: ssl.SSLContext
    fingerprint: bytes


def own_certificate() -> Certificate:
    """Return this user's certificate; make it the first time, which takes a moment.

    Raises:
        ListeningUnavailable: it has to be made, and cannot be.
        ValueError: the file of it is damaged, or others could read it.
        OSError: it cannot be read or written.
    """
    path = made_private(data_directory() / "listen") / _NAME
    if not os.path.lexists(path):
        keep_new(path, _made())
    return _loaded(path)


def fingerprint_of(certificate: bytes) -> bytes:
    """Return what tells a certificate, in DER, from all others."""
    return hashlib.sha256(certificate).digest()


def _loaded(path: Path) -> Certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    try:
        block = _BLOCK.search(read_bytes(path, _LARGEST).decode("ascii"))
        if block is None:
            raise ValueError
        context.load_cert_chain(path)
        return Certificate(context, fingerprint_of(ssl.PEM_cert_to_DER_cert(block[0])))
    except (ssl.SSLError, ValueError):
        raise ValueError(
            f"{quoted(str(path), 200)} is damaged: delete it, and the next invitation has a new one"
        ) from None


def _made() -> bytes:
    """Return a new key and a certificate that says nothing about this machine or its user."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError as error:
        raise ListeningUnavailable(
            f"to listen, a certificate has to be made by cryptography: {how_to_get('listen')}"
        ) from error
    from datetime import UTC, datetime

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
