"""Values as plain JSON documents and back: for web services, browsers and storage.

>>> text = pdd.json.dumps(pdd.GameState.initial())
>>> pdd.json.loads(text, pdd.GameState) == pdd.GameState.initial()
True
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.guesses import no_such_name

from .codecs import VERSION, JsonError
from .documents import default, dumps, from_json, loads, register_cattrs_hooks, schema, to_json
from .snapshots import snapshot

__all__ = [
    "VERSION",
    "JsonError",
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


if not TYPE_CHECKING:
    # To a type checker, this function would define every name.
    def __getattr__(name: str) -> object:
        raise no_such_name(__name__, name)
