"""Many games played in place, for training loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal, NoReturn, SupportsIndex, TypeAlias, TypeVar, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.errors import PonteError, require_type
from pontedeldiavolo.base.exclusive import Calls, exclusive
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace

from . import arguments, worker_pool
from .arguments import MAX_GAMES, RowError, random_seed, row_numbers, thread_count
from .feature_planes import PLANES
from .game_batch import GameBatch
from .kernels import pool_ops
from .kernels.encoding import WORD_BITS, WORD_BYTES
from .kernels.game import aligned, game_type, new_records, rules_table
from .kernels.pool_ops import PoolOutputs, PoolState
from .rows import NONE, empty_rows
from .worker_pool import WorkerPool, map_chunks

T = TypeVar("T", bound=np.generic)
Array: TypeAlias = npt.NDArray[np.uint8]
Planes: TypeAlias = bool | Literal["packed"]
"""The planes that a pool writes: none, as bytes, or as bits."""
PACKED: Final = "packed"
LEAST_BYTES: Final = 16
"""The minimum size of a packed plane, two words of 64 bits; larger boards need more words."""


@final
class GamePool:
    """Many games with the same rules, played in place: for training loops.

    A :class:`GameBatch` is a value, and every step makes another. A pool changes its games in
    place: one call of :meth:`step` plays a step in every game, scores and resets those that are
    over, and writes masks and feature planes. It is many times faster. *n* is :attr:`size`.

    Its arrays are made once, and every step updates them: copy the arrays that you keep. Each
    property returns a read-only view of one, and only :attr:`final_planes` is new. Numbers mean the
    same as in :class:`GameBatch`. A pool cannot be copied or pickled: :attr:`games` can.

    Only one thread at a time may use a pool. A call, or the reading of an array, while another
    thread's call is in progress raises a :class:`PonteError` and changes nothing. A view that a
    thread got earlier is memory of the pool: its content changes while another thread steps.
    Different pools may be used in different threads.

    >>> pool = pdd.batch.GamePool(size=8, seed=1, planes=True)
    >>> for _ in range(300):
    ...     pool.step(pool.sample_steps())
    ...
    >>> pool.legal_mask.shape, pool.planes.shape
    ((8, 679), (8, 27, 10, 10))
    >>> bool(pool.legal_mask.any(axis=1).all())
    True

    Args:
        rules: The rules of all games, by default a 10×10 board with unlimited supply.
        size: The number of games, from 0 to 2**31.
        seed: Any whole number from 0 up, for :meth:`sample_steps`. The same seed and version give
            the same samples, with any number of threads.
        threads: The maximum number of threads; there are never more than processors.
        autoreset: Whether a game that is over begins again in the same step.
        planes: Whether to write planes: ``True`` for bytes, ``"packed"`` for bits, which takes
            less memory and time.

    Raises:
        PonteError: If a number is out of range.
    """

    __module__ = "pontedeldiavolo.batch"
    __slots__ = ("__weakref__", "_calls", "_rules", "_space", "_state", "_threads", "_workers")

    def __init__(
        self,
        rules: Rules | None = None,
        size: SupportsIndex = 1,
        *,
        seed: SupportsIndex = 0,
        threads: SupportsIndex = 1,
        autoreset: bool = True,
        planes: Planes = False,
    ) -> None:
        self._calls = Calls()
        rules = Rules() if rules is None else rules
        self._rules = rules
        require_type(rules, Rules, "rules")
        require_type(autoreset, bool, "autoreset")
        require_type(planes, (bool, str), "planes")
        if isinstance(planes, str) and planes != PACKED:
            raise PonteError(f"planes must be true, false or packed, not {planes[:40]!a}")
        size = arguments.number_between(size, "size", 0, MAX_GAMES)
        self._threads = thread_count(threads)
        number = random_seed(seed)
        board = rules.board
        self._space = StepSpace(rules.board)
        self._state = PoolState(
            rules_table(rules),
            new_records(size, game_type(board.width, board.height)),
            _new_outputs(self._space, size, planes),
            requests=np.zeros(size, np.int64),
            sampled=np.zeros(size, np.int32),
            autoreset=autoreset,
            packed=planes == PACKED,
        )
        self._workers = WorkerPool(self._threads, size)
        pool_ops.seed_games(self._state, number)
        self._show(np.arange(size), pool_ops.RESET)

    @classmethod
    def from_games(
        cls,
        games: GameBatch,
        *,
        seed: SupportsIndex = 0,
        threads: SupportsIndex = 1,
        autoreset: bool = True,
        planes: Planes = False,
    ) -> GamePool:
        """Return a pool whose games continue from the games of a batch.

        Games that are over stay so until :meth:`reset`.

        Args:
            games: The games.
            seed: As for the class.
            threads: As for the class.
            autoreset: As for the class.
            planes: As for the class.

        Raises:
            PonteError: If a number is out of range.
        """
        require_type(games, GameBatch, "games")
        pool = cls(
            games.rules, games.size, seed=seed, threads=threads, autoreset=autoreset, planes=planes
        )
        pool_ops.unpack_games(pool._state, games._rows)
        pool._show(np.arange(games.size), pool_ops.RESHOW)
        return pool

    def __reduce__(self) -> NoReturn:
        raise TypeError("a pool cannot be copied or pickled; its games can")

    def __repr__(self) -> str:
        board = self._rules.board
        return f"<GamePool of {self.size} on {board.width}×{board.height}>"

    def __len__(self) -> int:
        return self.size

    # Arrays

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self._rules

    @property
    def space(self) -> StepSpace:
        """The numbering of the steps in :meth:`step` and :attr:`legal_mask`."""
        return self._space

    @property
    def size(self) -> int:
        """The number of games."""
        return len(self._state.games)

    @property
    @exclusive
    def legal_mask(self) -> npt.NDArray[np.uint8]:
        """Shape (n, len(space)), uint8: 1 where a step is legal, else 0."""
        return _shown(self._state.outputs.legal_mask)

    @property
    @exclusive
    def planes(self) -> npt.NDArray[np.uint8]:
        """Shape (n, len(PLANES), height, width), uint8: planes from the side of the mover.

        Packed planes have shape (n, len(PLANES), k), with a bit for each cell: *k* is 16 for boards
        of up to 128 cells, and 8 more for each further 64. This line unpacks them::

            numpy.unpackbits(packed, axis=-1, count=len(board), bitorder="little").reshape(shape)

        Numbers of pieces left, which are 0 where the supply is unlimited, are not in bits but in
        the first byte of their plane: ``packed[:, -3:, 0]``.

        Raises:
            PonteError: If the pool was made without planes.
        """
        return self._planes_or_error(self._state.outputs.planes)

    @property
    @exclusive
    def seat_to_move(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8: the seat to act, -1 where the game is over."""
        return _shown(self._state.outputs.seat_to_move)

    @property
    @exclusive
    def is_over(self) -> npt.NDArray[np.bool_]:
        """Shape (n,), bool: whether the last step ended the game."""
        return _shown(self._state.outputs.is_over)

    @property
    @exclusive
    def rewards(self) -> npt.NDArray[np.int8]:
        """Shape (n, 2), int8: where :attr:`is_over`, for each seat 1 for a win, -1 for a loss."""
        return _shown(self._state.outputs.rewards)

    @property
    @exclusive
    def points(self) -> npt.NDArray[np.int32]:
        """Shape (n, 2), int32: where :attr:`is_over`, white's and red's points; else 0."""
        return _shown(self._state.outputs.points)

    @property
    @exclusive
    def turns(self) -> npt.NDArray[np.int32]:
        """Shape (n,), int32: where :attr:`is_over`, :attr:`GameState.turn` at the end; else 0."""
        return _shown(self._state.outputs.turns)

    @property
    @exclusive
    def final_planes(self) -> npt.NDArray[np.uint8]:
        """The final boards of the *m* games that the last step ended, from white's side.

        Like :attr:`planes`, but of shape (m, ...), in a new array: its rows belong to the games
        ``numpy.flatnonzero(pool.is_over)``.

        Raises:
            PonteError: If the pool was made without planes.
        """
        outputs = self._state.outputs
        found = self._planes_or_error(outputs.final_planes)
        return found[outputs.final_index[outputs.is_over]]

    @property
    @exclusive
    def games(self) -> GameBatch:
        """The games as they are now: a value, which later steps do not change."""
        return self._current_games()

    def _current_games(self) -> GameBatch:
        rows = empty_rows(self._rules, self.size)
        pool_ops.pack_games(self._state, rows)
        return GameBatch._make(self._rules, rows)

    def _planes_or_error(self, planes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if len(planes) < self.size:
            raise PonteError("this pool was made without planes: use GamePool(..., planes=True)")
        if not self._state.packed:
            board = self._rules.board
            planes = planes.reshape(self.size, len(PLANES), board.height, board.width)
        return _shown(planes)

    # Operations

    @exclusive
    def sample_steps(self, weights: npt.ArrayLike | None = None) -> npt.NDArray[np.int32]:
        """Sample a legal step for every game.

        Args:
            weights: As for :meth:`GameBatch.sample_steps`.

        Returns:
            Codes for :meth:`step`, of shape (n,), int32, in a new array; -1 where the game is over.

        Raises:
            PonteError: If the weights have another shape.
            RowError: If the weight of a game's legal step is negative or not a number, or the sum
                of these weights is 0 or infinite; the error names the first such row.
        """
        if weights is None:
            self._workers.run(self._state, pool_ops.SAMPLE)
            return self._state.sampled.copy()
        shape = (self.size, len(self._space))
        given = arguments.real_numbers(weights, shape, np.float64, "weights")
        codes = np.empty(self.size, np.int32)
        before = self._state.games["random"].copy()

        def draw(begin: int, end: int) -> int:
            return pool_ops.sample_weighted_games(self._state, given, codes, begin, end)

        refused = map_chunks(draw, self.size, self._threads, min_rows=worker_pool.ROWS_PER_THREAD)
        try:
            arguments.require_weights(refused)
        except RowError:
            self._state.games["random"] = before
            raise
        return codes

    @exclusive
    def step(self, codes: npt.ArrayLike) -> None:
        """Play a step in every game, and update all arrays.

        Args:
            codes: Shape (n,), whole numbers: codes of :attr:`space`, ignored for games that are
                over.

        Raises:
            PonteError: If they are not of that shape.
            RowError: If a code is out of range; the error names the first such row.
            IllegalActionError: If a step is illegal; the error names the first such row. After any
                error, the pool is unchanged.
        """
        wanted = arguments.codes_for(codes, self.size, "codes")
        self._state.requests[:] = wanted
        row = self._workers.run(self._state, pool_ops.CHECK_AND_STEP)
        if row != NONE:
            self._current_games()._refuse(wanted, row)

    @exclusive
    def reset(self, rows: npt.ArrayLike) -> None:
        """Begin some games again, and update their arrays.

        Args:
            rows: Shape (m,): whole numbers, negative ones from the end; or (n,) of bool.

        Raises:
            PonteError: If they are not of that shape, or a row does not exist.
        """
        self._show(row_numbers(rows, self.size), pool_ops.RESET)

    def _show(self, rows: npt.NDArray[np.intp], how: int) -> None:
        """Update the arrays of some games, which may begin again."""
        self._state.requests[:] = pool_ops.KEEP
        self._state.requests[rows] = how
        self._workers.run(self._state, pool_ops.SHOW)

    @contextmanager
    def _new_arrays(self, make: Callable[[Array], Array]) -> Iterator[None]:
        """Write masks and planes to new arrays; after an error, to the old ones again.

        For a step, uninitialised arrays suffice if no game was over before it; they are faster
        than copies.
        """
        before = self._state.outputs
        self._state.games["outputs_are_current"] = 0
        self._write_to(
            before._replace(legal_mask=make(before.legal_mask), planes=make(before.planes))
        )
        try:
            yield
        except (PonteError, TypeError):
            self._write_to(before)
            raise

    def _write_to(self, outputs: PoolOutputs) -> None:
        """Write masks and planes to other arrays from now on."""
        # Workers know only the arrays that they started with.
        self._workers.stop()
        self._state = self._state._replace(outputs=outputs)


def _shown(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return a read-only view: steps rely on the old contents, and write only what changes."""
    view = array[:]
    view.flags.writeable = False
    return view


def _new_outputs(space: StepSpace, size: int, planes: Planes) -> PoolOutputs:
    """Return the output arrays of a pool."""
    cells = len(space.board)
    length = max(LEAST_BYTES, -(-cells // WORD_BITS) * WORD_BYTES) if planes == PACKED else cells
    shape = (size if planes else 0, len(PLANES), length)
    return PoolOutputs(
        legal_mask=aligned((size, len(space)), np.uint8),
        planes=aligned(shape, np.uint8),
        seat_to_move=aligned((size,), np.int8),
        is_over=aligned((size,), np.bool_),
        rewards=aligned((size, 2), np.int8),
        points=aligned((size, 2), np.int32),
        turns=aligned((size,), np.int32),
        # A step writes to as many of these rows as games end. The system provides no memory for
        # the pages of a new array until they are written to.
        final_planes=aligned(shape, np.uint8),
        final_index=aligned((size,), np.int32),
    )
