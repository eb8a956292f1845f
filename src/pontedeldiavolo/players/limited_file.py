"""Reading files that came from elsewhere: never more of them than a limit."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BLOCK_BYTES: Final = 1 << 20
"""The size of the blocks in which a file is read and decompressed."""


def read_at_most(path: Path, most: int) -> bytes:
    """Return the content of a file, or its first *most* bytes if it is longer.

    Memory is taken as the file is read, so a high limit costs nothing for a short file.

    Raises:
        OSError: If the file cannot be read.
    """
    blocks: list[bytes] = []
    left = most
    with path.open("rb") as file:
        while left > 0 and (block := file.read(min(left, BLOCK_BYTES))):
            blocks.append(block)
            left -= len(block)
    return b"".join(blocks)
