"""Files of tablebases: a damaged one is refused, and a small one cannot ask for much memory."""

from __future__ import annotations

import lzma
import tracemalloc
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.checks import error_of

pytest.importorskip("numba", reason="not installed: extra batch")

from pontedeldiavolo.players import Tablebase
from pontedeldiavolo.players.mcts import tablebase

INVALID = "invalid-tablebase"
SMALL = Path(str(tablebase.FOLDER / "3x2.tablebase"))
HEAD_BYTES = len(b"\n".join(SMALL.read_bytes().split(b"\n", 4)[:4]))
VERSION = b"pontedeldiavolo tablebase 2"
RULES = b"2x2 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"


def file_of(sizes: bytes, body: bytes, rules: bytes = RULES, version: bytes = VERSION) -> bytes:
    """Return a file with a valid checksum for any content."""
    head = b"%b\n%b\n%b\n" % (version, rules, sizes)
    return head + sha256(head + body).hexdigest().encode() + b"\n" + body


def code_of(path: Path, data: bytes) -> str:
    """Return the code of the error by which a file is refused."""
    path.write_bytes(data)
    return error_of(pdd.PonteError, Tablebase.open, path).code


def require_flips_refused(path: Path, flips: Iterable[tuple[int, int]]) -> None:
    """Fail unless the small table is refused after each of these bits is flipped."""
    good = SMALL.read_bytes()
    for place, bit in flips:
        damaged = bytearray(good)
        damaged[place] ^= 1 << bit
        assert code_of(path, bytes(damaged)) == INVALID, (place, bit)


def test_no_flipped_byte_is_overlooked(tmp_path: Path) -> None:
    size = len(SMALL.read_bytes())
    places = [*range(HEAD_BYTES), *range(HEAD_BYTES, size, 5)]
    require_flips_refused(tmp_path / "table", ((place, place % 8) for place in places))


@pytest.mark.slow
def test_no_flipped_bit_is_overlooked(tmp_path: Path) -> None:
    size = len(SMALL.read_bytes())
    bits = ((place, bit) for place in range(size) for bit in range(8))
    require_flips_refused(tmp_path / "table", bits)


def test_the_rules_are_covered(tmp_path: Path) -> None:
    path = tmp_path / "table"
    for old, new in ((b"3x2 ", b"2x2 "), (b"3x2 ", b"2x3 "), (b"tiles=unlimited", b"tiles=3")):
        assert code_of(path, SMALL.read_bytes().replace(old, new, 1)) == INVALID


def test_no_missing_and_no_further_byte_is_overlooked(tmp_path: Path) -> None:
    path = tmp_path / "table"
    good = SMALL.read_bytes()
    for size in range(0, len(good), 5):
        assert code_of(path, good[:size]) == INVALID
    for more in (b"!", b"\0", good):
        assert code_of(path, good + more) == INVALID


def test_content_that_no_table_has_is_refused(tmp_path: Path) -> None:
    """Files with a valid checksum are refused if no table has their content."""
    path = tmp_path / "table"
    body = lzma.compress(b"a\2")
    assert code_of(path, file_of(b"1 1", body).replace(b"2x2", b"3x2", 1)) == INVALID
    path.write_bytes(file_of(b"1 1", body))
    assert len(Tablebase.open(path)) == 1
    sizes = (b"", b"1", b"1 1 1", b"0 1", b"1 0", b"-1 -3", b"2 1", b"1 2", b"1_0 1", b"01 1")
    odd_sizes = (b"1 1 ", b"1.0 1", b"\xd9\xa1 1", b"9" * 5_000 + b" 1", b"1\t1")
    for each in (*sizes, *odd_sizes):
        assert code_of(path, file_of(each, body)) == INVALID, each
    for rules in (b"", b"2x2", b"6x6", b"65x65", RULES + b" ", b"\xff", b"2" * 2_000):
        assert code_of(path, file_of(b"1 1", body, rules)) == INVALID, rules
    for version in (b"pontedeldiavolo tablebase 1", b"pontedeldiavolo tablebase 3", b""):
        assert code_of(path, file_of(b"1 1", body, version=version)) == INVALID, version
    bodies = [lzma.compress(content) for content in (b"", b"a", b"a\3", b"a\2\2")]
    bodies += [
        b"",
        b"\0",
        body[:-1],
        body + b"\0",
        body + body,
        lzma.compress(b"a\2", lzma.FORMAT_ALONE),
    ]
    for each in bodies:
        assert code_of(path, file_of(b"1 1", each)) == INVALID, each
    # Positions must be in strictly ascending order.
    for content in (b"ba\2\2", b"aa\2\2"):
        assert code_of(path, file_of(b"2 1", lzma.compress(content))) == INVALID


def peak_of(path: Path) -> int:
    """Return the peak of memory for opening a file, in bytes."""
    tracemalloc.start()
    try:
        error_of(pdd.PonteError, Tablebase.open, path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


BOMB = lzma.compress(bytes(100_000_000), preset=0)
"""Compressed data of 15 kB that expands to 100 MB."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        (b"50000000 1", "tablebase-too-large"),
        (b"432000000 1", "tablebase-too-large"),
        (b"%d 1" % 10**400, "tablebase-too-large"),
        # The data is longer than its header says.
        (b"1 1", INVALID),
        (b"500 1", INVALID),
        # The data is shorter than its header says.
        (b"30000000 1", INVALID),
    ],
)
def test_a_small_file_takes_little_memory(tmp_path: Path, sizes: bytes, code: str) -> None:
    path = tmp_path / "table"
    body = lzma.compress(bytes(1_000)) if sizes == b"30000000 1" else BOMB
    assert code_of(path, file_of(sizes, body)) == code
    # The decoder itself takes 8 MB.
    assert peak_of(path) < 10_000_000


@pytest.mark.slow
def test_a_file_takes_memory_by_what_its_head_states(tmp_path: Path) -> None:
    path = tmp_path / "table"
    assert code_of(path, file_of(b"5000000 1", lzma.compress(bytes(10_000_000)))) == INVALID
    assert peak_of(path) < 30_000_000


def test_the_limit_can_be_set() -> None:
    size = 44 * (7 + 1)
    assert len(Tablebase.open(SMALL, max_bytes=size)) == 44
    with pytest.raises(pdd.PonteError) as caught:
        Tablebase.open(SMALL, max_bytes=size - 1)
    assert (caught.value.code, dict(caught.value.values)) == (
        "tablebase-too-large",
        {"bytes": size, "max": size - 1},
    )
    for wrong in (0, -1, -(10**9)):
        refusal = error_of(pdd.PonteError, Tablebase.open, SMALL, max_bytes=wrong)
        assert refusal.code in (INVALID, "tablebase-too-large")


@pytest.mark.slow
def test_a_file_is_not_read_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "long"
    with path.open("wb") as file:
        file.truncate(1 << 34)
    assert peak_of(path) < 300_000_000
