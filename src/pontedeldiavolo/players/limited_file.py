"""Reading files that came from elsewhere: never more of them than a limit."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Final

BLOCK_BYTES: Final = 1 << 20
"""The size of the blocks in which a file is read and decompressed."""


def read_at_most(file: Traversable, max_bytes: int) -> bytes:
    """Return the content of a file, or its first *max_bytes* bytes if it is longer.

    The file is a path, or a file of the package, which may lie in a zip archive.

    Memory is taken as the file is read, so a high limit costs nothing for a short file.

    Raises:
        OSError: If the file cannot be read.
    """
    blocks: list[bytes] = []
    left = max_bytes
    with file.open("rb") as stream:
        while left > 0 and (block := stream.read(min(left, BLOCK_BYTES))):
            blocks.append(block)
            left -= len(block)
    return b"".join(blocks)
