"""Reading takes time in proportion to the text, whatever there is a long run of."""

from __future__ import annotations

import gc
import io
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Format, abstract_play, boardspace, sgf
from pontedeldiavolo.records.pdd.parser import unwrapped

SIZE = 800
MORE = 4
MOST = 2.5 * MORE
"""Four times the text in ten times the time is allowed; squares would take sixteen times it."""

RUNS = [
    *(" ", "\t", "\r", "\n", "\v", "\xa0", "0", "1", "a", "A", "_", ".", ",", "-", ":", "!", "%"),
    *('"', "'", "\\", "/", "*", "$", "[", "]", "(", ")", "{", "}", ";", "\ufeff", "\x00", "é"),
    *(
        " \n",
        "\r\n",
        "\\\n",
        "\\]",
        "a ",
        " a",
        "1.",
        "[]",
        "()",
        "{}",
        '""',
        "(;",
        "a1,",
        "a1,b1 ",
    ),
    *("[A", "1,", '{"', '":', "{a} ", ";a\n", "(a1,b1)", "$1 ", "C[a]", ";PD[a1,b1]", '"a",'),
    *("[[", "],", "\\u0041", "Jan 1 ", "2007-", "8x8 ", "#board", "pass ", "\n\n", '[A "b"]\n'),
]

HEADER = '"game":{"name":"Ponte del Diavolo"},"players":[{"name":"a"},{"name":"b"}]'
BOARDSPACE = "(;GM[pontedeldiavolo]VV[1]P0[id "
STATE = pdd.format_state(pdd.GameState.initial(pdd.Rules(pdd.Board(2, 2))))

Read = Callable[[str], object]


def everything(iterate: Callable[[Iterable[str]], Iterable[object]]) -> Read:
    """Return what goes through all that is in a text."""

    def read(text: str) -> object:
        return sum(1 for _ in iterate(io.StringIO(text)))

    return read


def lenient(text: str) -> object:
    """Read records and leave out what is wrong."""
    errors: list[pdd.RecordError] = []
    return list(records.iter_results(io.StringIO(text), errors))


def of_format(form: Format) -> Read:
    """Return what reads a text as of a format."""
    return lambda text: list(records.read(text, format=form))


RECORDS = [
    *("@", "a1,b1 @", "1. @", "@*", "a1,b1 {@", "a1,b1 {@} *", "a1,b1 {x@y} *"),
    *("a1,b1 ; @\n*", "a1,b1 (@)", "a1,b1@", '[A "b"]\n{@}\n*', '[@ "b"]', "[A @", "[A@]"),
    *('[A "@"]\n*', '[A "b"@]\n*', '[Rules "@"]', '[Start "' + STATE + '@"]', '[Result "@"]'),
    *("a1,b1 *@", "%@\n*", "a1,b1 @*", '[A "b"]\n\n*\n\n@'),
]
TREES = [
    *("@", "(@", "(;@", "(;C[@", "(;C[@])", "(;PD[@])", "(;RE[W+@])", "(;DT[@])", "(;A@[])"),
    *("(;PDTAGS[A:@])", "(;XX[@])", "(;PD[a1,b1]@)", "(;PDGLYPHS[@])", "(;RU[@])", "(;)(@"),
    *("(;C[x]@", "(;PDSTART[@])", "(;PW[@])"),
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

READERS: dict[str, tuple[Read, list[str]]] = {
    "records": (everything(records.iter_results), RECORDS),
    "records, leniently": (lenient, RECORDS),
    "headers": (everything(records.iter_headers), RECORDS),
    "headers of bytes": (lambda text: list(records.iter_headers(text.encode())), RECORDS),
    "sgf in other bytes": (
        lambda text: list(sgf.iter_results(text.encode("latin-1", "replace"))),
        OCTETS,
    ),
    "sgf": (everything(sgf.iter_results), TREES),
    "boardspace": (everything(boardspace.iter_results), CLICKS),
    "reports": (everything(abstract_play.iter_results), REPORTS),
    "lists": (of_format(Format.MOVES), LISTS),
    "any": (lambda text: list(records.read(text)), [*LISTS, "(@", "[@", "{@"]),
    "detect": (records.detect, ["@", "(@", "(;@", "(;GM@", "[@", "{@", "1@", "[A @"]),
    "set-ups": (pdd.parse_setup, PICTURES),
}
for parse in (pdd.parse_action, pdd.parse_cell, pdd.parse_rules, pdd.parse_state, pdd.parse_node):
    READERS[parse.__name__] = (parse, TEXTS)
READERS["documents"] = (of_format(Format.JSON), DOCUMENTS)


def seconds(read: Read, text: str) -> float:
    """Return how long reading a text takes, right or wrong."""
    started = time.process_time()
    with suppress(pdd.PonteError):
        read(text)
    return time.process_time() - started


def growth(read: Read, context: str, run: str) -> float:
    """Return how much longer it takes to read four times as much, at its best."""
    short, long = (context.replace("@", run * (size // len(run))) for size in (SIZE, MORE * SIZE))
    # At its best of three: a short reading that is disturbed makes any growth look small.
    before, after = min(seconds(read, short) for _ in range(3)), seconds(read, long)
    for _ in range(8):
        if after <= MOST * before:
            break
        # Another program may have been in the way.
        before, after = min(before, seconds(read, short)), min(after, seconds(read, long))
    return after / before


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("records", RUNS[::12]),
        ("sgf", RUNS[::12]),
        *(pytest.param(name, RUNS, marks=pytest.mark.slow) for name in READERS),
    ],
)
def test_time_grows_with_the_text(name: str, runs: list[str]) -> None:
    read, contexts = READERS[name]
    seconds(read, "")
    gc.disable()
    try:
        slow = [
            (context, run)
            for context in contexts
            for run in runs
            if growth(read, context, run) > MOST
        ]
    finally:
        gc.enable()
    assert slow == []


def test_what_is_not_linear_is_seen() -> None:
    # Line breaks were once found like this: each blank of a run begins a search of its own.
    def squares(text: str) -> object:
        return re.sub(r"[ \t\r]*\n[ \t]*", " ", text)

    assert growth(squares, "@", " ") > MOST


# What stands in place of the pattern that was not


@given(text=st.text(alphabet=" \t\r\nb") | st.text())
@example(text="bb \n \n")
@example(text="a\n\r \n\t b")
def test_line_breaks_are_blanks(text: str) -> None:
    assert unwrapped(text) == re.sub(r"[ \t\r]*\n[ \t]*", " ", text)


@pytest.mark.parametrize("name", ["al", "a-l", "(al)", "é"])
def test_a_name_is_found_as_words_of_its_own(name: str) -> None:
    header = '(;GM[PonteDelDiavolo]P0[id "{}"]P1[id "bob"]RE[{}];P0[0 Start P0])'
    for text, winner in {
        f"Game won by {name.upper()}": pdd.Seat.FIRST,
        f"Game won by x{name}": None,
        f"Game won by {name}x": None,
        "x" * 2_000 + f" {name}": None,
    }.items():
        assert boardspace.loads(header.format(name, text)).winning_seat is winner
    assert boardspace.loads(header.format("a" * 256, "a" * 256)).winning_seat is None


def test_numbers_keep_their_digits() -> None:
    site = '"site":{"name":"x","gameid":@}'
    report = '{"header":{' + HEADER + "," + site + '},"moves":[["a1,b1"]]}'
    for digits in ("1234567890123456789", "-0", "1.50", "1e999", "9" * 5_000):
        game = abstract_play.loads(report.replace("@", digits))
        assert game.tags["GameId"] == digits
