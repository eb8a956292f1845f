"""Documents of JSON: every kind of value."""

from __future__ import annotations

import json as standard

import pontedeldiavolo as pdd
from pontedeldiavolo import json

from .agreement import agree, as_text, attempt

SMALL = pdd.Limits(side=10, characters=1_500, depth=1)


def check_document(data: bytes) -> None:
    """Check a text as a document of any kind of value."""
    text = as_text(data)
    value = attempt(lambda: json.loads(text))
    small = attempt(lambda: json.loads(text, limits=SMALL))
    if isinstance(value, pdd.PonteError):
        agree("the class of the error", type(value), json.JsonError)
        agree("refused within limits", isinstance(small, pdd.PonteError), expected=True)
        return
    if not isinstance(small, pdd.PonteError):
        agree("read within limits", small, value)
        agree("the length of the text", len(text) <= 1_500, expected=True)
    agree("as data", json.from_json(standard.loads(text)), value)
    agree("of its class", json.loads(text, type(value)), value)
    written = json.dumps(value)
    agree("written and read", json.loads(written), value)
    agree("written again", json.dumps(json.loads(written)), written)
    agree("with indents", json.loads(json.dumps(value, 2)), value)
