"""Every value of the package as plain JSON, and back: for web services, browsers and storage.

Snapshots for browsers, and what the standard ``json`` is told of simple values, need attrs alone.
All other reading and writing needs cattrs: ``pip install 'pontedeldiavolo[json]'``. It is loaded
when it is first called for, and an ImportError says so where it is missing::

    import pontedeldiavolo as pdd

    text = pdd.json.dumps(pdd.GameState.initial())
    state = pdd.json.loads(text, pdd.GameState)
"""

from pontedeldiavolo.json.defaults import default
from pontedeldiavolo.json.document import (
    FORMAT,
    VERSION,
    dumps,
    from_json,
    loads,
    register_hooks,
    schema,
    to_json,
)
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.kinds import Value
from pontedeldiavolo.json.pages import snapshot
from pontedeldiavolo.json.plain import JSON

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
