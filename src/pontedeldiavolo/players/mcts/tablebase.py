"""Tables of the exact values of all positions on a small board."""

from __future__ import annotations

import lzma
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple, SupportsIndex, final, overload

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.errors import PonteError, reason, require_path, require_type, whole_number
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.batch.arguments import number_between, require_shape, whole_numbers
from pontedeldiavolo.batch.game_batch import GameBatch
from pontedeldiavolo.batch.rows import LAST_TURN, NONE, PLAY
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.players.limited_file import BLOCK_BYTES, read_at_most
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .solver import Solution, following, mover_sign

MAGIC: Final = "pontedeldiavolo tablebase 2"
"""The first line of a file, ending with the version of the format."""
MAX_BYTES: Final = 1 << 26
"""The default maximum size of the positions and values of a file: enough for 4×4."""
MAX_HEAD_BYTES: Final = 1 << 10
"""The maximum size of the lines of text in a file."""
DECODER_BYTES: Final = 1 << 26
"""The memory limit of the decoder of a file."""
FOLDER: Final = files("pontedeldiavolo.players.mcts") / "tables"
"""The folder of the tables that are part of the package, which may lie in a zip archive."""
OWNERS: Final = 3
"""The possible owners of white in the first byte of a packed state: nobody, or a seat."""

Values = npt.NDArray[np.float32]
"""Values for one seat; NaN where the table has none."""
Probes = tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8], npt.NDArray[np.bool_]]
"""The results for a batch: values, the steps that keep them, and whether they are exact."""


