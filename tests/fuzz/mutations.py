"""Inputs that are nearly others: what a fuzzer tries, without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random


def mutations(
    inputs: Sequence[bytes], words: Sequence[bytes], count: int, seed: str
) -> Iterator[bytes]:
    """Iterate over inputs of which a few pieces are others, the same ones for the same seed."""
    random = Random(seed)
    for _ in range(count):
        data = random.choice(inputs)
        for _ in range(random.randint(1, 4)):
            data = _mutated(data, inputs, words, random)
        yield data


def _mutated(data: bytes, inputs: Sequence[bytes], words: Sequence[bytes], random: Random) -> bytes:
    start = random.randint(0, len(data))
    stop = min(len(data), start + random.choice((0, 1, 2, 5, 20, 100)))
    other = random.choice(inputs)
    place = random.randint(0, len(other))
    piece = random.choice(
        (
            b"",
            random.randbytes(1),
            random.choice(words),
            random.choice(words),
            data[start:stop] * 2,
            other[place : place + random.choice((1, 5, 50))],
            random.choice((b"\n", b"\r", b" ", b"0", b"\\", b'"', b"\xef\xbb\xbf", b"\xff")),
        )
    )
    return data[:start] + piece + data[stop:]
