"""Reading takes time and memory in proportion to the length of any text."""

from __future__ import annotations

import gc
import io
import re
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import combinations, islice, product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Limits, records
from pontedeldiavolo.records import Format, abstract_play, boardspace, sgf
from pontedeldiavolo.records.native import unwrapped
from support.samples import GAMES, WRITTEN, page
from support.sources import Endless

SIZE = 800
MORE = 4
MAX_GROWTH = 2.5 * MORE
"""The allowed growth of time for a text four times as long; quadratic time would grow by 16."""

RUNS = [
    *(" ", "\t", "\r", "\n", "\v", "\xa0", "0", "1", "a", "A", "_", ".", ",", "-", ":", "!", "%"),
    *('"', "'", "\\", "/", "*", "$", "[", "]", "(", ")", "{", "}", ";", "\ufeff", "\x00", "é"),
    *(" \n", "\r\n", "\\\n", "\\]", "a ", " a", "1.", "[]", "()", "{}", '""', "(;", "a1,"),
    *("a1,b1 ", "[A", "1,", '{"', '":', "{a} ", ";a\n", "(a1,b1)", "$1 ", "C[a]", ";PD[a1,b1]"),
    *('"a",', "[[", "],", "\\u0041", "Jan 1 ", "2007-", "8x8 ", "#board", "pass ", "\n\n"),
    *('[A "b"]\n', "[%a ", "[%a x\\", "\\[%"),
    *("C[(;FF[4]", "(;FF[4]C[", "C[(;GM[1]", "FF[(;FF[4]", ";C[(;FF[4]CA[1]"),
    *('{"header":', '{"moves":}', '{"header":{} {', '{"a":1,"a":2}', "NaN,"),
]

HEADER = '"game":{"name":"Ponte del Diavolo"},"players":[{"name":"a"},{"name":"b"}]'
BOARDSPACE = "(;GM[pontedeldiavolo]VV[1]P0[id "
STATE = pdd.format_state(pdd.GameState.initial(pdd.Rules(pdd.Board(2, 2))))

Read = Callable[[str], object]


def lenient(text: str) -> object:
    errors: list[pdd.RecordError] = []
    return list(records.iter_games(io.StringIO(text), "yield", errors))


def whole(iterate: Callable[[Any], Iterable[object]], make: Callable[[str], Any]) -> Read:
    """Return a function that reads a whole text."""
    return lambda text: list(iterate(make(text)))


def yielding(module: Any) -> Callable[[Any], Iterable[object]]:
    return partial(module.iter_games, on_error="yield")


def latin_1(text: str) -> bytes:
    return text.encode("latin-1", "replace")


