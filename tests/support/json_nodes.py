"""JSON documents in which one value at a time is replaced by a strange one."""

from __future__ import annotations

import json
from collections.abc import Iterator

from support.documents import Keys, changed

TYPES = {
    "null": "null",
    "true": "true",
    "zero": "0",
    "negative": "-1",
    "fraction": "1.5",
    "large": str(10**400),
    "empty text": '""',
    "text": '"text"',
    "list": "[]",
    "object": "{}",
}
"""A value of each JSON type, by name."""

ODDITIES = {
    "NaN": "NaN",
    "infinity": "-Infinity",
    "huge exponent": "1e999",
    "more digits than int() takes": "9" * 5_000,
    "lone surrogate": '"\\ud800"',
    "NUL": '"\\u0000"',
    "byte order mark": '"\\ufeff"',
    "repeated name": '{"a": 1, "a": 2}',
    "deep list": "[" * 60 + "]" * 60,
    "very deep list": "[" * 3_000 + "]" * 3_000,
    "very deep object": '{"a":' * 2_000 + "1" + "}" * 2_000,
    "list of everything": '[null, true, 0, -1, 1.5, "", "a1,b1", [], {}]',
    "not JSON": "nul",
}
"""Texts that some JSON parsers accept, or at which some have failed."""

_MARK = "the value that is replaced"


def paths_in(data: object, keys: Keys = ()) -> Iterator[Keys]:
    """Yield the paths of all values in data, beginning with that of the whole data."""
    yield keys
    parts: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(data, dict):
        parts = iter(data.items())
    elif isinstance(data, list):
        parts = iter(enumerate(data))
    for key, part in parts:
        yield from paths_in(part, (*keys, key))


def texts_with(data: object, values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield JSON texts of data in which one value is replaced, for each value and each place.

    Args:
        data: The data.
        values: The texts of the replacements, by name.

    Yields:
        A description of the change, and the text.
    """
    for keys in paths_in(data):
        before, mark, after = json.dumps(changed(data, keys, _MARK)).partition(json.dumps(_MARK))
        assert mark
        for name, text in values.items():
            yield f"{name} at {keys}", before + text + after
