"""Values as plain JSON documents and back: for web services, browsers and storage.

>>> text = pdd.json.dumps(pdd.GameState.initial())
>>> pdd.json.loads(text, pdd.GameState) == pdd.GameState.initial()
True
"""

from .codecs import FORMAT, JSON, VERSION, JsonError
from .documents import default, dumps, from_json, loads, register_cattrs_hooks, schema, to_json
from .kinds import Value
from .snapshots import snapshot

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
    "register_cattrs_hooks",
    "schema",
    "snapshot",
    "to_json",
]


def __dir__() -> list[str]:
    return __all__
