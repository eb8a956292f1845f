"""Objects that only one call at a time may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .errors import PonteError

F = TypeVar("F", bound=Callable[..., object])


class Calls(dict[object, str]):
    """The calls of an object's methods that are in progress, by their names, the oldest first.

    A copy, and one that was pickled, is empty: it belongs to another object.
    """

    def __reduce__(self) -> tuple[type[Calls], tuple[()]]:
        return Calls, ()


def exclusive(method: F) -> F:
    """Decorate a method: it refuses a call while a decorated method of the object is running.

    The other call may come from another thread; or it may have led to this call, through a
    function that it was given. No call waits: the refused call raises a :class:`PonteError`.

    The object has an attribute ``_calls``, which begins as ``Calls()``. This is a dictionary,
    because its operations cannot be interrupted. A lock could stay locked for ever: just after it
    was acquired, Ctrl-C may raise an error.
    """
    name = method.__name__

    @wraps(method)
    def guarded(self: Any, *args: object, **kwargs: object) -> object:
        calls: Calls = self._calls
        call = object()
        try:
            calls[call] = name
            if len(calls) > 1:
                oldest = list(calls)[0]  # noqa: RUF015 - other threads disturb an iterator
                if oldest is not call:
                    raise _refusal(type(self).__name__, name, calls.get(oldest, name))
            return method(self, *args, **kwargs)
        finally:
            calls.pop(call, None)

    return cast(F, guarded)


def _refusal(kind: str, name: str, other: str) -> PonteError:
    return PonteError(
        f"{kind}.{name} was used while {kind}.{other} was in progress: only one thread at a time"
        f" may use a {kind}, and no function that it calls may use it"
    )
