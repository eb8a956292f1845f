"""Detection of the encoding of a file by its byte order mark."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from typing import Final

BYTE_ORDER_MARK: Final = "\ufeff"
UTF_8: Final = "utf-8"

BYTE_ORDER_MARKS: Final = {
    # The mark of UTF-32-LE begins with that of UTF-16-LE, so it comes first.
    BOM_UTF32_LE: "utf-32-le",
    BOM_UTF32_BE: "utf-32-be",
    BOM_UTF16_LE: "utf-16-le",
    BOM_UTF16_BE: "utf-16-be",
}


def encoding_of(start: bytes) -> str:
    """Return the encoding indicated by a byte order mark at the start of a file, else UTF-8."""
    found = (encoding for mark, encoding in BYTE_ORDER_MARKS.items() if start.startswith(mark))
    return next(found, UTF_8)
