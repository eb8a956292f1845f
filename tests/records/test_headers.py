"""Headers say where their records stand, and have their texts."""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Header
from support.oracle_row import MANY
from support.sources import Bare
from support.strategies import games
from support.strategies import tags as some_tags

MARK = "\ufeff"
TEXT = """
\t
[First "Zoë \U0001f309"]
{one}

1. d4,g7 * ; over



   [First "Bo"]
[Second "山田"]

% ignored
1. d4,g7
red *
; a last word"""


def headers_of(source: Any) -> list[Header]:
    found = list(records.iter_headers(source))
    headers = [each for each in found if isinstance(each, Header)]
    assert headers == found
    return headers


def plain(text: str) -> str:
    """Return a text with plain line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def assert_cut_out(text: str) -> None:
    """Check places and texts of headers in every kind of source."""
    headers = headers_of(text)
    for header in headers:
        assert plain(text[header.offset :]).startswith(header.text)
        assert plain(text[: header.offset]).count("\n") + 1 == header.line
        assert header.end_line == header.line + header.text.removesuffix("\n").count("\n")
        assert header.text.strip(" \t\n") == header.text.strip(" \t\n\r\ufeff")
    octets = text.encode()
    of_bytes = headers_of(octets)
    assert [each.text for each in of_bytes] == [each.text for each in headers]
    for header in of_bytes:
        assert plain(octets[header.offset :].decode()).startswith(header.text)
    # Nothing but blanks, line ends and marks lies between a record and the next one.
    ends = [*(each.offset for each in of_bytes), len(octets)][1:]
    for header, end in zip(of_bytes, ends, strict=True):
        cut = plain(octets[header.offset : end].decode())
        assert cut[: len(header.text)] == header.text
        assert not cut[len(header.text) :].strip(" \t\n" + MARK)
    before = octets[: of_bytes[0].offset] if of_bytes else b""
    assert not plain(before.decode()).strip(" \t\n" + MARK)


def assert_same(one: Header, other: Header) -> None:
    """Check that two headers are of the same record, from wherever they were read."""
    assert one.tags == other.tags
    assert one.text.rstrip() == other.text.rstrip()
    assert evolve(one.record(), number=1) == evolve(other.record(), number=1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", MARK, MARK + "\n", "\n\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n \n"])
def test_a_record_is_where_it_says(end: str, start: str, last: str) -> None:
    text = (start + TEXT + last).replace("\n", end)
    assert_cut_out(text)
    one, two = headers_of(text)
    assert one.text == '[First "Zoë \U0001f309"]\n{one}\n\n1. d4,g7 * ; over\n'
    shift = start.count("\n")
    assert (one.line, one.end_line) == (3 + shift, 6 + shift)
    assert (two.line, two.end_line) == (10 + shift, 16 + shift)
    assert text[two.offset :].startswith('   [First "Bo"]')
    assert text.encode()[headers_of(text.encode())[1].offset :].startswith(b'   [First "Bo"]')


@given(st.lists(st.tuples(games(), some_tags()), max_size=4), st.data())
def test_texts_can_be_cut_out(played: Sequence[tuple[pdd.Game, Any]], data: st.DataObject) -> None:
    texts = [records.dumps(game.with_tags(tags)) for game, tags in played]
    gaps = st.sampled_from(["", "\n", "\n\n", " \n\t\n", MARK, "\n" + MARK])
    text = data.draw(gaps) + "".join(each + data.draw(gaps) for each in texts)
    text = text.replace("\n", data.draw(st.sampled_from(["\n", "\r\n", "\r"])))
    assert_cut_out(text)
    headers = headers_of(text)
    assert [header.text for header in headers] == texts
    for header, (game, tags) in zip(headers, played, strict=True):
        assert records.loads(header.text) == game.with_tags(tags)
        (alone,) = headers_of(header.text)
        assert_same(alone, header)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_can_be_read_from_each_record_on(end: str, mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.pdd"
    one = mark + TEXT.replace("\n", end).encode() + end.encode() * 2
    path.write_bytes(one * 3)
    headers = headers_of(path)
    assert [header.number for header in headers] == [1, 2, 3, 4, 5, 6]
    with path.open("rb") as file:
        for number, header in enumerate(headers):
            file.seek(header.offset)
            rest = headers_of(file)
            assert len(rest) == 6 - number
            assert_same(rest[0], header)
            # The offsets of a file count from its beginning, not from where reading began.
            assert [each.offset for each in rest] == [each.offset for each in headers[number:]]
        file.seek(headers[-1].offset)
        assert records.load(file) == headers[-1].record().game()
    # Elsewhere offsets count from where reading began.
    with path.open(encoding="utf-8", newline="") as text:
        whole = text.read()
        text.seek(0)
        for header in headers_of(text):
            assert plain(whole[header.offset :]).startswith(header.text)
    assert [each.offset for each in headers_of(Bare(one))] == [each.offset for each in headers[:2]]


@pytest.mark.parametrize("place", [None, 5.0, "5"])
def test_a_file_may_not_know_its_place(place: Any) -> None:
    class Odd(io.BytesIO):
        def tell(self) -> int:
            if place is None:
                raise OSError("illegal seek")
            return place  # type: ignore[no-any-return]  # the point of the test

    assert [each.offset for each in headers_of(Odd(b"\n*\n"))] == [1]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_offsets_in_other_encodings(encoding: str) -> None:
    octets = (MARK + TEXT).encode(encoding)
    for header in headers_of(octets):
        assert octets[header.offset :].decode(encoding).startswith(header.text)


def test_offsets_in_lines() -> None:
    lines, offsets = TEXT.splitlines(), [each.offset for each in headers_of(TEXT)]
    for source in (lines, TEXT.splitlines(keepends=True), [TEXT], iter(lines)):
        assert [each.offset for each in headers_of(source)] == offsets


def test_offsets_among_blocks() -> None:
    # Lines and records that lie in two blocks of a file, with letters of several bytes.
    one = '[First "Zoë 山"]\r\n\r\n1. d4,g7 {é' + "é\r\n" * 500 + "} *\r\n\r\n"
    text = one * 200
    octets = text.encode()
    for source, of in ((text, text), (octets, octets), (io.BytesIO(octets), octets)):
        offsets = [header.offset for header in headers_of(source)]
        assert offsets == [len(of) // 200 * number for number in range(200)]


def test_bad_records_have_no_offset() -> None:
    headers = [each for each in records.iter_headers(MANY) if isinstance(each, Header)]
    starts = [each.offset for each in headers]
    assert starts == sorted(starts)
    assert [MANY[start] for start in starts] == ["["] * len(starts)
    assert all(before.end_line < after.line for before, after in pairwise(headers))


def test_a_record_that_is_too_long_has_no_header() -> None:
    text = '[A "b"]\n1. a1,b1 {' + "x" * 40 + '}\n\n[A "c"]\n*\n'
    for source in (text, text.encode(), io.StringIO(text), text.splitlines()):
        bad, good = records.iter_headers(source, limits=pdd.Limits(characters=30))
        assert isinstance(bad, pdd.RecordError)
        assert bad.expected == "a game of at most 30 characters"
        assert isinstance(good, Header)
        assert (good.text.rstrip(), good.offset) == ('[A "c"]\n*', text.index('[A "c'))
    (whole,) = records.iter_headers(text[: text.index('[A "c')], limits=pdd.Limits.NONE)
    assert isinstance(whole, Header)


def test_headers_are_values() -> None:
    one, other = headers_of(TEXT)
    assert pickle.loads(pickle.dumps(one)) == one
    assert pickle.loads(pickle.dumps(other)).offset == other.offset
    assert one != other
    assert hash(one) == hash(headers_of(TEXT)[0])
