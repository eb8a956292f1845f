"""Memory in proportion to the text: 100 bytes a character at most, of any kind."""

from __future__ import annotations

import gc
import io
import tracemalloc
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Limits, records
from pontedeldiavolo.records import Format
from support.samples import GAMES, WRITTEN, page
from support.sources import Endless

SIZE = 15_000
A_CHARACTER = 100
A_LITTLE = 500_000
"""The memory that any reading takes: blocks of a file, and the table of a board."""

FULL_OF: dict[Format, dict[str, tuple[str, ...]]] = {
    Format.PDD: {
        "1. a1,b1 @*": ("(c1,d1) ", "(pass)", "$1 ", "{a} "),
        "1. a1,b1 {@} *": ("é",),
        "@x": ("\n",),
    },
    Format.SGF: {
        "(;@)": (";", "A[]", "C[]", ";PD[a1,b1]"),
        "(;@": ("(;",),
        "@": ("(;",),
        "(;A@)": ("[]",),
        "(;;PD[a1,b1]@)": ("(;PD[a1,b1])",),
        "(;C[@])": ("é",),
    },
    Format.BOARDSPACE: {
        "(;GM[pontedeldiavolo]@": ("(;",),
        "(;GM[pontedeldiavolo]@)": ("AB[]", ";P0[Done]"),
    },
    Format.ABSTRACT_PLAY: {'{"header":[@1]}': ("1,", "{},", '{"a":1},', '"é",')},
    Format.MOVES: {"@": ("a1,b1 ", "pass ")},
    Format.JSON: {
        '{"format":[@1]}': ("[],", "{},"),
        '{"format":"pontedeldiavolo","version":1,"kind":"game","value":[@1]}': ("[[]],",),
    },
}
QUICK = ("1. a1,b1 {@} *", "(;C[@])")
CASES = [
    pytest.param(form, context, run, marks=[] if context in QUICK else [pytest.mark.slow])
    for form, contexts in FULL_OF.items()
    for context, runs in contexts.items()
    for run in runs
]


def peak(read: Callable[[], object]) -> int:
    """Return how many bytes reading takes at most."""
    read()
    gc.collect()
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("form", "context", "run"), CASES)
def test_a_game_takes_memory_by_its_length(form: Format, context: str, run: str) -> None:
    text = context.replace("@", run * (SIZE // len(run)))
    taken = peak(lambda: list(records.read(text, format=form)))
    assert taken < A_CHARACTER * len(text) + A_LITTLE


@pytest.mark.slow
@pytest.mark.parametrize("form", [Format.ABSTRACT_PLAY, Format.JSON])
def test_many_bad_games_take_little_memory(form: Format) -> None:
    text = "{}" * 50_000
    assert peak(lambda: list(records.read(text, format=form))) < 6 * A_LITTLE + len(text)


def test_a_lenient_list_takes_little_memory() -> None:
    text = '[A "b\n\n*\n\n' * 5_000

    def read() -> object:
        errors: list[pdd.RecordError] = []
        return list(records.iter_results(io.StringIO(text), errors)), errors

    assert peak(read) < 6 * A_LITTLE + 4 * len(text)


@pytest.mark.parametrize(
    "stream", [records.iter_results, records.iter_records, records.iter_headers, records.iter_games]
)
def test_a_long_line_is_not_held(stream: Callable[[Iterable[str]], Any]) -> None:
    def read() -> object:
        file = io.TextIOWrapper(io.BufferedReader(Endless(b"x" * 8_000, 12_500)), encoding="utf-8")
        try:
            return list(stream(file))
        except pdd.RecordError as error:
            return error

    assert peak(read) < 8_000_000


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("line_ends", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_stream_takes_memory_for_one_game(form: Format, *, line_ends: bool) -> None:
    once = page(form, GAMES[:1])
    if not line_ends and form in (Format.SGF, Format.JSON, Format.ABSTRACT_PLAY):
        once = once.replace(b"\n", b" ")

    def read() -> None:
        file = io.BufferedReader(Endless(once, 3_000_000 // len(once)))
        games = records.read(file, format=form, limits=Limits(characters=100_000))
        assert all(isinstance(game, pdd.Game) for game in islice(games, 200))

    assert peak(read) < A_LITTLE


ONE = '[Event "é"]\r\n1. a1,b1 {'.encode() + b"x" * 900 + b"} *\r\n\r\n"


def test_headers_are_held_one_by_one() -> None:
    last: list[int] = []

    def read() -> None:
        for header in records.iter_headers(io.BufferedReader(Endless(ONE, 5_000))):
            assert isinstance(header, records.Header)
            last[:] = [header.number, header.offset]

    assert peak(read) < A_LITTLE
    assert last == [5_000, 4_999 * len(ONE)]


@pytest.mark.parametrize("name", ["latin-1", "shift_jis", "utf-8"])
def test_a_game_in_other_bytes_takes_memory_by_its_length(name: str) -> None:
    text = f"(;CA[{name}]C[{'£' * SIZE}])"
    octets = text.encode(name, "replace")
    assert peak(lambda: list(records.sgf.iter_results(octets))) < 30 * len(text) + A_LITTLE


def test_a_long_comment_is_held_once() -> None:
    game = pdd.Game.new().with_comment("x" * 300_000)
    text = records.dumps(game)
    assert peak(lambda: records.loads(text, limits=Limits.NONE)) < A_CHARACTER * len(text)
