"""What fuzzing begins with: inputs of each target, and the words of each format."""

from __future__ import annotations

import re
from pathlib import Path
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
