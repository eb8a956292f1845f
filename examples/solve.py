# python examples/solve.py 3x2 3x3 4x3
"""Small boards solved: who wins after each opening, if nobody errs.

Every turn adds two tiles or a bridge, or is a pass, so no position comes twice in a game: all
positions after so many turns are a level. Levels are made one after the other, each position once
and in its canonical form, and then valued from the last level back to the first. Values are those
of white's owner: 1 wins, 0 draws, -1 loses, by the rules with both tie-breaks. It does not matter
which seat that is, so everybody chooses red here, and the choice is judged afterwards.
"""

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

AT_ONCE = 1 << 13  # positions that are expanded together
MOST_AHEAD = 8  # of these, that wait to be compared
MOST_APART = 1 << 21  # positions, some of them equal, that wait to be compared with all others

Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int32]
Signs = npt.NDArray[np.int8]


class Level(NamedTuple):
    """All positions after so many turns, in the order of their keys, and what follows."""

    keys: Keys
    sign: Signs  # whose turn it is: 1 white's, -1 red's
    over: Signs  # the value where the game is over
    counts: Counts  # how many actions each has, 0 where it is over
    after: IO[bytes]  # the keys of what they lead to, one position's after the other's


class Positions(NamedTuple):
    """Positions in their canonical form, and how they are told apart."""

    keys: Keys
    packed: npt.NDArray[np.uint8]
    games: batch.GameBatch


class Solution(NamedTuple):
    """What is known of a board."""

    openings: dict[str, int]  # of every class of equal ones, the value for white's owner
    positions: int  # that were valued, equal ones once
    seconds: float


