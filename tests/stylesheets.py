"""Stylesheets that are parsed once a process, and not by each of a thousand apps again."""

from __future__ import annotations

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parsed: dict[object, list[RuleSet]] = {}
_parse_rules = Stylesheet._parse_rules


def parse_once() -> None:
    """Let all stylesheets share what they have parsed; it depends on nothing but text."""
    Stylesheet._parse_rules = _shared  # type: ignore[method-assign]


def _shared(self: Stylesheet, *arguments: Any, **options: Any) -> list[RuleSet]:
    key = (arguments, *options.items(), frozenset(self._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(self, *arguments, **options)
    return _parsed[key]
