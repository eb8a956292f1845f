"""Every value of the package as plain JSON, and back: for web services, browsers and storage.

Needs cattrs: ``pip install 'pontedeldiavolo[json]'``. Nothing that ``import pontedeldiavolo``
imports needs this package::

    import pontedeldiavolo as pdd
    import pontedeldiavolo.json

    text = pdd.json.dumps(pdd.GameState.initial())
    state = pdd.json.loads(text, pdd.GameState)
"""

try:
    import cattrs as _cattrs  # noqa: F401  # asked for here, to say what to install
except ImportError as error:
    raise ImportError(
        "pontedeldiavolo.json needs cattrs: pip install 'pontedeldiavolo[json]'", name="cattrs"
    ) from error

from pontedeldiavolo.json.converter import register_hooks
from pontedeldiavolo.json.document import FORMAT, VERSION, from_json, to_json
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.kinds import Value
from pontedeldiavolo.json.plain import JSON
from pontedeldiavolo.json.published import schema
from pontedeldiavolo.json.text import dumps, loads

__all__ = [
    "FORMAT",
    "JSON",
    "VERSION",
    "JsonError",
    "Value",
    "dumps",
    "from_json",
    "loads",
    "register_hooks",
    "schema",
    "to_json",
]
