"""Inputs of each target, the words of each format, and inputs that are nearly others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from .targets import Target

HERE: Final = Path(__file__).parent
INPUTS: Final = HERE / "corpus"
DICTIONARIES: Final = HERE / "dictionaries"

_ENTRY = re.compile(r'(?:[A-Za-z_0-9]+=)?"((?:[^"\\]|\\\\|\\"|\\x[0-9A-Fa-f]{2})+)"')
_ESCAPE = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|([\\"]))')


def inputs_of(target: Target) -> list[Path]:
    """Return the files that are kept as inputs of a target."""
    return sorted(path for path in (INPUTS / target.name).iterdir() if path.is_file())


def dictionary_of(target: Target) -> Path:
    """Return the file with the words of a target's format."""
    return DICTIONARIES / f"{target.dictionary}.dict"


def words_in(dictionary: Path) -> list[bytes]:
    """Return the words of a dictionary, in the syntax that libFuzzer reads.

    Raises:
        ValueError: If a line is neither a word nor a comment.
    """
    words = []
    for line in dictionary.read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        entry = _ENTRY.fullmatch(line.strip())
        if entry is None:
            raise ValueError(f"{dictionary.name}: not a word in quotes: {line}")
        words.append(_ESCAPE.sub(_unescaped, entry[1].encode()))
    return words


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 16)]) if found[1] else found[2]


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
