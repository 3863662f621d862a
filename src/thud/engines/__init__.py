"""Engines: players as processes, both ends of the protocol, and the arena."""
