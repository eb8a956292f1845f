"""Run every target on its stored inputs, and on many variations of them."""

from __future__ import annotations

import tracemalloc
from functools import partial

import pytest

import pontedeldiavolo as pdd
from fuzz import targets
from fuzz.__main__ import LONGEST_INPUT
from fuzz.agreement import LONGEST_MESSAGE, agree, attempt
from fuzz.targets import INPUTS, TARGETS, Target, dictionary_of, inputs_of, mutations, words_in

MUTATIONS = 100
LARGEST_CORPUS = 500_000
MAX_MEMORY = 8 << 20
"""The maximum memory for an input of a few thousand bytes, mostly tables of a large board."""

every_target = pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))


@every_target
@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_input_that_is_kept(target: Target, stride: int) -> None:
    inputs = inputs_of(target)
    assert len(inputs) >= 5
    for path in inputs[::stride]:
        data = path.read_bytes()
        assert len(data) <= 2 * LONGEST_INPUT, path
        tracemalloc.start()
        try:
            target.run(data)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < MAX_MEMORY, path


@pytest.mark.slow
@every_target
def test_inputs_that_are_nearly_one_of_them(target: Target) -> None:
    inputs = [path.read_bytes() for path in inputs_of(target)]
    tried = [*mutations(inputs, words_in(dictionary_of(target)), MUTATIONS, target.name)]
    assert len(tried) == MUTATIONS
    for data in tried:
        try:
            target.run(data)
        except Exception as error:
            error.add_note(f"{target.name}: {data!r}")
            raise


def test_every_corpus_has_its_target_and_is_small() -> None:
    assert {path.name for path in INPUTS.iterdir()} == {*TARGETS}
    files = [path for path in INPUTS.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LARGEST_CORPUS


# Targets must be able to find faults.


def test_an_error_that_a_reader_may_not_raise_is_found() -> None:
    def wrong() -> None:
        raise KeyError("x")

    def refused(words: str) -> None:
        raise pdd.PonteError(words)

    with pytest.raises(KeyError):
        attempt(wrong)
    assert isinstance(attempt(partial(refused, "no")), pdd.PonteError)
    for words in ("", "no " * LONGEST_MESSAGE):
        with pytest.raises(AssertionError, match="the error's length"):
            attempt(partial(refused, words))


def test_readings_that_differ_are_found() -> None:
    one = pdd.RecordError(1, 2, "a game")
    other = pdd.RecordError(1, 3, "a game")
    agree("the same", [one, 5], [pdd.RecordError(1, 2, "a game"), 5])
    for found, expected in ((1, 2), (one, other), ([one], [other]), (one, str(one))):
        with pytest.raises(AssertionError, match=r"^the place: .* is not "):
            agree("the place", found, expected)


def test_an_input_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    target = TARGETS["cell"]
    target.run(b"a1")
    # Some clocks cannot measure so short a time.
    monkeypatch.setattr(targets, "LONGEST", -1.0)
    with pytest.raises(AssertionError, match=r"2 bytes take \d"):
        target.run(b"a1")