RECORDS = [
    *("@", "a1,b1 @", "1. @", "@*", "a1,b1 {@", "a1,b1 {@} *", "a1,b1 {x@y} *"),
    *("a1,b1 ; @\n*", "a1,b1 (@)", "a1,b1@", '[A "b"]\n{@}\n*', '[@ "b"]', "[A @", "[A@]"),
    *('[A "@"]\n*', '[A "b"@]\n*', '[Rules "@"]', '[Start "' + STATE + '@"]', '[Result "@"]'),
    *("a1,b1 *@", "%@\n*", "a1,b1 @*", '[A "b"]\n\n*\n\n@'),
]
TREES = [
    *("@", "(@", "(;@", "(;C[@", "(;C[@])", "(;PD[@])", "(;RE[W+@])", "(;DT[@])", "(;A@[])"),
    *("(;PDTAGS[A:@])", "(;XX[@])", "(;PD[a1,b1]@)", "(;PDNAGS[@])", "(;RU[@])", "(;)(@"),
    *("(;C[x]@", "(;PDSTART[@])", "(;PW[@])", "(;)A@[x]", "(;)A[@])", ";@A[", "(\n@"),
    *("(;FF[4]C[(;FF[4]@)", "(;C[(;FF[@"),
]
OCTETS = [
    *("é@", "(;é@", "(;C[é@])", "(;C[@é])", "(;@CA[x]C[é])", "(;CA[@]C[é])", "(;CA[UTF-8]C[@é])"),
    *("(;CA[UTF-8]@)é", "(;CA[latin-1]C[é@", "(;CA[Shift_JIS]C[é@])", "(;CA[cp1252]C[@é])"),
]
CLICKS = [
    *("@", "(;GM[@])", "(;GM[pontedeldiavolo]P0[@])", BOARDSPACE + '"@"])', BOARDSPACE + "a]@)"),
    *(BOARDSPACE + "a]DT[@])", BOARDSPACE + "a]GN[PO-@])", BOARDSPACE + "a]RE[@])"),
    *(BOARDSPACE + '"a"];P0[Start P0];P0[@])', BOARDSPACE + '"a"];P0[Start P0@])'),
    *(BOARDSPACE + '"a"];P0[Start P0]TM[@])', BOARDSPACE + "a]GN[@])(;GN[@]P-1[])"),
    *(BOARDSPACE + "a])(;P-1@[])", BOARDSPACE + "a])(;P-1[]@)"),
    *(BOARDSPACE + '"@"]RE[@@])', BOARDSPACE + '"@!"]RE[@@])', BOARDSPACE + "a]C[@])"),
]
REPORTS = [
    *("@", "{@", "[@", '{"header":@', '{"@":1}', '{"a":"@"}', '{"a":1@', '{"a":@'),
    *('{"header":{' + HEADER + '},"moves":[["@"]]}', '{"header":{"a":[@]}}'),
    '{"header":{' + HEADER + ',"date-start":"@"},"moves":[]}',
    '{"header":{"game":{"name":"PonteDD","variants":["@"]}}}',
]
LISTS = ["@", "size-8 @", "a1,b1 @", "1@", "a1,b1@", "a1,@", "a1,b1 resign @", "\n\n@"]
DOCUMENTS = [
    *("@", "{@", "[@", '{"@":1}', '{"format":"@"}', '{"format":@', '{"a":[@]}'),
    '{"format":"pontedeldiavolo","version":1,"kind":"cell","value":"@"}',
    '{"format":"pontedeldiavolo","version":1,"kind":"game","value":{"tags":{"A":"@"}}}',
    '{"format":"pontedeldiavolo","version":@,"kind":"cell","value":"a1"}',
]
TEXTS = ["@", "a1@", "a1,@", "a1,b1@", "8x8@", "8x8 tiles=@", STATE + "@", "W@", "W\n@"]
PICTURES = ["@", "W@", "W\n@", "W\nbridges @", "1 W R@", "W R\na @", "W\nwhite @"]

FILE = io.StringIO
READERS: dict[str, tuple[Read, list[str]]] = {
    "records": (whole(yielding(records), FILE), RECORDS),
    "records, leniently": (lenient, RECORDS),
    "headers": (whole(records.iter_headers, FILE), RECORDS),
    "headers of bytes": (whole(records.iter_headers, str.encode), RECORDS),
    "sgf in other bytes": (whole(yielding(sgf), latin_1), OCTETS),
    "sgf": (whole(yielding(sgf), FILE), TREES),
    "boardspace": (whole(yielding(boardspace), FILE), CLICKS),
    "reports": (whole(yielding(abstract_play), FILE), REPORTS),
    "lists": (whole(partial(records.read, format=Format.MOVES), str), LISTS),
    "documents": (whole(partial(records.read, format=Format.JSON), str), DOCUMENTS),
    "any": (whole(records.read, str), [*LISTS, "(@", "[@", "{@"]),
    "detect": (records.detect, ["@", "(@", "(;@", "(;GM@", "[@", "{@", "1@", "[A @"]),
    "set-ups": (pdd.parse_setup, PICTURES),
}
for parse in (pdd.parse_action, pdd.parse_cell, pdd.parse_rules, pdd.parse_state, pdd.parse_node):
    READERS[parse.__name__] = (parse, TEXTS)


def seconds(read: Read, text: str) -> float:
    """Return the seconds for reading a text, valid or not."""
    started = time.process_time()
    with suppress(pdd.PonteError):
        read(text)
    return time.process_time() - started


