"""Files of weights: named arrays of NumPy in an archive, with a digest of all of them."""

from __future__ import annotations

import struct
import sys
import tokenize
import zlib
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, Final, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.errors import PonteError, reason, require_path, require_type
from pontedeldiavolo.batch.feature_planes import PLANES_VERSION
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.rules.rules import Rules

from .limited_file import BLOCK_BYTES, read_at_most

Array = npt.NDArray[np.generic]

FORMAT: Final = "pontedeldiavolo network 2"
"""The format of a file, ending with its version."""
MAX_BYTES: Final = 1 << 26
"""The maximum total size of the arrays in a file."""
MAX_DIRECTORY_BYTES: Final = 1 << 20
"""The maximum size of the remaining parts of a file."""
DIGEST: Final = "digest"
"""The name of the array with the digest of all others."""
TAKEN: Final = frozenset({"format", "rules", "planes_version", DIGEST, "file", "allow_pickle"})
"""The names that arrays cannot have: other arrays of a file, and arguments of ``np.savez``."""
KINDS: Final = "fiuU"
"""The kinds of NumPy's types that an array can have: numbers and texts."""

_NOT_READABLE = (
    # From zipfile and zlib; NotImplementedError is a RuntimeError.
    *(BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, LookupError),
    # From NumPy, which reads the head of an array as a Python literal.
    *(ValueError, TypeError, ArithmeticError, MemoryError, SyntaxError, tokenize.TokenError),
)
"""The errors of zipfile and NumPy for files that are damaged or made to confuse them."""


def save_weights(
    path: str | PathLike[str], rules: Rules, arrays: Mapping[str, npt.ArrayLike]
) -> None:
    """Write the weights of a neural network, or of anything else that was learned, to a file.

    The file is a NumPy archive with the arrays, the rules that they were learned for, and
    :data:`~pontedeldiavolo.batch.PLANES_VERSION`. A digest covers all of it.

    Needs NumPy, which the extra ``batch`` installs.

    Args:
        path: The file, which NumPy's ``load`` reads as well.
        rules: The rules that the weights were learned for.
        arrays: Arrays of numbers or texts by name, in the order of the file.

    Raises:
        PonteError: If an array has a name that the format uses itself: ``format``, ``rules``,
            ``planes_version``, ``digest``, or one of the arguments of NumPy's ``savez``.
        OSError: If the file cannot be written.
    """
    require_path(path, "path")
    require_type(rules, Rules, "rules")
    require_type(arrays, Mapping, "arrays")
    content: dict[str, Array] = {
        "format": np.array(FORMAT),
        "rules": np.array(format_rules(rules)),
        "planes_version": np.array(PLANES_VERSION),
    }
    for name, array in arrays.items():
        require_type(name, str, "a key of arrays")
        if name in TAKEN:
            raise PonteError(f"an array of weights cannot have the name {name!a}")
        content[name] = _storable(array, name)
    content[DIGEST] = np.array(digest_of_arrays(content))
    with Path(path).open("wb") as file:
        np.savez(file, **cast(dict[str, Any], content))


def _storable(array: npt.ArrayLike, name: str) -> Array:
    """Return an array of numbers or texts."""
    found = np.asarray(array)
    if found.dtype.kind not in KINDS:
        raise TypeError(f"arrays[{name!a}] must have numbers or texts, not {found.dtype}")
    return found


def load_weights(path: str | PathLike[str]) -> tuple[Rules, dict[str, npt.NDArray[Any]]]:
    """Read the weights in a file that :func:`save_weights` has written.

    The file may come from somebody else: reading it runs no code, and takes a limited amount of
    memory. Its digest shows whether it was changed, but not who wrote it.

    Needs NumPy, which the extra ``batch`` installs.

    Args:
        path: The file.

    Returns:
        The rules that the weights were learned for, and the arrays by name.

    Raises:
        PonteError: If the file is damaged, of another version, or for other planes, or its arrays
            take more than 64 MiB.
        OSError: If the file cannot be read.
    """
    require_path(path, "path")
    content = _read_content(Path(path))
    if part_of(content, "planes_version", "iu").item() != PLANES_VERSION:
        raise damaged("planes_version")
    rules = parse_rules(text_of(content, "rules"))
    return rules, {name: array for name, array in content.items() if name not in TAKEN}


