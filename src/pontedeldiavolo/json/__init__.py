"""Conversion of all values to plain JSON and back: for web services, browsers and storage.

>>> text = pdd.json.dumps(pdd.GameState.initial())
>>> pdd.json.loads(text, pdd.GameState) == pdd.GameState.initial()
True
"""

from pontedeldiavolo.json.codecs import FORMAT, JSON, VERSION, JsonError
from pontedeldiavolo.json.documents import (
    default,
    dumps,
    from_json,
    loads,
    register_hooks,
    schema,
    to_json,
)
from pontedeldiavolo.json.kinds import Value
from pontedeldiavolo.json.snapshots import snapshot

__all__ = [
    "FORMAT",
    "JSON",
    "VERSION",
    "JsonError",
    "Value",
    "default",
    "dumps",
    "from_json",
    "loads",
    "register_hooks",
    "schema",
    "snapshot",
    "to_json",
]


def __dir__() -> list[str]:
    return __all__
