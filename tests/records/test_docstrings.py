"""The functions of all formats describe what they share in the same words."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from pontedeldiavolo import records
from support.samples import MODULES

VERBS = ("load", "loads", "iter_games", "dump", "dumps")
OWN_WORDS = {("loads", "text")}
"""Parameters that differ: only some formats name their encoding."""

SECTION = re.compile(r"^(?:Args|Raises):\n((?:    .*\n|\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^    (\w+): (.*(?:\n        .*)*)", re.MULTILINE)


def entries_of(function: object) -> Iterator[tuple[str, str]]:
    """Iterate over the parameters and errors in a docstring, with their descriptions."""
    text = f"{inspect.getdoc(function)}\n"
    for section in SECTION.finditer(text):
        for entry in ENTRY.finditer(section[1]):
            yield entry[1], " ".join(entry[2].split())


@pytest.mark.parametrize("verb", VERBS)
def test_shared_descriptions_are_equal(verb: str) -> None:
    functions = [getattr(module, verb, None) for module in {*MODULES.values()}]
    descriptions: dict[str, set[str]] = defaultdict(set)
    for function in filter(None, functions):
        for name, description in entries_of(function):
            descriptions[name].add(description)
    assert descriptions
    for name, found in descriptions.items():
        assert len(found) == 1 or (verb, name) in OWN_WORDS, found


@pytest.mark.parametrize("verb", VERBS)
def test_every_parameter_is_described(verb: str) -> None:
    for module in {*MODULES.values()}:
        function = getattr(module, verb, None)
        if function is not None and verb not in ("dump", "dumps"):
            described = {name for name, _ in entries_of(function)}
            assert {*inspect.signature(function).parameters} <= described


def test_the_readers_of_one_record_take_the_same_words() -> None:
    for name in ("errors", "limits"):
        words = {dict(entries_of(each))[name] for each in (records.load, records.iter_records)}
        assert len(words) == 1
