"""Many games as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import SupportsIndex, final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.batch.kernels.desk import COLOR_CHOICE, OPENING, OVER, new_desk
from pontedeldiavolo.batch.kernels.runs import (
    NONE,
    Rows,
    mask_rows,
    play_out_rows,
    score_rows,
    step_rows,
)
from pontedeldiavolo.batch.kernels.scoring import POINTS
from pontedeldiavolo.batch.kernels.tables import tables
from pontedeldiavolo.batch.planes import planes
from pontedeldiavolo.batch.playouts import Playouts
from pontedeldiavolo.batch.rows import closed, empty_rows, picked, rows_of, state_of, supply
from pontedeldiavolo.batch.whole_numbers import as_array, whole_numbers
from pontedeldiavolo.batch.winners import winners
from pontedeldiavolo.checks import require_iterable, require_type, whole_number
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn
from pontedeldiavolo.vocabulary import Seat

_PARTS_PER_THREAD = 4
_MOST_GAMES = 1 << 31


@final
@frozen(init=False, eq=False, repr=False)
class GameBatch(Sealed):
    """Many games with the same rules, step by step, in the numbering of :class:`StepSpace`.

    Immutable: every step gives a new batch. A row is a :class:`GameState` or a
    :class:`HalfTurn`. Whole numbers stand for colours (0 white, 1 red), seats (0 first, 1
    second) and, where there is none, -1. *n* is :attr:`size`. Arrays that a batch gives away
    are the caller's own, unless they are said to be read-only.

    Attributes:
        rules: The rules of all games.
        space: The numbering of steps: what :meth:`step` takes and :meth:`legal_mask` is about.
    """

    rules: Rules
    space: StepSpace
    _rows: Rows

    def __init__(self) -> None:
        raise TypeError("a batch is made by GameBatch.initial() or GameBatch.from_states()")

    @classmethod
    def _make(cls, rules: Rules, rows: Rows) -> GameBatch:
        batch = object.__new__(cls)
        object.__setattr__(batch, "rules", rules)
        object.__setattr__(batch, "space", StepSpace(rules.board))
        object.__setattr__(batch, "_rows", closed(rows))
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
            TypeError: If *rules* is not a :class:`Rules` value or *size* no whole number.
            PonteError: If *size* is negative or above 2**31.
        """
        rules = Rules() if rules is None else rules
        require_type(rules, Rules, "rules")
        number = whole_number(size, "size")
        if not 0 <= number <= _MOST_GAMES:
            raise PonteError(f"size must be from 0 to {_MOST_GAMES}, not {number}")
        return cls._make(rules, empty_rows(rules, number))

    @classmethod
    def from_states(cls, states: Iterable[GameState | HalfTurn]) -> GameBatch:
        """Return games that go on from *states*, all with the same rules.

        Raises:
            TypeError: If something is neither a :class:`GameState` nor a :class:`HalfTurn`.
            PonteError: If there are none, or their rules differ.
        """
        require_iterable(states, "states")
        items = list(states)
        for place, item in enumerate(items):
            require_type(item, (GameState, HalfTurn), f"state {place}")
        if not items:
            raise PonteError("a batch without states has no rules: use GameBatch.initial(rules, 0)")
        rules = items[0].rules
        for place, item in enumerate(items):
            if item.rules != rules:
                raise PonteError(f"state {place} has other rules than state 0")
        return cls._make(rules, rows_of(rules, items))

    def take(self, rows: npt.ArrayLike) -> GameBatch:
        """Return the games of some rows, in that order; a row may come more than once.

        Args:
            rows: Shape (m,): whole numbers, negative ones from the end; or (n,) of bool.

        Raises:
            TypeError: If they are neither whole numbers nor bool.
            PonteError: If they are not of that shape, or a row does not exist.
        """
        wanted = as_array(rows, "rows")
        if wanted.dtype == np.bool_:
            if wanted.shape != (self.size,):
                raise PonteError(f"marks must have shape ({self.size},), not {wanted.shape}")
            wanted = np.flatnonzero(wanted)
        wanted = whole_numbers(wanted, "rows")
        if wanted.ndim != 1:
            raise PonteError(f"rows must have one dimension, not {wanted.ndim}")
        outside = wanted[(wanted < -self.size) | (wanted >= self.size)]
        if outside.size:
            raise PonteError(f"there is no row {outside[0]} in a batch of {self.size}")
        return GameBatch._make(self.rules, picked(self._rows, wanted))

    # What there is

    @property
    def size(self) -> int:
        """How many games there are."""
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
    def to_move(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8, read-only: the colour to move, -1 in the choice and at the end."""
        return self._rows.to_move

    @property
    def seat_to_move(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8: the seat to act, -1 at the end."""
        rows = self._rows
        seats = np.where(rows.to_move == 1, 1 - rows.white_owner, rows.white_owner)
        seats[rows.phase == OPENING] = Seat.FIRST.index
        seats[rows.phase == COLOR_CHOICE] = Seat.SECOND.index
        seats[self.is_over] = NONE
        return seats

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """Shape (n, 2, 3), int32: of white and red, points, islands and bridges, at any time."""
        found = np.zeros((self.size, 2, 3), np.int32)
        score_rows(self._tables, new_desk(), self._rows, supply(self.rules), found)
        return found

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """Shape (n, 2), int32: white's and red's points, at any time."""
        return self.scores[:, :, POINTS]

    @property
    def winner(self) -> npt.NDArray[np.int8]:
        """Shape (n,), int8: the colour that has won, -1 if it is a draw or not over."""
        return np.where(self.is_over, winners(self.rules, self.scores), NONE).astype(np.int8)

    def states(self) -> tuple[GameState | HalfTurn, ...]:
        """Return all rows as values."""
        return tuple(state_of(self.rules, self._rows, row) for row in range(self.size))

    def planes(self) -> npt.NDArray[np.uint8]:
        """Return what a network sees.

        Shape (n, len(PLANES), height, width), uint8, 0 or 1: see :data:`PLANES`. What the
        supply still has follows from the tiles and bridges in sight.
        """
        return planes(self.rules, self._rows)

    # What may be done

    def legal_mask(self) -> npt.NDArray[np.uint8]:
        """Return the legal steps of every row.

        Shape (n, len(space)), uint8: 1 where the step with that code is legal, else 0, as
        :meth:`StepSpace.mask` gives it. A game that is over has none.
        """
        masks = np.zeros((self.size, len(self.space)), np.uint8)
        mask_rows(self._tables, new_desk(), self._rows, supply(self.rules), masks)
        return masks

    def step(self, steps: npt.ArrayLike) -> GameBatch:
        """Return the games after one step in each.

        Args:
            steps: Shape (n,), whole numbers: codes of :attr:`space`. What is given for games
                that are over does not matter, and they stay as they are.

        Raises:
            TypeError: If they are not whole numbers.
            PonteError: If they are not of that shape, or a code is out of range.
            IllegalActionError: If a step is illegal, with every rule that it breaks; the
                message names the first such row.
        """
        codes = whole_numbers(steps, "steps")
        if codes.shape != (self.size,):
            raise PonteError(f"steps must have shape ({self.size},), not {codes.shape}")
        over = self.is_over
        wrong = np.flatnonzero(~over & ((codes < 0) | (codes >= len(self.space))))
        if wrong.size:
            row = int(wrong[0])
            raise PonteError(f"row {row}: code {codes[row]} is outside 0 to {len(self.space) - 1}")
        after = Rows._make(each.copy() for each in self._rows)
        row = step_rows(
            self._tables,
            new_desk(),
            self._rows,
            supply(self.rules),
            np.where(over, 0, codes).astype(np.int64),
            after,
        )
        if row != NONE:
            faults = state_of(self.rules, self._rows, row).violations(self.space.decode(codes[row]))
            raise IllegalActionError(faults, row)
        return GameBatch._make(self.rules, after)

    def playout(self, seed: SupportsIndex, threads: SupportsIndex = 1) -> Playouts:
        """Play every game to its end at random.

        In each turn every legal action is drawn with exactly the same probability: whole
        actions, not steps. Without the interpreter's lock.

        Args:
            seed: Any whole number from 0 up. The same batch, seed and version give the same
                games, with any number of threads.
            threads: Over how many threads to share the games, at most; there are never more than
                processors.

        Raises:
            TypeError: If seed or threads are not whole numbers.
            PonteError: If *seed* is negative or *threads* not positive.
        """
        number, workers = whole_number(seed, "seed"), whole_number(threads, "threads")
        if number < 0:
            raise PonteError(f"seed must not be negative: {number}")
        if workers < 1:
            raise PonteError(f"threads must be positive: {workers}")
        # The raw numbers of a bit generator stay the same from one version of NumPy to the next.
        seeds = np.asarray(np.random.PCG64(number).random_raw(self.size), np.uint64)
        turns = np.zeros(self.size, np.int32)
        scores = np.zeros((self.size, 2, 3), np.int32)

        def play(part: slice) -> None:
            rows, stock, results = picked(self._rows, part), supply(self.rules), scores[part]
            # Random numbers run over: on purpose, and compiled code does not mind.
            with np.errstate(over="ignore"):
                play_out_rows(
                    self._tables, new_desk(), rows, stock, seeds[part], turns[part], results
                )

        _share(play, self.size, workers)
        return Playouts(turns, scores[:, :, POINTS], winners(self.rules, scores))

    @property
    def _tables(self) -> np.record:
        return tables(self.rules.board.width, self.rules.board.height)


def _share(work: Callable[[slice], None], size: int, threads: int) -> None:
    """Do *work* on parts of *size* rows, on some threads."""
    # More threads than processors make nothing faster.
    workers = min(threads, size, os.cpu_count() or 1)
    if workers <= 1:
        work(slice(0, size))
        return
    # Several parts for each: a thread that is held up leaves the rest to the others.
    parts = min(size, _PARTS_PER_THREAD * workers)
    bounds = [size * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, [slice(*pair) for pair in pairwise(bounds)]))
