"""The examples of the page on frameworks, where these are installed."""

from __future__ import annotations

import doctest
import re
from importlib import import_module

import pytest

from support.paths import ROOT

PAGE = ROOT / "docs" / "howto" / "train.md"
EXAMPLE = re.compile(
    r'^```\{doctest\}\n:skipif: find_spec\("(\w+)"\) is None\n\n(.*?)^```$',
    re.DOTALL | re.MULTILINE,
)
EXAMPLES: dict[str, str] = {}
for needed, lines in EXAMPLE.findall(PAGE.read_text("utf-8")):
    # Those of one framework go on from each other.
    EXAMPLES[needed] = f"{EXAMPLES.get(needed, '')}{lines}\n"


def test_every_example_is_here() -> None:
    assert sorted(EXAMPLES) == ["gymnasium", "pettingzoo", "pyspiel"]
    text = PAGE.read_text("utf-8")
    assert text.count("```{doctest}") == len(EXAMPLE.findall(text)) >= 5


@pytest.mark.parametrize("needed", EXAMPLES)
def test_examples(needed: str) -> None:
    pytest.importorskip(needed, reason="not installed: nox -s adapters")
    test = doctest.DocTestParser().get_doctest(EXAMPLES[needed], {}, PAGE.name, str(PAGE), 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("framework", ["gymnasium", "openspiel", "pettingzoo"])
def test_dir_shows_the_public_names(framework: str) -> None:
    pytest.importorskip("pyspiel" if framework == "openspiel" else framework)
    module = import_module(f"pontedeldiavolo.adapters.{framework}")
    assert dir(module) == sorted(module.__all__)
