"""What the bytes of a game tree mean: its property ``CA`` says so."""

from __future__ import annotations

import re
from encodings.aliases import aliases
from typing import Final

from pontedeldiavolo.base.errors import NotationError, reason

_UTF_8: Final = "utf_8"
_KNOWN: Final = frozenset(
    {
        *("ascii", "latin_1", _UTF_8, "koi8_r", "koi8_u", "mac_roman", "tis_620"),
        *(f"iso8859_{part}" for part in (*range(2, 12), 13, 14, 15, 16)),
        *("cp437", "cp850", "cp852", "cp858", "cp866", "cp874"),
        *(f"cp{page}" for page in range(1250, 1259)),
        *("euc_jp", "shift_jis", "cp932", "euc_kr", "cp949"),
        *("gb2312", "gbk", "gb18030", "big5", "big5hkscs", "cp950"),
    }
)
"""Encodings in which a byte below 128 is its ASCII character, but for the second byte of a letter.

A name is looked for here and not among all codecs: some of those are no encodings of text, and
Python keeps every name that it was ever asked for.
"""
_ALSO_CALLED: Final = {"windows_31j": "cp932"}
"""Names that not every version of Python knows."""
_SHIFTING: Final = re.compile(r"(?:csiso2022|iso[-_ ]?2022|hz|utf[-_ ]?(?:7|16|32))", re.IGNORECASE)
"""Encodings in which the bytes of ASCII mean other letters as well."""
_NO_NAME = re.compile(r"[^a-z0-9]+")
_LONE = re.compile("[\ud800-\udfff]")
_SPECIAL: Final = "\\]"


def encoding_named(name: str) -> str | None:
    """Return Python's name of an encoding that is read here, ``None`` for any other."""
    plain = _NO_NAME.sub("_", name.lower()).strip("_")
    found = _ALSO_CALLED.get(plain) or aliases.get(plain, plain)
    return found if found in _KNOWN else None


def decoded(text: str, name: str, offset: int, *, is_marked: bool) -> str:
    """Return the text that a game's bytes are.

    Args:
        text: The bytes, as UTF-8 with lone surrogates for what is none.
        name: What ``CA`` says, "" if it says nothing.
        offset: Where it says so.
        is_marked: Whether the file says with a byte order mark that it is in UTF-8.

    Raises:
        NotationError: If the encoding is not known, the bytes are not in it, or could be read in
            two ways.
    """
    is_utf_8 = _LONE.search(text) is None
    # What was put behind a byte order mark may be in another encoding all the same.
    if is_utf_8 and (is_marked or not name):
        return text
    if not name:
        return "\n".join(map(_line, text.split("\n")))
    # Where all is ASCII its name does not matter, unless it means something else by ASCII.
    if text.isascii() and not _SHIFTING.match(name):
        return text
    encoding = encoding_named(name)
    if encoding is None:
        expected = reason("sgf-encoding", name=repr(name[:40]))
        raise NotationError(_printable(text), offset, expected)
    octets = text.encode(errors="surrogateescape")
    try:
        found = octets.decode(encoding)
    except UnicodeDecodeError as error:
        place = len(octets[: error.start].decode(errors="surrogateescape"))
        expected = reason("text-in-encoding", name=repr(name[:40]))
        raise NotationError(_printable(text), place, expected) from None
    for special in _SPECIAL:
        if found.count(special) != text.count(special):
            # Some programs escape such a byte, others do not.
            expected = reason("sgf-letter", name=repr(name[:40]), special=repr(special))
            raise NotationError(_printable(text), offset, expected)
    return found


def _line(line: str) -> str:
    """Return a line that nothing tells the encoding of."""
    if _LONE.search(line) is None:
        return line
    return line.encode(errors="surrogateescape").decode("latin-1")


def _printable(text: str) -> str:
    return _LONE.sub("\ufffd", text)
