"""Errors of engines; light to import for those who catch them."""

from __future__ import annotations


class EngineFault(ValueError):
    """An engine that does not do what it should; the message says which and what."""


class EngineMissing(EngineFault):
    """It cannot be started, is no engine, or does not play the variant."""


class EngineCrashed(EngineFault):
    """It has ended by itself, or closed its output, so that nothing more will come of it."""


class EngineLate(EngineFault):
    """It has not moved in its time; it was stopped."""


class EngineStuck(EngineFault):
    """It was told to stop and did not; it was ended."""


class EngineIllegal(EngineFault):
    """It made a move that the rules do not allow, or none."""


class EngineGarbage(EngineFault):
    """It wrote what no engine writes: a line without end; it was ended."""