@final
class Tablebase(ImmutableValue):
    """The exact values of all positions on a board in which a colour moves.

    Needs the extra ``batch``. The tables of the boards 2×2, 3×2, 4×2, 5×2, 6×2, 3×3 and 4×3, with
    an unlimited supply and both tie-breaks, are part of the package. ``examples/solve.py --table``
    makes others. A table is immutable: any number of threads may use it at once.

    >>> rules = pdd.Rules(pdd.Board(3, 3))
    >>> table = pdd.players.Tablebase.bundled(rules)
    >>> solution = table.probe(pdd.GameState.initial(rules))
    >>> solution.value, pdd.format_action(solution.best[0])
    (0, 'a1,b1')

    Attributes:
        rules: The rules that the values are for.
    """

    def __init__(
        self, rules: Rules, keys: npt.NDArray[np.bytes_], values: npt.NDArray[np.int8]
    ) -> None:
        require_type(rules, Rules, "rules")
        require_type(keys, np.ndarray, "keys")
        require_type(values, np.ndarray, "values")
        self.rules: Rules = rules
        self._keys = keys
        self._values = values

    def __len__(self) -> int:
        return len(self._keys)

    @classmethod
    def from_values(cls, games: GameBatch, values: npt.ArrayLike) -> Tablebase:
        """Return a table of some positions.

        Args:
            games: The positions; half turns, and positions in which no colour moves, are skipped.
            values: Shape (n,): the values for the seats to move, as :class:`Solver` finds them.

        Raises:
            PonteError: If *values* are not of that shape, or one is not 1, 0 or -1.
        """
        require_type(games, GameBatch, "games")
        found = whole_numbers(values, "values")
        require_shape(found, (games.size,), "values")
        for value in found[np.abs(found) > 1]:
            number_between(int(value), "values", -1, 1)
        stored = np.flatnonzero(_is_stored(games))
        keys, places = np.unique(_keys(games.take(stored)), return_index=True)
        return cls(games.rules, keys, found[stored][places].astype(np.int8))

    @classmethod
    def bundled(cls, rules: Rules) -> Tablebase | None:
        """Return the table that is part of the package for these rules, or ``None``."""
        require_type(rules, Rules, "rules")
        file = FOLDER / f"{rules.board.width}x{rules.board.height}.tablebase"
        if not file.is_file():
            return None
        found = cls._read_file(file, MAX_BYTES)
        return found if found.rules == rules else None

    @classmethod
    def open(cls, path: str | PathLike[str], *, max_bytes: SupportsIndex = MAX_BYTES) -> Tablebase:
        """Read a table from a file.

        A checksum covers the whole file, so a damaged table is refused: none of its values is
        wrong. Opening takes about twice the memory of the positions and values.

        Args:
            path: The file.
            max_bytes: The maximum size of the positions and values, by default 64 MiB. A small
                file can state a large size: raise the limit for files that you trust.

        Raises:
            PonteError: If the file is damaged, not a table of this version, or too large.
            OSError: If the file cannot be read.
        """
        require_path(path, "path")
        max_data_bytes = whole_number(max_bytes, "max_bytes")
        return cls._read_file(Path(path), max_data_bytes)

    @classmethod
    def _read_file(cls, file: Traversable, max_data_bytes: int) -> Tablebase:
        """Read a table of which the positions and values have at most *max_data_bytes* bytes."""
        # One byte more than the limit, to detect a longer file.
        data = read_at_most(file, MAX_HEAD_BYTES + max_data_bytes + 1)
        try:
            return cls(*_read(data, max_data_bytes))
        except (ValueError, lzma.LZMAError) as error:
            if isinstance(error, PonteError) and error.code == "tablebase-too-large":
                raise
            raise PonteError(reason("invalid-tablebase", expected=MAGIC)) from None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a file.

        The file begins with four lines of text: the version, the rules, the number of positions
        with the number of bytes for each, and the SHA-256 checksum, in hexadecimal digits, of the
        other three lines with their line ends and of all that follows the fourth one. Data
        compressed with LZMA (``.xz``) follows: the first bytes of all positions, their second
        bytes and so on, then their values with 1 added, a byte each. A position is
        :meth:`GameState.packed` of its canonical form without owners, padded with zeros. Positions
        are in ascending order.
        """
        require_path(path, "path")
        size = self._keys.itemsize
        columns = self._keys.view(np.uint8).reshape(len(self), size).T
        content = columns.tobytes() + (self._values + 1).astype(np.uint8).tobytes()
        head = _head(self.rules, len(self), size)
        body = lzma.compress(content)
        Path(path).write_bytes(head + _checksum(head, body) + body)

    @overload
    def probe(self, node: Node) -> Solution: ...
    @overload
    def probe(
        self, node: GameBatch
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8], npt.NDArray[np.bool_]]: ...
    def probe(self, node: Node | GameBatch) -> Solution | Probes:
        """Return exact values, and all actions or steps that keep them.

        The value of a state or half turn is ``None`` if the table lacks a position that it depends
        on, as with other rules. Values of half turns and of phases before a colour moves are
        computed from the positions that follow. A batch gives three arrays: int8 of shape (n,), the
        values for the seats to move; uint8 of shape (n, len(space)), 1 for each step that keeps the
        value; and bool of shape (n,), false where the value is 0 because the game is over or the
        table lacks it. Compare them one by one, with ``numpy.array_equal``: tuples of arrays have
        no equality.

        Raises:
            PonteError: If the game of a state is over.
        """
        if isinstance(node, GameBatch):
            return self._probe_games(node)
        require_type(node, (GameState, HalfTurn, GameBatch), "node")
        sign = mover_sign(node)
        actions, after = zip(*following(node), strict=True)
        first = sign * self._first_values(GameBatch.from_states([node, *after]))
        if np.isnan(first[0]):
            return Solution(None, (), 0)
        best = (each for each, value in zip(actions, first[1:], strict=True) if value == first[0])
        return Solution(int(first[0]), tuple(best), 0)

    def _probe_games(self, games: GameBatch) -> Probes:
        sign = _signs(games)
        values = sign * self._first_values(games)
        exact = ~np.isnan(values) & ~games.is_over
        rows, codes, after = _children(games)
        best = np.zeros((games.size, len(games.space)), np.uint8)
        best[rows, codes] = sign[rows] * self._first_values(after) == values[rows]
        return np.where(exact, values, 0).astype(np.int8), best, exact

    def _first_values(self, games: GameBatch) -> Values:
        """Return the values for the first seat."""
        found = games.rewards[:, 0].astype(np.float32)
        stored = np.flatnonzero(_is_stored(games))
        some = games.take(stored)
        found[stored] = _signs(some) * self._look_up(some)
        # The values of half turns, the opening and the choice follow from the next positions.
        others = np.flatnonzero(~_is_stored(games) & ~games.is_over)
        if others.size:
            some = games.take(others)
            rows, _, after = _children(some)
            values = _signs(some)[rows] * self._first_values(after)
            starts = np.flatnonzero(np.diff(rows, prepend=NONE))
            found[others] = _signs(some) * np.maximum.reduceat(values, starts)
        return found

    def _look_up(self, games: GameBatch) -> Values:
        """Return the values for the seats to move."""
        if games.rules != self.rules or not len(self):
            return np.full(games.size, np.nan, np.float32)
        keys = _keys(games)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self) - 1)
        return np.where(self._keys[places] == keys, self._values[places], np.float32(np.nan))


def _is_stored(games: GameBatch) -> npt.NDArray[np.bool_]:
    is_played = np.isin(games.phase, (PLAY, LAST_TURN))
    found: npt.NDArray[np.bool_] = is_played & (games.placed_tile == NONE)
    return found


def _signs(games: GameBatch) -> npt.NDArray[np.int8]:
    """Return 1 where the first seat is to move, else -1."""
    return np.where(games.seat_to_move == 0, 1, -1).astype(np.int8)


def _children(games: GameBatch) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], GameBatch]:
    """Return the row and the code of each legal step, and the games after them."""
    rows, codes = np.nonzero(games.legal_mask())
    return rows, codes, games.take(rows).step(codes)


def _keys(games: GameBatch) -> npt.NDArray[np.bytes_]:
    """Return the keys of states: canonical under symmetry, and without owners."""
    packed = games.canonical().packed()
    packed[:, 0] -= packed[:, 0] % OWNERS
    return packed.view(f"S{packed.shape[1]}").reshape(-1)


def _head(rules: Rules, number: int, size: int) -> bytes:
    """Return the lines of a file before its checksum."""
    return f"{MAGIC}\n{format_rules(rules)}\n{number} {size}\n".encode()


def _checksum(head: bytes, body: bytes) -> bytes:
    """Return the line of a file with the checksum of its other lines and its compressed data."""
    digest = sha256(head)
    digest.update(body)
    return f"{digest.hexdigest()}\n".encode()


class _Content(NamedTuple):
    """The content of a file: the arguments of :class:`Tablebase`."""

    rules: Rules
    keys: npt.NDArray[np.bytes_]
    values: npt.NDArray[np.int8]


def _read(data: bytes, max_data_bytes: int) -> _Content:
    """Read the content of a file.

    Args:
        data: The file.
        max_data_bytes: The maximum size of the positions and values.

    Raises:
        ValueError: If it is damaged or not a table of this version.
        LZMAError: If it cannot be decompressed.
        PonteError: If it is too large.
    """
    magic, rules_text, sizes, checksum, body = data.split(b"\n", 4)
    head = b"%b\n%b\n%b\n" % (magic, rules_text, sizes)
    if magic != MAGIC.encode() or len(head) > MAX_HEAD_BYTES:
        raise ValueError
    number, size = map(int, sizes.split())
    expected = number * (size + 1)
    # The size comes first: a file that is too long has not been read to its end.
    if max(expected, len(body)) > max_data_bytes:
        found = max(expected, len(body))
        raise PonteError(reason("tablebase-too-large", bytes=found, max=max_data_bytes))
    if checksum + b"\n" != _checksum(head, body):
        raise ValueError
    rules = parse_rules(rules_text.decode())
    # Each number has only one valid form: "07" and "1_0" are refused.
    if number < 1 or size < 1 or head != _head(rules, number, size):
        raise ValueError
    content = np.frombuffer(_decompressed(body, expected), np.uint8)
    keys = np.ascontiguousarray(content[: number * size].reshape(size, number).T)
    found_keys = keys.view(f"S{size}").reshape(-1)
    values = content[number * size :].astype(np.int8) - 1
    if values.max() > 1 or not (found_keys[:-1] < found_keys[1:]).all():
        raise ValueError
    return _Content(rules, found_keys, values)


def _decompressed(body: bytes, expected: int) -> bytearray:
    """Return decompressed data; no more than *expected* bytes and one block are ever kept.

    Raises:
        ValueError: If it has another size, or something follows it.
        LZMAError: If it cannot be decompressed.
    """
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=DECODER_BYTES)
    content = bytearray(decoder.decompress(body, BLOCK_BYTES))
    while len(content) <= expected and not decoder.eof and not decoder.needs_input:
        content += decoder.decompress(b"", BLOCK_BYTES)
    if len(content) != expected or not decoder.eof or decoder.unused_data:
        raise ValueError
    return content
