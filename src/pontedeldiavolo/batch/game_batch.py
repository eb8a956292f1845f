"""Many games as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, SupportsIndex, TypeVar, final, overload

import numpy as np
import numpy.typing as npt
from attrs import frozen
from numpy.typing import ArrayLike

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import PonteError, items_of, require_type, whole_number
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

from . import arguments, worker_pool
from .arguments import MAX_GAMES, random_seed, row_numbers, thread_count
from .feature_planes import PLANES, R, plane_type
from .kernels import batch_ops, row_keys
from .kernels.game import POINTS
from .results import Playouts, rewards_of
from .rows import NONE, OVER, Rows, empty_rows, read_only, rows_of, seats_to_act, state_of
from .symmetries import pair_codes, symmetry_numbers
from .worker_pool import map_chunks

T = TypeVar("T")
V = TypeVar("V", GameState | HalfTurn, "GameBatch")

_ROWS_PACKED_AT_ONCE = 1024


@final
@frozen(init=False, eq=False, repr=False)
class GameBatch(ImmutableValue):
    """Many games with the same rules, step by step, in the numbering of :class:`StepSpace`.

    Immutable: every step returns a new batch. A row is a :class:`GameState` or :class:`HalfTurn`:
    ``games[0]`` is the first of them, and ``games[:9]`` a batch of nine. Whole numbers stand for
    colours (0 white, 1 red) and seats (0 first, 1 second); -1 is none. *n* is :attr:`size`. Arrays
    that a batch returns belong to the caller, except those documented as read-only.

    Attributes:
        rules: The rules of all games.

    >>> games = pdd.batch.GameBatch.initial(size=1000)
    >>> games = games.step(games.sample_steps(seed=7))
    >>> games
    <GameBatch of 1000 on 10×10>
    >>> games.legal_mask().shape
    (1000, 679)
    >>> games.playout(seed=7).rewards.shape
    (1000, 2)
    """

    rules: Rules
    _rows: Rows

    def __init__(self) -> None:
        raise TypeError("a batch is made by GameBatch.initial() or GameBatch.from_states()")

    @classmethod
    def _make(cls, rules: Rules, rows: Rows) -> GameBatch:
        batch = object.__new__(cls)
        object.__setattr__(batch, "rules", rules)
        object.__setattr__(batch, "_rows", read_only(rows))
        return batch

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return GameBatch._make, (self.rules, self._rows)

    def __repr__(self) -> str:
        board = self.rules.board
        return f"<GameBatch of {self.size} on {board.width}×{board.height}>"

    def __len__(self) -> int:
        return self.size

    @classmethod
    def initial(cls, rules: Rules | None = None, size: SupportsIndex = 1) -> GameBatch:
        """Return *size* games at their start.

        Raises:
            PonteError: If *size* is negative or above 2**31.
        """
        rules = Rules() if rules is None else rules
        require_type(rules, Rules, "rules")
        games = arguments.number_between(size, "size", 0, MAX_GAMES)
        return cls._make(rules, empty_rows(rules, games))

    @classmethod
    def from_states(cls, states: Iterable[GameState | HalfTurn]) -> GameBatch:
        """Return the games that continue from *states*, all with the same rules.

        Raises:
            PonteError: If there are none, or their rules differ.
        """
        nodes, rules = _with_common_rules(states, (GameState, HalfTurn), "states")
        return cls._make(rules, rows_of(rules, nodes))

    @classmethod
    def concat(cls, batches: Iterable[GameBatch]) -> GameBatch:
        """Return the games of all *batches*, one batch after the other.

        Raises:
            PonteError: If there are none, or their rules differ.
        """
        items, rules = _with_common_rules(batches, GameBatch, "batches")
        columns = zip(*(item._rows for item in items), strict=True)
        return cls._make(rules, Rows._make(map(np.concatenate, columns)))

    def take(self, rows: npt.ArrayLike) -> GameBatch:
        """Return the games of some rows, in that order; a row may be repeated.

        Args:
            rows: Shape (m,): whole numbers, negative ones from the end; or (n,) of bool.

        Raises:
            PonteError: If they are not of that shape, or a row does not exist.
        """
        wanted = row_numbers(rows, self.size)
        return GameBatch._make(self.rules, Rows._make(each[wanted] for each in self._rows))

    def replace(self, rows: npt.ArrayLike, other: GameBatch) -> GameBatch:
        """Return a batch in which the games of *other*, in order, replace some rows.

        Args:
            rows: As in :meth:`take`, each at most once.
            other: As many games with the same rules.

        Raises:
            PonteError: If a row does not exist or is repeated, or shapes or rules do not match.
        """
        wanted = row_numbers(rows, self.size)
        require_type(other, GameBatch, "other")
        if other.rules != self.rules:
            raise PonteError("other has other rules than the batch")
        if other.size != wanted.size:
            expected = f"{wanted.size} games for the rows"
            raise PonteError(f"other must have {expected}, not {other.size}")
        twice = np.flatnonzero(np.bincount(wanted) > 1)
        if twice.size:
            raise PonteError(f"row {twice[0]} comes more than once")
        return self._with(wanted, other._rows)

    def reset(self, rows: npt.ArrayLike) -> GameBatch:
        """Return a batch in which the games of some rows begin again.

        Args:
            rows: As in :meth:`take`; ``games.reset(games.is_over)`` resets finished games.

        Raises:
            PonteError: If they are not of that shape, or a row does not exist.
        """
        wanted = row_numbers(rows, self.size)
        return self._with(wanted, empty_rows(self.rules, wanted.size))

    def _with(self, which: npt.NDArray[np.intp], rows: Rows) -> GameBatch:
        found = Rows._make(each.copy() for each in self._rows)
        for place in range(len(found)):
            found[place][which] = rows[place]
        return GameBatch._make(self.rules, found)

    def repeat(self, k: SupportsIndex) -> GameBatch:
        """Return *k* copies of every game: first the copies of row 0, then of row 1, and so on.

        Raises:
            PonteError: If *k* is negative, or there would be more than 2**31 games.
        """
        number = arguments.number_between(k, "k", 0, MAX_GAMES // max(self.size, 1))
        copies = Rows._make(each.repeat(number, axis=0) for each in self._rows)
        return GameBatch._make(self.rules, copies)

    @overload
    def __getitem__(self, index: SupportsIndex) -> GameState | HalfTurn: ...
    @overload
    def __getitem__(self, index: slice) -> GameBatch: ...
    def __getitem__(self, index: SupportsIndex | slice) -> GameState | HalfTurn | GameBatch:
        if isinstance(index, slice):
            # Compiled code takes only contiguous arrays.
            rows = Rows._make(each[index].copy() for each in self._rows)
            return GameBatch._make(self.rules, rows)
        row = whole_number(index, "index")
        if not -self.size <= row < self.size:
            raise IndexError(f"there is no row {row} in a batch of {self.size}")
        return state_of(self.rules, self._rows, row)

    def __iter__(self) -> Iterator[GameState | HalfTurn]:
        return (state_of(self.rules, self._rows, row) for row in range(self.size))

    def transform(self, symmetries: Symmetry | npt.ArrayLike) -> GameBatch:
        """Return the games with their boards rotated or reflected.

        Args:
            symmetries: One symmetry for all games; or an array of shape (n,), for each game an
                index into :attr:`Board.symmetries`.

        Raises:
            PonteError: If a symmetry belongs to another board, or numbers are not of that shape or
                out of range.
        """
        board = self.rules.board
        numbers = symmetry_numbers(board, symmetries, self.size)
        return GameBatch._make(self.rules, row_keys.transformed_rows(board, self._rows, numbers))

    def canonical(self) -> GameBatch:
        """Return the canonical form of every game: the same for games equal under a symmetry.

        Each row equals :meth:`GameState.canonical` or :meth:`HalfTurn.canonical` of the row.
        """
        return self.transform(row_keys.canonical_symmetries(self.rules.board, self._rows))

    def packed(self) -> npt.NDArray[np.uint8]:
        """Return every game in a few bytes.

        Shape (n, k), uint8: for each row the bytes of :meth:`GameState.packed` or
        :meth:`HalfTurn.packed`, padded with zeros to the length of the longest. ``unpack`` accepts
        ``row.tobytes()`` with the padding.
        """
        return row_keys.packed_rows(self.rules.board, self._rows)

    def hashes(self) -> npt.NDArray[np.uint64]:
        """Return a 64-bit hash of every game: a key for tables, on disk as well.

        Shape (n,), uint64: equal for equal games with equal rules, regardless of the batch, the
        process and the version. Collisions are random: expect about 0.03 colliding pairs among a
        billion games. The hash folds the rules text and the :meth:`packed` bytes (trailing zeros
        dropped) as little-endian 64-bit words: ``h = splitmix64(h ^ word)``, starting at 0.
        """
        return row_keys.hashes_of(self.rules, self._rows)

    @property
    def keys(self) -> npt.NDArray[np.uint64]:
        """Shape (n,), uint64: Zobrist keys, for tables in this process.

        Equal for equal games with equal rules, and faster than :meth:`hashes`. Another version may
        compute other keys: store hashes instead.
        """
        return row_keys.keys_of(self.rules, self._rows)

    @property
    def space(self) -> StepSpace:
        """The numbering of the steps in :meth:`step` and :meth:`legal_mask`."""
        return StepSpace(self.rules.board)

    @property
    def size(self) -> int:
        """The number of games."""
        return len(self._rows.phase)

    @property
    def tiles(self) -> npt.NDArray[np.int8]:
        """Shape (n, height, width), int8, read-only: 0 water, 1 a white tile, 2 a red one."""
        return self._rows.tiles.reshape(self.size, self.rules.board.height, self.rules.board.width)

    @property
    def is_over(self) -> npt.NDArray[np.bool_]:
        """Shape (n,), bool: whether the game is over."""
        over: npt.NDArray[np.bool_] = self._rows.phase == OVER
        return over

    @property
    def phase(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8, read-only: the index of the phase in :class:`Phase`."""
        return self._rows.phase[:]

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8, read-only: the colour to move, -1 in the choice and at the end."""
        return self._rows.to_move[:]

    @property
    def placed_tile(self) -> npt.NDArray[np.int16]:
        """Shape (n,), int16, read-only: the cell of the first tile of a half turn, else -1."""
        return self._rows.placed_tile[:]

    @property
    def white_owner(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8, read-only: the seat that owns white, -1 before the choice."""
        return self._rows.white_owner[:]

    @property
    def seat_to_move(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8: the seat to act, -1 at the end."""
        return seats_to_act(self._rows)

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """Shape (n, 2, 3), int32: points, islands and bridges of white and red, at any time."""
        return self._ends().scores

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """Shape (n, 2), int32: white's and red's points, at any time."""
        return self.scores[:, :, POINTS]

    @property
    def winner(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8: the colour that has won, -1 if it is a draw or not over."""
        return self._ends().winner

    def _ends(self) -> batch_ops.Results:
        found = batch_ops.new_results(self.size)
        self._share(batch_ops.score_rows, 1, found)
        return found

    @property
    def winning_seat(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8: the seat that has won, -1 if it is a draw or not over."""
        return self._ends().winning_seat

    @property
    def rewards(self) -> npt.NDArray[np.int8]:
        """Shape (n, 2), int8: for the first and second seat 1 for a win, -1 for a loss, else 0."""
        return rewards_of(self.winning_seat)

    def states(self) -> tuple[GameState | HalfTurn, ...]:
        """Return all rows as values."""
        return tuple(self)

    @overload
    def planes(
        self,
        color: Color | ArrayLike | None = None,
        dtype: type[np.uint8] = ...,
        *,
        out: npt.NDArray[np.uint8] | None = None,
        threads: SupportsIndex = 1,
    ) -> npt.NDArray[np.uint8]: ...
    @overload
    def planes(
        self,
        color: Color | ArrayLike | None = None,
        *,
        dtype: type[R] | np.dtype[R],
        out: npt.NDArray[R] | None = None,
        threads: SupportsIndex = 1,
    ) -> npt.NDArray[R]: ...
    def planes(
        self,
        color: Color | ArrayLike | None = None,
        dtype: type[np.generic] | np.dtype[np.generic] = np.uint8,
        *,
        out: npt.NDArray[np.generic] | None = None,
        threads: SupportsIndex = 1,
    ) -> npt.NDArray[np.generic]:
        """Return the feature planes of all games.

        Shape (n, len(PLANES), height, width): see :data:`PLANES`.

        Args:
            color: The colour from whose side the board is seen: one for all games; or, of shape
                (n,), 0 (white) or 1 (red) for each; by default the colour to move, or white where
                there is none.
            dtype: The type of the numbers, one that holds 0 to 255.
            out: The array to write to and to return, of that shape and type.
            threads: As in :meth:`playout`.

        Raises:
            PonteError: If colours are not of that shape, or one is neither 0 nor 1; if *out* is of
                another shape or type or not contiguous, or *threads* is not positive.
        """
        own = arguments.observers(color, self._rows)
        kind = plane_type(dtype)
        workers = thread_count(threads)
        board = self.rules.board
        found = arguments.output(out, (self.size, len(PLANES), board.height, board.width), kind)
        if kind == np.uint8:
            self._share(batch_ops.observe_rows, workers, own, found)
        else:
            # Compiled code writes bytes.
            np.copyto(found, self.planes(own, threads=workers))
        return found

    def legal_mask(
        self,
        out: npt.NDArray[np.uint8] | None = None,
        packed: bool = False,  # noqa: FBT001, FBT002  # an agreed signature, by place or name
        threads: SupportsIndex = 1,
    ) -> npt.NDArray[np.uint8]:
        """Return the legal steps of every row.

        Args:
            out: The array to write to and to return, of the shape below, uint8.
            packed: Whether to write a bit for each code instead of a byte.
            threads: As in :meth:`playout`.

        Returns:
            An array of shape (n, len(space)), uint8, with 1 for each legal step, else 0, as in
            :meth:`StepSpace.legal_mask`; ``.view(bool)`` turns it into a NumPy mask. Packed, the
            shape is (n, (len(space) + 7) // 8), and ``numpy.unpackbits(packed, axis=1,
            count=len(space), bitorder="little")`` unpacks it. A game that is over has no legal
            step.

        Raises:
            PonteError: If *out* is of another shape or type or not contiguous, or *threads* is not
                positive.
        """
        require_type(packed, bool, "packed")
        workers = thread_count(threads)
        codes = len(self.space)
        width = (codes + 7) // 8 if packed else codes
        found = arguments.output(out, (self.size, width), np.dtype(np.uint8))
        if not packed:
            self._share(batch_ops.mask_rows, workers, found)
            return found
        number = _ROWS_PACKED_AT_ONCE * workers
        for begin in range(0, self.size, number):
            some = self[begin : begin + number].legal_mask(threads=workers)
            found[begin : begin + number] = np.packbits(some, axis=1, bitorder="little")
        return found

    def sample_steps(
        self, seed: SupportsIndex, weights: ArrayLike | None = None, threads: SupportsIndex = 1
    ) -> npt.NDArray[np.int32]:
        """Sample a legal step for every game.

        Args:
            seed: As in :meth:`playout`.
            weights: Shape (n, len(space)): the relative probabilities of the steps, with any sum.
                Weights of illegal steps are ignored. By default all legal steps have exactly the
                same probability.
            threads: As in :meth:`playout`.

        Returns:
            Codes for :meth:`step`, of shape (n,), int32; -1 where the game is over.

        Raises:
            PonteError: If *seed* is negative, *threads* not positive or *weights* of another shape.
            RowError: If the weight of a game's legal step is negative or not a number, or the sum
                of these weights is 0 or infinite; the error names the first such row.
        """
        number = random_seed(seed)
        workers = thread_count(threads)
        # Compiled code takes an array without rows to mean that there are no weights.
        given = np.empty((0, 0))
        shape = (self.size, len(self.space))
        if weights is not None:
            given = arguments.real_numbers(weights, shape, np.float64, "weights")
        codes = np.empty(self.size, np.int32)
        arguments.require_weights(self._share(batch_ops.sample_rows, workers, number, given, codes))
        return codes

    def step(self, codes: npt.ArrayLike, threads: SupportsIndex = 1) -> GameBatch:
        """Return the games after one step in each.

        Args:
            codes: Shape (n,), whole numbers: codes of :attr:`space`. Codes for games that
                are over are ignored, and these games stay as they are.
            threads: As in :meth:`playout`.

        Raises:
            PonteError: If they are not of that shape, or *threads* is not positive.
            RowError: If a code is out of range; the error names the first such row.
            IllegalActionError: If a step is illegal, with every rule that it breaks; the error
                names the first such row.
        """
        workers = thread_count(threads)
        wanted = arguments.codes_for(codes, self.size, "codes")
        after = Rows._make([each.copy() for each in self._rows])
        refused = arguments.first_row(self._share(batch_ops.step_rows, workers, wanted, after))
        if refused != NONE:
            self._refuse(wanted, refused)
        return GameBatch._make(self.rules, after)

    def _refuse(self, codes: npt.NDArray[np.int64], row: int) -> NoReturn:
        """Refuse the step of the first row that has an illegal one, or a code out of range."""
        # Codes of games that are over are ignored.
        used = np.where(self.is_over, 0, codes)
        arguments.require_codes(used, len(self.space))
        step = self.space.decode(codes[row])
        raise IllegalActionError(self[row].violations(step), row)

    def children(
        self, row: SupportsIndex = 0, *, actions: bool = False
    ) -> tuple[npt.NDArray[np.int32], GameBatch]:
        """Return every legal step of a game, and the game after each.

        >>> codes, after = pdd.batch.GameBatch.initial(pdd.Rules(pdd.Board(2, 2))).children()
        >>> codes.tolist(), after
        ([0, 1, 2, 3], <GameBatch of 4 on 2×2>)

        Args:
            row: The number of the game; a negative one counts from the end.
            actions: Whether to return whole actions, with a pair of tiles as one, not steps.

        Returns:
            Codes of :attr:`space` or :class:`ActionSpace`, of shape (m,), int32, in ascending
            order; and a batch of *m* games. Both are empty if the game is over.

        Raises:
            PonteError: If the row does not exist.
        """
        require_type(actions, bool, "actions")
        game = self.take([whole_number(row, "row")])
        origins, codes = np.nonzero(game.legal_mask())
        after = game.take(origins).step(codes)
        if actions:
            codes, after = _whole_actions(game, codes, after)
        return codes.astype(np.int32), after

    def playout(
        self, seed: SupportsIndex, threads: SupportsIndex = 1, *, details: bool = False
    ) -> Playouts:
        """Play every game to its end at random.

        In each turn every legal action is chosen with exactly the same probability: whole actions,
        not steps. The global interpreter lock (GIL) is released.

        Args:
            seed: Any whole number from 0 up. The same batch, seed and version give the same
                games, with any number of threads.
            threads: The maximum number of threads; never more than one for each processor.
            details: Whether to return :attr:`Playouts.tiles` and :attr:`Playouts.first_actions`,
                too. The games are the same.

        Raises:
            PonteError: If *seed* is negative or *threads* not positive.
        """
        number = random_seed(seed)
        workers = thread_count(threads)
        require_type(details, bool, "details")
        found = batch_ops.new_results(self.size, len(self.rules.board) if details else 0)
        run = batch_ops.traced_playout_rows if details else batch_ops.playout_rows
        self._share(run, workers, number, found)
        results = found.turns, found.scores[:, :, POINTS], found.winner, found.winning_seat
        if not details:
            return Playouts(*results)
        return Playouts(*results, found.tiles.reshape(self.tiles.shape), found.first_actions)

    def _share(self, run: Callable[..., T], threads: int, *given: object) -> list[T]:
        """Call a compiled function for all rows, shared among threads; return all results."""

        def work(begin: int, end: int) -> T:
            # Each thread has its own memory for one game.
            return run(batch_ops.batch_of(self.rules, self._rows), *given, begin, end)

        # With few rows, the overhead of a call would take most of the time.
        if threads == 1:
            return [work(0, self.size)]
        playouts = (batch_ops.playout_rows, batch_ops.traced_playout_rows)
        min_rows = 1 if run in playouts else worker_pool.ROWS_PER_THREAD
        return map_chunks(work, self.size, threads, min_rows=min_rows)


def _with_common_rules(
    values: Iterable[V], kinds: type | tuple[type, ...], name: str
) -> tuple[tuple[V, ...], Rules]:
    """Return the values, and the rules that all of them share.

    Raises:
        PonteError: If there are none, or their rules differ.
    """
    items = items_of(values, kinds, name)
    if not items:
        raise PonteError(f"no {name} have no rules: use GameBatch.initial(rules, 0)")
    for place, item in enumerate(items):
        if item.rules != items[0].rules:
            raise PonteError(f"{name}: number {place} has other rules than number 0")
    return items, items[0].rules


def _whole_actions(
    game: GameBatch, codes: npt.NDArray[np.intp], after: GameBatch
) -> tuple[npt.NDArray[np.intp], GameBatch]:
    """Turn the steps of a game into whole actions: return their codes and the games after them."""
    cells = len(game.rules.board)
    offset = cells * (cells - 1) // 2 - cells
    if game.placed_tile[0] != NONE:
        return pair_codes(cells, codes, game.placed_tile.astype(np.intp)), after
    is_tile = codes < cells
    origins, seconds = np.nonzero(after.take(is_tile).legal_mask())
    # Both orders of a pair lead to the same game.
    once = codes[origins] < seconds
    firsts = origins[once]
    seconds = seconds[once]
    found = pair_codes(cells, codes[firsts], seconds), codes[~is_tile] + offset
    games = after.take(firsts).step(seconds), after.take(~is_tile)
    return np.concatenate(found), GameBatch.concat(games)
