"""Matches over a connection: a host's session, and the guests who join it."""
