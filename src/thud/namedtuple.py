"""Named tuples whose classes are quick to define, for modules imported before the first frame.

`typing` compiles each class, which takes three times as long.  Instances are slower to make here,
so values that a search makes by the million use `typing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter

    class _NamedTupleMeta(type):
        """Turns a class's annotations into a tuple's fields."""

        def __new__(cls, name, bases, namespace):
            known = getattr(bases[0], "_fields", ())
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            for index, field in enumerate(fields, len(known)):
                namespace[field] = _tuplegetter(index, "")
            namespace["_fields"] = namespace["__match_args__"] = known + fields
            namespace["_field_defaults"] = getattr(bases[0], "_field_defaults", {}) | defaults
            namespace["__slots__"] = ()
            return type.__new__(cls, name, bases, namespace)

    class NamedTuple(tuple, metaclass=_NamedTupleMeta):
        """A tuple with named fields, which may have defaults."""

        def __new__(cls, *items, **named):
            """Make a tuple of positional and keyword items; missing ones get their defaults."""
            fields = cls._fields
            if len(items) != len(fields):
                given = cls._field_defaults | named if named else cls._field_defaults
                for field in fields[len(items) :]:
                    if field not in given:
                        raise TypeError(f"{cls.__name__}: {field} is missing")
                    items += (given[field],)
                    named.pop(field, None)
            if named or len(items) != len(fields):
                raise TypeError(f"{cls.__name__} has only {', '.join(fields)}")
            return tuple.__new__(cls, items)

        @classmethod
        def _make(cls, items):
            return cls(*items)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **named):
            return type(self)(**(self._asdict() | named))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            items = (f"{name}={item!r}" for name, item in self._asdict().items())
            return f"{type(self).__name__}({', '.join(items)})"
