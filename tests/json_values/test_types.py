"""Replace every value of documents by values of every JSON type."""

from __future__ import annotations

import json as standard
from collections.abc import Callable
from functools import partial

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import Value
from support.documents import EXAMPLES, changed, parsed
from support.json_nodes import ODDITIES, TYPES, paths_in, texts_with

QUICK = ("rules", "move", "violation")
KINDS = [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in EXAMPLES]


def require_documented(read: Callable[[], Value], what: object) -> None:
    """Require that a reader refuses a document, or returns a value that can be written."""
    try:
        value = read()
    except json.JsonError as error:
        # The error has a sentence for any value.
        pdd.messages.explain(error, "de")
    else:
        assert json.loads(json.dumps(value)) == value, what


@pytest.mark.parametrize("kind", KINDS)
def test_every_type_in_a_document(kind: str) -> None:
    for what, text in texts_with(parsed(kind), TYPES):
        require_documented(partial(json.loads, text), what)


@pytest.mark.slow
@pytest.mark.parametrize("kind", EXAMPLES)
def test_odd_values_in_a_document(kind: str) -> None:
    for what, text in texts_with(parsed(kind), ODDITIES):
        require_documented(partial(json.loads, text), what)


OBJECTS: list[object] = [
    *(None, True, 0, -1, 1.5, 10**400, "", "text", [], {}),
    *((), (1, 2), {1}, b"a1", object(), float("nan"), pdd.Color.WHITE, pdd.parse_cell("a1")),
]
"""Python values of these types, and values that no JSON parser returns."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_type_in_parsed_data(kind: str) -> None:
    data = standard.loads(standard.dumps(parsed(kind)))
    for keys in paths_in(data):
        for part in OBJECTS:
            require_documented(partial(json.from_json, changed(data, keys, part)), (keys, part))
