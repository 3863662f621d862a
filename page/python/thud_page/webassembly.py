"""What the search needs of wasmtime, by the browser's own WebAssembly.

`thud.ai.core` gets it here in place of the package, and is the same everywhere.  Only a worker
may compile and instantiate a module of this size at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import js
import thud_host
from pyodide.ffi import JsException, create_proxy, to_js

_LOW: Final = (1 << 64) - 1
"""The bits of an i64 without its sign, which JavaScript's numbers have."""


class WasmtimeError(Exception):
    """A module cannot be compiled or run here."""


class Trap(WasmtimeError):
    """A module failed."""


class Config:
    """The settings of an engine: a browser has none."""


class Engine:
    """An engine: there is one in a browser."""

    def __init__(self, config: Config) -> None:
        self.config = config


class Module:
    """A compiled module.

    Attributes:
        compiled: it, for JavaScript.
    """

    def __init__(self, engine: Engine, data: bytes) -> None:
        try:
            self.compiled = js.WebAssembly.Module.new(to_js(data))
        except JsException as error:
            raise WasmtimeError(str(error)) from None

    def serialize(self) -> bytes:
        """Return its machine code, which a browser keeps to itself."""
        raise NotImplementedError


class Store:
    """What an instance lives in."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def close(self) -> None:
        """Do nothing: a browser frees what nobody holds."""


class ValType:
    """The type of a parameter."""

    @staticmethod
    def i32() -> str:
        """Return the type of 32 bits."""
        return "i32"

    @staticmethod
    def i64() -> str:
        """Return the type of 64 bits."""
        return "i64"


class FuncType:
    """The type of a function: those of its parameters, and of what it returns."""

    def __init__(self, given: Sequence[str], returned: Sequence[str]) -> None:
        self.returned = tuple(returned)


class Func:
    """A function that a module calls.

    Attributes:
        call: it, for JavaScript.
    """

    def __init__(self, store: Store, kind: FuncType, call: Callable[..., Any]) -> None:
        if kind.returned == ("i64",):
            # Only the clock: its numbers are exact without a BigInt from here.
            self.call = thud_host.as_i64(create_proxy(call))
        else:
            self.call = create_proxy(call)


class Linker:
    """The functions that a module gets."""

    def __init__(self, engine: Engine) -> None:
        self._defined: dict[str, dict[str, Any]] = {}

    def define(self, store: Store, module: str, name: str, func: Func) -> None:
        """Give a function under a name."""
        self._defined.setdefault(module, {})[name] = func.call

    def instantiate(self, store: Store, module: Module) -> Instance:
        """Return a new instance of a module."""
        imports = to_js(self._defined, dict_converter=js.Object.fromEntries)
        try:
            made = js.WebAssembly.Instance.new(module.compiled, imports)
        except JsException as error:
            raise WasmtimeError(str(error)) from None
        return Instance(made.exports, self._defined)


class Instance:
    """An instance of a module."""

    def __init__(self, exported: Any, called: object) -> None:
        self._exported = exported
        self._called = called  # JavaScript alone would not keep them

    def exports(self, store: Store) -> dict[str, Any]:
        """Return the memory and the functions of the search."""
        return {
            "memory": Memory(self._exported.memory),
            "input": lambda _, length: _called(self._exported.input, length) & 0xFFFFFFFF,
            "answer": lambda _: _called(self._exported.answer) & _LOW,
        }


def _called(function: Any, *arguments: int) -> int:
    try:
        return int(function(*arguments))
    except JsException as error:
        raise Trap(str(error)) from None


class Memory:
    """An instance's memory, which may grow between two calls."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def read(self, store: Store, start: int, end: int) -> bytes:
        """Return bytes."""
        data: bytes = js.Uint8Array.new(self._memory.buffer, start, end - start).to_bytes()
        return data

    def write(self, store: Store, data: bytes, start: int) -> None:
        """Put bytes at a place."""
        js.Uint8Array.new(self._memory.buffer, start, len(data)).assign(data)
