"""The base of all messages between a visitor's process and the keeper of the tables."""

from __future__ import annotations

from msgspec import Struct


class Message(Struct, omit_defaults=True, tag_field="m"):
    """A line between a visitor and the keeper."""
