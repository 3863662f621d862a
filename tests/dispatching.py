"""Finds the handlers of messages faster than Textual, which searches anew for each message.

Which classes handle a message depends only on the types of widget and message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Any

from textual import _callback
from textual.message import Message
from textual.message_pump import MessagePump

_found: dict[tuple[type[MessagePump], type[Message], str], tuple[type, ...] | None] = {}
_search, _count = MessagePump._get_dispatch_methods, _callback._count_parameters


def find_handlers_once() -> None:
    """Patch Textual to remember where handlers are, and to count parameters without inspection."""
    MessagePump._get_dispatch_methods = _handlers  # type: ignore[method-assign]
    _callback._count_parameters = _parameters


def _handlers(self: MessagePump, method_name: str, message: Message) -> Iterable[tuple[type, Any]]:
    """Yield the handlers by name; Textual searches itself where some are decorated."""
    key = type(self), type(message), method_name
    if key not in _found:
        _found[key] = _classes(*key)
    if (classes := _found[key]) is None:
        yield from _search(self, method_name, message)
        return
    for each in classes:
        if message._no_default_action:
            break
        own = vars(each)
        method = own.get(f"_{method_name}") or own.get(method_name)
        if method is not None and not getattr(method, "_textual_on", None):
            yield each, method.__get__(self, each)


def _classes(kind: type[MessagePump], message: type[Message], name: str) -> tuple[type, ...] | None:
    """Return the classes that have a method of that name, or nothing if decorated ones may do."""
    messages = set(message.__mro__)
    if any(messages & vars(each).get("_decorated_handlers", {}).keys() for each in kind.__mro__):
        return None
    names = {name, f"_{name}"}
    return tuple(each for each in kind.__mro__ if names & vars(each).keys())


def _parameters(func: Callable[..., Any]) -> int:
    if not isinstance(func, FunctionType) or vars(func):
        return _count(func)
    code = func.__code__
    stars = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + stars