def positions_of(games: batch.GameBatch) -> Positions:
    """Return what games are, up to symmetry."""
    canonical = games.canonical()
    packed, cells = canonical.packed(), len(games.rules.board)
    # As long as any can be: a bridge has two ends, and two bytes.
    filled = np.zeros((games.size, 1 + 2 * -(-cells // 8) + cells), np.uint8)
    filled[:, : packed.shape[1]] = packed
    return Positions(canonical.hashes(), filled, canonical)


def followers(games: batch.GameBatch) -> tuple[Counts, Positions]:
    """Return how many actions each game has, and what they lead to, all of a game together."""
    space = games.space
    white = space.encode(pdd.ChooseColor(pdd.Color.WHITE))
    mask = games.legal_mask()
    mask[:, white] = 0  # red is chosen: nobody's choice changes who wins for white
    rows, codes = np.nonzero(mask)
    after = games.take(rows).step(codes)
    in_hand = after.first >= 0
    halves, whole = after.take(in_hand), after.take(~in_hand)
    mask = halves.legal_mask()
    mask[np.arange(len(space)) <= halves.first[:, np.newaxis]] = 0  # each pair in one order
    again, codes = np.nonzero(mask)
    found = batch.GameBatch.concat([whole, halves.take(again).step(codes)])
    rows = np.concatenate([rows[~in_hand], rows[in_hand][again]])
    counts = np.bincount(rows, minlength=games.size).astype(np.int32)
    return counts, positions_of(found.take(np.argsort(rows, kind="stable")))


def merged(parts: list[Positions]) -> Positions:
    """Return all positions without repetition, in the order of their keys."""
    keys = np.concatenate([part.keys for part in parts])
    packed = np.concatenate([part.packed for part in parts])
    order = np.argsort(keys)
    keys = keys[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = keys[1:] != keys[:-1]
    # Different positions might have equal keys: that is not likely, and seen to.
    again = np.flatnonzero(~new)
    for begin in range(0, len(again), MOST_APART):
        some = again[begin : begin + MOST_APART]
        if not np.array_equal(packed[order[some]], packed[order[some - 1]]):
            raise RuntimeError("different positions have equal keys")
    first = order[new]
    games = batch.GameBatch.concat([part.games for part in parts]).take(first)
    return Positions(keys[new], packed[first], games)


def expansions(
    games: batch.GameBatch, workers: Executor | None
) -> Iterator[tuple[Counts, Positions]]:
    """Yield what follows the games of a level, some at a time, in their order."""
    parts = (games[begin : begin + AT_ONCE] for begin in range(0, games.size, AT_ONCE))
    if workers is None:
        yield from map(followers, parts)
        return
    ahead: deque[Future[tuple[Counts, Positions]]] = deque()
    for part in parts:
        ahead.append(workers.submit(followers, part))
        if len(ahead) > MOST_AHEAD:
            yield ahead.popleft().result()
    for future in ahead:
        yield future.result()


def expanded(
    here: Positions, after: IO[bytes], workers: Executor | None
) -> tuple[Level, Positions]:
    """Return the level of these positions, which keeps a file, and the positions of the next."""
    games, winner, counts = here.games, here.games.winner, []
    found, apart = [Positions(here.keys[:0], here.packed[:0], games[:0])], 0
    for count, part in expansions(games, workers):
        counts.append(count)
        part.keys.tofile(after)
        found.append(part)
        apart += len(part.keys)
        if apart > max(len(found[0].keys), MOST_APART):
            found, apart = [merged(found)], 0
    level = Level(
        here.keys,
        sign=np.where(games.to_move == pdd.Color.RED.index, -1, 1).astype(np.int8),
        over=np.select([winner == 0, winner == 1], [1, -1], 0).astype(np.int8),
        counts=np.concatenate(counts),
        after=after,
    )
    return level, merged(found)


def values_of(level: Level, keys: Keys, following: Signs) -> Signs:
    """Return the values of a level, given the keys and the values of the next."""
    found = level.over.copy()
    level.after.seek(0)
    for begin in range(0, len(found), AT_ONCE):
        counts = level.counts[begin : begin + AT_ONCE]
        after = np.fromfile(level.after, np.uint64, counts.sum())
        order = np.argsort(after)  # what is looked up in order is found faster
        values = np.empty(len(after), np.int8)
        values[order] = following[np.searchsorted(keys, after[order])]
        moving = np.flatnonzero(counts)
        if moving.size:
            counts, sign = counts[moving], level.sign[begin + moving]
            # Red wants the least, and the greatest of the opposite is that.
            values *= np.repeat(sign, counts)
            found[begin + moving] = sign * np.maximum.reduceat(values, np.cumsum(counts) - counts)
    level.after.close()  # the disk may be nearly full
    return found


def solve(rules: pdd.Rules, processes: int = 1) -> Solution:
    """Return the value of every opening."""
    begin = time.perf_counter()
    start = positions_of(batch.GameBatch.initial(rules))
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool, ExitStack() as files:
        workers = pool if processes > 1 else None
        first, opened = expanded(start, files.enter_context(TemporaryFile()), workers)
        levels, here = [first], opened
        while here.games.size:
            level, here = expanded(here, files.enter_context(TemporaryFile()), workers)
            levels.append(level)
            counts = f"{len(levels):4} {len(level.keys):12,} {level.counts.sum():14,}"
            print(counts, file=sys.stderr)
        keys, values = here.keys, np.zeros(0, np.int8)
        for level in levels[:0:-1]:
            keys, values = level.keys, values_of(level, keys, values)
    white = [each.position.tiles(pdd.Color.WHITE) for each in opened.games]
    names = [",".join(map(str, cells)) or "pass" for cells in white]
    openings = dict(sorted(zip(names, values.tolist(), strict=True)))
    positions = sum(len(level.keys) for level in levels)
    return Solution(openings, positions, time.perf_counter() - begin)


def main(arguments: list[str] | None = None) -> None:
    """Print what is found of these boards, as tables."""
    parser = argparse.ArgumentParser(description="Small boards, solved.")
    parser.add_argument("boards", nargs="*", default=["2x2", "3x2", "3x3"])
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(arguments)
    columns = "openings", "white wins", "draws", "red wins", "no choice", "choice", "positions"
    print("| board |", " | ".join((*columns, "seconds")), "|")
    print("|---|" + "--:|" * 8)
    notes = []
    for name in given.boards:
        board = pdd.Board(*map(int, name.split("x")))
        openings, positions, seconds = solve(pdd.Rules(board), given.processes)
        values = [*openings.values()]
        counts = " | ".join(str(values.count(value)) for value in (1, 0, -1))
        # Whoever chooses takes the better colour.
        first = f"{max(values):+} | {max(-abs(value) for value in values):+}".replace("+0", "0")
        shown = f"{board.width}×{board.height} | {len(values)} | {counts} | {first}"
        print(f"| {shown} | {positions:,} | {seconds:.1f} |", flush=True)
        for value, winner in ((1, "white"), (-1, "red")):
            if value in values:
                which = " ".join(key for key, each in openings.items() if each == value)
                notes.append(f"{board.width}×{board.height}, {winner} wins after: {which}")
    print("", *notes, sep="\n")


if __name__ == "__main__":
    main()
