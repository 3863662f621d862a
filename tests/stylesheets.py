"""Caches stylesheet parsing and matching per process, instead of per app: there are a thousand.

Parsing depends only on the text, matching only on what selectors ask of a widget and its ancestors.
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
"""Pseudo-classes shared by all widgets of an app."""

_FLAGS: Final = (
    "_has_hover_style",
    "_has_focus_within",
    "_has_order_style",
    "_has_odd_or_even",
)

_parsed: dict[object, list[RuleSet]] = {}
_sheets: dict[object, tuple[list[RuleSet], dict[str, list[RuleSet]]]] = {}
_matched: dict[int, tuple[dict[str, bool], RulesMap, RulesMap]] = {}
_asked: dict[tuple[int, type[DOMNode]], list[Callable[[Any], bool]]] = {}
_keys: dict[tuple[object, ...], int] = {}
_parse_rules, _parse, _apply = Stylesheet._parse_rules, Stylesheet.parse, Stylesheet.apply


def share_stylesheets() -> None:
    """Patch `Stylesheet` to share parsed rules and matches between all instances."""
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
    self: Stylesheet,
    node: DOMNode,
    *,
    animate: bool = False,
    cache: dict[Any, Any] | None = None,
) -> None:
    """Give a node what the first one with its key was given, unless it has it already.

    Textual makes a cache whenever it updates several nodes; here it has the keys of nodes.
    """
    key, own = _key(self.rules, node, {} if cache is None else cache), vars(node)
    if key not in _matched:
        # Textual leaves `found` empty if rules depend on a widget's place among its siblings.
        found: dict[tuple[Any, ...], RulesMap] = {}
        _apply(self, node, animate=animate, cache=found)
        for rules in found.values():
            set_to = node.styles.base._rules.copy()
            _matched[key] = {name: own[name] for name in _FLAGS}, rules, set_to
    elif own.get("_styled_for") == key:
        node.notify_style_update()
    else:
        flags, rules, set_to = _matched[key]
        own.update(flags)
        base = node.styles.base
        if base._rules:
            self.replace_rules(node, rules, animate=animate)
        else:  # it is new: there is nothing to compare with, nor to draw anew
            base._rules.update(set_to)
            base._updates += 1
            node.notify_style_update()
        self._process_component_classes(node)
    own["_styled_for"] = key


def _key(rules: list[RuleSet], node: DOMNode, known: dict[DOMNode, int]) -> int:
    """Return a number for all that selectors may ask of a node and its ancestors."""
    if node not in known:
        above = node._parent
        asked = (
            _key(rules, above, known) if isinstance(above, DOMNode) else (id(rules),),
            type(node),
            node._id,
            frozenset(node._classes),
            *(holds(node) for holds in _pseudo_classes(rules, type(node))),
        )
        known[node] = _keys.setdefault(asked, len(_keys))
    return known[node]


def _pseudo_classes(rules: list[RuleSet], kind: type[DOMNode]) -> list[Callable[[Any], bool]]:
    """Return predicates for the pseudo-classes that the rules use, for a type of node."""
    if (key := (id(rules), kind)) not in _asked:
        names = frozenset[str]().union(*(each.pseudo_classes for each in rules))
        names -= Stylesheet._EXCLUDE_PSEUDO_CLASSES_FROM_CACHE
        if not issubclass(kind, App):
            names -= _OF_THE_APP
        known: dict[str, Any] = kind._PSEUDO_CLASSES
        _asked[key] = [holds for name, holds in known.items() if name in names]
    return _asked[key]
