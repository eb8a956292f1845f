"""What Python's own ``json`` asks for what it does not know: the simple values of the package."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from enum import Enum
from typing import Any, cast

from pontedeldiavolo.base.errors import Reason
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.json.texts import TEXTS


def default(value: object) -> object:
    """Return what stands for a simple value in JSON: ``json.dumps(..., default=pdd.json.default)``.

    Words of the game, cells, bridges, actions and steps are texts, as in documents. Sets are sorted
    lists, mappings of the package dicts; so is a :class:`Reason`, with ``code`` and ``values``. All
    else has documents: :func:`to_json`. Keys of a dict never come here.

    Raises:
        TypeError: If it is any other value.
    """
    text = TEXTS.get(type(value))
    if text is not None:
        return text.text(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, AbstractSet):
        return _sorted(value)
    if isinstance(value, FrozenMapping):
        return dict(value)
    if isinstance(value, Reason):
        return {"code": value.code, "values": value.values}
    raise TypeError(f"{type(value).__name__} is not among the simple values that JSON can show")


def _sorted(items: AbstractSet[object]) -> list[object]:
    """Return the items in their order, or in that of their texts where they have none."""
    # Sets have an order of their own, by what is a part of what, which puts nothing in a row.
    if not any(isinstance(item, AbstractSet) for item in items):
        try:
            return sorted(cast(AbstractSet[Any], items))
        except TypeError:
            pass
    plain = (None.__class__, bool, int, float, str)
    return sorted((each if isinstance(each, plain) else default(each) for each in items), key=str)