def growth(read: Read, context: str, run: str) -> float:
    """Return the growth of time for a text four times as long, with the best of several runs."""
    short, long = (context.replace("@", run * (size // len(run))) for size in (SIZE, MORE * SIZE))
    # Use the best of three runs, because a disturbed short run makes the growth look small.
    before = min(seconds(read, short) for _ in range(3))
    after = seconds(read, long)
    for _ in range(8):
        if after <= MAX_GROWTH * before:
            break
        # Another program may have disturbed the run.
        before = min(before, seconds(read, short))
        after = min(after, seconds(read, long))
    return after / before


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("records", RUNS[::12]),
        ("sgf", RUNS[::12]),
        *(pytest.param(name, RUNS, marks=pytest.mark.nightly) for name in READERS),
    ],
)
def test_time_grows_with_the_text(name: str, runs: list[str]) -> None:
    read, contexts = READERS[name]
    seconds(read, "")
    gc.disable()
    try:
        slow = [each for each in product(contexts, runs) if growth(read, *each) > MAX_GROWTH]
    finally:
        gc.enable()
    assert slow == []


COUNT = 200
"""How often two parts are repeated: far beyond the limit of nested objects."""
MAX_STEP_GROWTH = 2 * MORE
"""The allowed growth of steps: half of what quadratic growth would be."""

TREE_PARTS = [
    *("(;FF[4]", "(;GM[1]", "(;", ";", "C[", "]", "(", ")", "C[(;FF[4]", "CA[1]", "[a]", "\\"),
    *("(;C[(;FF[4", "PD[a1,b1]", "PDTAGS[A:b]"),
]
RECORD_PARTS = [
    *('[A "b"]\n', "[", "\n", "\n\n", "{", "}", "(", ")", "a1,b1 ", "1. ", "* \n", "$1 ", "%"),
    *(";", "?", '"', "\\", "[%a b] ", "c1 "),
]
OBJECT_PARTS = [
    *('{"header":', '{"moves":', '{"format":', '{"a":', "{", "}", "[", "]", ",", '"', "\\", "\n"),
    *("1", '"a":1,', "\n{"),
]
PARTS: dict[str, tuple[list[str], list[str]]] = {
    "sgf": (TREE_PARTS, ["@", "(;FF[4]@", "(;PD[a1,b1]@)"]),
    "boardspace": (
        [*TREE_PARTS, "P0[0 Done]", "P-1[]", "GN[a]"],
        ["@", BOARDSPACE + "a];P0[Start P0];@"],
    ),
    "records": (RECORD_PARTS, ["@", "1. a1,b1 {@"]),
    "records, leniently": (RECORD_PARTS, ["@", "1. a1,b1 @"]),
    "headers": (RECORD_PARTS, ["@"]),
    "reports": (OBJECT_PARTS, ["@", '{"header":{@']),
    "documents": (OBJECT_PARTS, ["@", '{"format":@']),
    "lists": (["a1,b1 ", "size-8 ", "\n", "pied ", "resign", "1.", ",", "[A ", "(;"], ["@"]),
}
"""Parts of texts for each reader, two of which take turns, and contexts of them."""


def steps(read: Read, text: str) -> int:
    """Return the number of calls and returns of functions while a text is read."""
    count = 0

    def step(_frame: object, _event: str, _argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(step)
    try:
        with suppress(pdd.PonteError):
            read(text)
    finally:
        sys.setprofile(None)
    return count


HIDDEN_PARTS = ["C[(;FF[4]", "(;GM[1]", ";", "]"]


@pytest.mark.parametrize(
    ("name", "context", "parts"),
    [
        ("sgf", "@", HIDDEN_PARTS),
        ("boardspace", "@", HIDDEN_PARTS),
        *(
            pytest.param(name, context, parts, marks=pytest.mark.nightly)
            for name, (parts, contexts) in PARTS.items()
            for context in contexts
        ),
    ],
)
def test_steps_grow_with_the_text(name: str, context: str, parts: list[str]) -> None:
    read, _ = READERS[name]
    # The first texts import modules and fill caches.
    for part in parts:
        steps(read, part)
    slow = []
    # Of two parts that take turns, either may be the first.
    for one, other in combinations(["", *parts], 2):
        short, long = (context.replace("@", (one + other) * (COUNT * more)) for more in (1, MORE))
        if steps(read, long) > MAX_STEP_GROWTH * steps(read, short):
            slow.append((one, other))
    assert slow == []


@pytest.mark.parametrize("module", [sgf, boardspace])
@pytest.mark.parametrize("on_error", ["raise", "skip", "yield"])
@pytest.mark.filterwarnings("ignore:.*bad games? skipped")
def test_hidden_games_are_read_in_linear_time(module: Any, on_error: str) -> None:
    def read(text: str) -> object:
        return list(module.iter_games(text, on_error, limits=Limits.NONE))

    texts = ["(;FF[4]" + "C[(;FF[4]" * (COUNT * more) + ")" for more in (1, MORE)]
    short, long = (steps(read, text) for text in texts)
    assert long <= MAX_STEP_GROWTH * short


def test_quadratic_steps_are_seen() -> None:
    def squares(text: str) -> object:
        return [text.find(each) for _ in text for each in text]

    assert steps(squares, "a" * (MORE * COUNT)) > MAX_STEP_GROWTH * steps(squares, "a" * COUNT)


def test_quadratic_time_is_seen() -> None:
    # This expression is quadratic, because each blank of a run starts another search.
    def squares(text: str) -> object:
        return re.sub(r"[ \t\r]*\n[ \t]*", " ", text)

    # Another program may slow the short readings.
    assert any(growth(squares, "@", " ") > MAX_GROWTH for _ in range(5))


@given(text=st.text(alphabet=" \t\nb") | st.text())
@example(text="bb \n \n")
@example(text="a\n \n\t b")
def test_line_breaks_are_blanks(text: str) -> None:
    assert unwrapped(text) == re.sub(r"[ \t]*\n[ \t]*", " ", text)


def test_numbers_keep_their_digits() -> None:
    site = '"site":{"name":"x","gameid":@}'
    report = '{"header":{' + HEADER + "," + site + '},"moves":[["a1,b1"]]}'
    for digits in ("1234567890123456789", "-0", "1.50", "1e999", "9" * 5_000):
        game = abstract_play.loads(report.replace("@", digits))
        assert game.tags["GameId"] == digits


MEMORY_SIZE = 15_000
A_CHARACTER = 100
A_LITTLE = 500_000
"""The memory that reading always takes, for blocks of a file and tables of a board."""

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
    for context in contexts
    for run in contexts[context]
]


def peak(read: Callable[[], object]) -> int:
    """Return the peak of memory during reading, in bytes."""
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
    text = context.replace("@", run * (MEMORY_SIZE // len(run)))
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
        return list(records.iter_games(io.StringIO(text), "yield", errors)), errors

    assert peak(read) < 6 * A_LITTLE + 4 * len(text)


@pytest.mark.parametrize(
    "stream",
    [yielding(records), records.iter_records, records.iter_headers, records.iter_games],
)
def test_a_long_line_is_not_held(stream: Callable[[Iterable[str]], Any]) -> None:
    def read() -> None:
        file = io.TextIOWrapper(io.BufferedReader(Endless(b"x" * 8_000, 12_500)), encoding="utf-8")
        with suppress(pdd.RecordError):
            list(stream(file))

    assert peak(read) < 8_000_000


@pytest.mark.slow
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


@pytest.mark.slow
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
    text = f"(;CA[{name}]C[{'£' * MEMORY_SIZE}])"
    octets = text.encode(name, "replace")
    assert peak(lambda: list(records.sgf.iter_games(octets, "yield"))) < 30 * len(text) + A_LITTLE


def test_a_long_comment_is_held_once() -> None:
    game = pdd.Game.new().with_comment("x" * 300_000)
    text = records.dumps(game)
    assert peak(lambda: records.loads(text, limits=Limits.NONE)) < A_CHARACTER * len(text)
