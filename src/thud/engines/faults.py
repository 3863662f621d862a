"""Errors of engines; light to import for those who catch them."""

from __future__ import annotations


class EngineFault(ValueError):
    """An engine failed; the message says which and how."""


class EngineMissing(EngineFault):
    """It cannot be started, is no engine, or does not play the variant."""


class EngineCrashed(EngineFault):
    """It has ended, or closed its output."""


class EngineLate(EngineFault):
    """It did not move in time; it was stopped."""


class EngineStuck(EngineFault):
    """It did not answer `stop`; it was killed."""


class EngineIllegal(EngineFault):
    """It made an illegal move, or none."""


class EngineGarbage(EngineFault):
    """It wrote an endless line; it was killed."""
