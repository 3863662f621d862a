"""Engines: computer players as processes, the protocol, both its ends, and the arena."""
