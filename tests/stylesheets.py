"""Stylesheets that are parsed and matched once a process, and not by each of a thousand apps again.

Both depend on nothing but text and on what a selector asks of a widget and of those around it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from textual.app import App
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

_OF_THE_APP: Final = {"ansi", "dark", "inline", "light", "nocolor"}
"""Pseudo-classes that all widgets of an app have, or none."""

_FLAGS: Final = (
    "_has_hover_style",
    "_has_focus_within",
    "_has_order_style",
    "_has_odd_or_even",
)

_parsed: dict[object, list[RuleSet]] = {}
_sheets: dict[object, tuple[list[RuleSet], dict[str, list[RuleSet]]]] = {}
_matched: dict[object, tuple[list[bool], RulesMap]] = {}
_asked: dict[tuple[int, type[DOMNode]], list[Callable[[Any], bool]]] = {}
_parse_rules, _parse, apply_anew = Stylesheet._parse_rules, Stylesheet.parse, Stylesheet.apply


def share_stylesheets() -> None:
    """Let all stylesheets share what they have parsed, and which rules a widget has."""
    Stylesheet._parse_rules = _rules_once  # type: ignore[method-assign]
    Stylesheet.parse = _parse_once  # type: ignore[method-assign]
    Stylesheet.apply = _apply_matched  # type: ignore[method-assign]


def _rules_once(self: Stylesheet, *arguments: Any, **options: Any) -> list[RuleSet]:
    key = (arguments, *options.items(), frozenset(self._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(self, *arguments, **options)
    return _parsed[key]


def _parse_once(self: Stylesheet) -> None:
    key = (tuple(self.source.items()), frozenset(self._variables.items()))
    if key not in _sheets:
        _parse(self)
        _sheets[key] = self.rules, self.rules_map
    self._rules, self._rules_map = _sheets[key]
    self._require_parse = False


def _apply_matched(
    self: Stylesheet, node: DOMNode, *, animate: bool = False, cache: object = None
) -> None:
    key = _what_is_asked(self.rules, node)
    if key in _matched:
        flags, rules = _matched[key]
        for name, value in zip(_FLAGS, flags, strict=True):
            setattr(node, name, value)
        self.replace_rules(node, rules, animate=animate)
        self._process_component_classes(node)
    else:
        # What depends on a widget's place among others is not put into a cache.
        found: dict[tuple[Any, ...], RulesMap] = {}
        apply_anew(self, node, animate=animate, cache=found)
        for rules in found.values():
            _matched[key] = [getattr(node, name) for name in _FLAGS], rules


def _what_is_asked(rules: list[RuleSet], node: DOMNode) -> object:
    """Return all that the selectors of some rules may ask of a node and of those around it."""
    return id(rules), *(
        (
            type(each),
            each._id,
            frozenset(each._classes),
            *(holds(each) for holds in _pseudo_classes(rules, type(each))),
        )
        for each in node.css_path_nodes
    )


def _pseudo_classes(rules: list[RuleSet], kind: type[DOMNode]) -> list[Callable[[Any], bool]]:
    """Return what tells the pseudo-classes that are asked for of a kind of node."""
    if (key := (id(rules), kind)) not in _asked:
        names = frozenset[str]().union(*(each.pseudo_classes for each in rules))
        names -= Stylesheet._EXCLUDE_PSEUDO_CLASSES_FROM_CACHE
        if not issubclass(kind, App):
            names -= _OF_THE_APP
        known: dict[str, Any] = kind._PSEUDO_CLASSES
        _asked[key] = [holds for name, holds in known.items() if name in names]
    return _asked[key]