def digest_of_arrays(arrays: Mapping[str, Array]) -> str:
    """Return the SHA-256 digest of arrays: of their names, types, shapes and contents.

    The array :data:`DIGEST` is left out. The order of the arrays does not matter.
    """
    digest = sha256()
    for name in sorted(arrays.keys() - {DIGEST}):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode("utf-8", "surrogatepass"))
        digest.update(array.tobytes())
    return digest.hexdigest()


def _read_content(path: Path) -> dict[str, Array]:
    """Return all arrays of a file by name.

    Raises:
        PonteError: If the file is damaged, of another version, or too large.
        OSError: If the file cannot be read.
    """
    max_file_bytes = MAX_BYTES + MAX_DIRECTORY_BYTES
    data = read_at_most(path, max_file_bytes + 1)
    if len(data) > max_file_bytes:
        raise damaged(path.name)
    try:
        with ZipFile(BytesIO(data)) as archive:
            arrays = _read_arrays(archive)
    except _NOT_READABLE as error:
        raise damaged(path.name) from error
    if text_of(arrays, "format") != FORMAT:
        raise damaged("format")
    if text_of(arrays, DIGEST) != digest_of_arrays(arrays):
        raise damaged(DIGEST)
    return arrays


def _read_arrays(archive: ZipFile) -> dict[str, Array]:
    """Return the arrays of an archive by name.

    Raises:
        ValueError: If it holds something else, one name twice, or more than :data:`MAX_BYTES`.
    """
    infos = archive.infolist()
    is_plain = {info.compress_type for info in infos} <= {ZIP_STORED, ZIP_DEFLATED}
    if not is_plain or sum(info.file_size for info in infos) > MAX_BYTES:
        raise ValueError
    arrays: dict[str, Array] = {}
    for info in infos:
        name = info.filename.removesuffix(".npy")
        if name in arrays:
            raise ValueError
        arrays[name] = _array(_member(archive, info))
    return arrays


def _member(archive: ZipFile, info: ZipInfo) -> bytes:
    """Return a member of an archive, decompressed in blocks up to the size that is stated.

    ``ZipFile.read`` decompresses everything, and compares the size only afterwards.

    Raises:
        ValueError: If there is less than is stated.
        BadZipFile: If its checksum is wrong, as where there is more than is stated.
    """
    blocks: list[bytes] = []
    left = info.file_size
    with archive.open(info) as file:
        while left > 0 and (block := file.read(min(left, BLOCK_BYTES))):
            blocks.append(block)
            left -= len(block)
    if left:
        raise ValueError
    return b"".join(blocks)


def _array(data: bytes) -> Array:
    """Return the array in a member of an archive.

    NumPy's own ``read_array`` would reserve all the memory that the head asks for. Here the head
    has to state the size of the data that follows.

    Raises:
        ValueError: If it is not an array of numbers or texts, or its data has another size.
    """
    stream = BytesIO(data)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    count = prod(shape)
    start = stream.tell()
    is_known = dtype.kind in KINDS and dtype.fields is None and min(shape, default=0) >= 0
    if not is_known or count * dtype.itemsize != len(data) - start:
        raise ValueError
    if dtype.kind == "U":
        # NumPy would make a text of any numbers, and Python fails at a later use of such a text.
        codes = np.frombuffer(data, np.dtype(np.uint32).newbyteorder(dtype.byteorder), -1, start)
        if codes.max(initial=0) > sys.maxunicode:
            raise ValueError
    flat = np.frombuffer(data, dtype, count, start)
    return flat.reshape(shape, order="F" if is_fortran else "C")


def part_of(arrays: Mapping[str, Array], name: str, kinds: str) -> Array:
    """Return an array of a file with a single value.

    Raises:
        PonteError: If it is missing, or has another shape or another kind of value.
    """
    found = arrays.get(name)
    if found is None or found.dtype.kind not in kinds or found.shape:
        raise damaged(name)
    return found


def text_of(arrays: Mapping[str, Array], name: str) -> str:
    """Return the text in an array of a file.

    Raises:
        PonteError: If it is missing or not a text.
    """
    return str(part_of(arrays, name, "U").item())


def damaged(part: str) -> PonteError:
    """Return the error for a file with a damaged part."""
    return PonteError(reason("invalid-weights", part=part, expected=FORMAT))
