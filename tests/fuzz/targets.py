"""All readers of texts and bytes as targets of the fuzzer, with their checks and stored inputs.

A target takes any bytes. It returns if the reader accepts them or refuses them by a
:class:`~pontedeldiavolo.PonteError`. If a target raises an error, that is a finding."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format

from . import notation
from .formats import check_any, check_format, check_record
from .notation import check_catalog, check_command, check_document

LONGEST: Final = 10.0
"""The maximum seconds for an input, in an instrumented process on a slow machine."""


@frozen
class Target:
    """A reader: the check of an input, the words of its format, and its share of the time."""

    name: str
    check: Callable[[bytes], object]
    dictionary: str
    share: int = 1

    def run(self, data: bytes) -> None:
        """Check an input; any error is a finding."""
        started = time.process_time()
        self.check(data)
        taken = time.process_time() - started
        if taken > LONGEST:
            raise AssertionError(f"{len(data)} bytes take {taken:.1f} s")


check_text = notation.check_text
_ALL: Final = (
    Target("cell", partial(check_text, pdd.parse_cell, str), "notation"),
    Target("action", notation.check_action, "notation"),
    Target("step", notation.check_step, "notation"),
    Target("rules", partial(check_text, pdd.parse_rules, pdd.format_rules), "notation"),
    Target("setup", notation.check_setup, "notation"),
    Target("state", partial(check_text, pdd.parse_state, pdd.format_state), "notation", 2),
    Target("node", notation.check_either, "notation", 3),
    Target("packed", notation.check_packed, "packed", 2),
    Target("catalog", check_catalog, "catalog"),
    Target("document", check_document, "json", 4),
    Target("pdd", check_record, "pdd", 6),
    Target("sgf", partial(check_format, Format.SGF), "sgf", 6),
    Target("boardspace", partial(check_format, Format.BOARDSPACE), "boardspace", 6),
    Target("abstract-play", partial(check_format, Format.ABSTRACT_PLAY), "abstract_play", 6),
    Target("moves", partial(check_format, Format.MOVES), "abstract_play", 4),
    Target("json", partial(check_format, Format.JSON), "json", 4),
    Target("any-format", check_any, "any", 3),
    Target("validate", check_command, "any", 2),
)
TARGETS: Final = {target.name: target for target in _ALL}
"""All targets by name."""


HERE: Final = Path(__file__).parent
INPUTS: Final = HERE / "corpus"
DICTIONARIES: Final = HERE / "dictionaries"

_ENTRY = re.compile(r'(?:[A-Za-z_0-9]+=)?"((?:[^"\\]|\\\\|\\"|\\x[0-9A-Fa-f]{2})+)"')
_ESCAPE = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|([\\"]))')


def inputs_of(target: Target) -> list[Path]:
    """Return the stored inputs of a target."""
    return sorted(path for path in (INPUTS / target.name).iterdir() if path.is_file())


def dictionary_of(target: Target) -> Path:
    """Return the file with the words of a target's format."""
    return DICTIONARIES / f"{target.dictionary}.dict"


def words_in(dictionary: Path) -> list[bytes]:
    """Return the words of a dictionary, in the syntax that libFuzzer reads."""
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
    """Yield variations of an input with a few changes, which depend only on the seed."""
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
    pieces = [b"", random.randbytes(1), random.choice(words), random.choice(words)]
    pieces += [data[start:stop] * 2, other[place : place + random.choice((1, 5, 50))]]
    special = random.choice((b"\n", b"\r", b" ", b"0", b"\\", b'"', b"\xef\xbb\xbf", b"\xff"))
    return data[:start] + random.choice([*pieces, special]) + data[stop:]
