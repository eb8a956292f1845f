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
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import pairwise
from tempfile import TemporaryFile
from typing import IO, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

AT_ONCE = 1 << 13  # positions that are expanded together
MOST_AHEAD = 8  # of these, that wait to be compared
MOST_APART = 1 << 21  # positions, some of them equal, that wait to be compared with all others
PART_BITS = 5  # how many bits of a key say with which part of a level a position is compared

T = TypeVar("T", bound=np.generic)
Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int32]
Signs = npt.NDArray[np.int8]


class Positions(NamedTuple):
    """Positions in their canonical form, and how they are told apart."""

    keys: Keys
    packed: npt.NDArray[np.uint8]
    games: batch.GameBatch


class Facts(NamedTuple):
    """Facts about positions that are needed until their successors are valued."""

    sign: Signs  # whose turn it is: 1 white's, -1 red's
    over: Signs  # the value where the game is over
    counts: Counts  # how many actions each has, 0 where it is over


# Of some positions: facts, and what they lead to, in their order and sorted, in parts.
Expansion = tuple[Facts, Keys, list[Positions]]


class Level(NamedTuple):
    """All positions after so many turns, in the order of their keys."""

    keys: Keys
    facts: Facts
    after: Keys  # of what they lead to, one position's after the other's


class Solution(NamedTuple):
    """The results of a board."""

    openings: dict[str, int]  # of every class of equal ones, the value for white's owner
    positions: int  # that were valued, equal ones once
    seconds: float


def mapped(file: IO[bytes], kind: type[T]) -> npt.NDArray[T]:
    """Return what is in a file, which may be closed: the array is read when it is needed."""
    return np.memmap(file, kind, "r") if file.tell() else np.zeros(0, kind)


def kept(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return an array on the disk."""
    with TemporaryFile() as file:
        array.tofile(file)
        return mapped(file, array.dtype.type)


def positions_of(games: batch.GameBatch) -> Positions:
    """Return what games are, up to symmetry."""
    canonical = games.canonical()
    packed, cells = canonical.packed(), len(games.rules.board)
    # As long as any can be: a bridge has two ends, and two bytes.
    filled = np.zeros((games.size, 1 + 2 * -(-cells // 8) + cells), np.uint8)
    filled[:, : packed.shape[1]] = packed
    return Positions(canonical.hashes(), filled, canonical)


def parts_of(positions: Positions) -> list[Positions]:
    """Return positions in the order of their keys, those together that begin alike."""
    order = np.argsort(positions.keys)
    keys, packed, games = positions
    keys, packed, games = keys[order], packed[order], games.take(order)
    starts = np.arange(1 << PART_BITS, dtype=np.uint64) << np.uint64(64 - PART_BITS)
    ends = [*np.searchsorted(keys, starts), len(keys)]
    return [
        Positions(keys[begin:end], packed[begin:end], games[begin:end])
        for begin, end in pairwise(ends)
    ]


def expansion(games: batch.GameBatch) -> Expansion:
    """Return facts of games, and what they lead to: in their order, and sorted."""
    space = games.space
    white = space.encode(pdd.ChooseColor(pdd.Color.WHITE))
    mask = games.legal_mask()
    mask[:, white] = 0  # red is chosen: nobody's choice changes who wins for white
    rows, codes = np.nonzero(mask.view(np.bool_))
    after = games.take(rows).step(codes)
    in_hand = after.first >= 0
    halves, whole = after.take(in_hand), after.take(~in_hand)
    mask = halves.legal_mask()
    mask[np.arange(len(space)) <= halves.first[:, np.newaxis]] = 0  # each pair in one order
    again, codes = np.nonzero(mask.view(np.bool_))
    found = positions_of(batch.GameBatch.concat([whole, halves.take(again).step(codes)]))
    rows = np.concatenate([rows[~in_hand], rows[in_hand][again]])
    winner = games.winner
    facts = Facts(
        sign=np.where(games.to_move == pdd.Color.RED.index, -1, 1).astype(np.int8),
        over=np.select([winner == 0, winner == 1], [1, -1], 0).astype(np.int8),
        counts=np.bincount(rows, minlength=games.size).astype(np.int32),
    )
    return facts, found.keys[np.argsort(rows, kind="stable")], parts_of(found)


def expansions(games: batch.GameBatch, workers: Executor) -> Iterator[Expansion]:
    """Yield what follows the games of a level, some at a time, in their order."""
    ahead: deque[Future[Expansion]] = deque()
    for begin in range(0, games.size, AT_ONCE):
        ahead.append(workers.submit(expansion, games[begin : begin + AT_ONCE]))
        if len(ahead) > MOST_AHEAD:
            yield ahead.popleft().result()
    while ahead:
        yield ahead.popleft().result()


def merge(parts: list[Positions]) -> None:
    """Leave one of these parts: all positions without repetition, in the order of their keys."""
    keys = np.concatenate([part.keys for part in parts])
    packed = np.concatenate([part.packed for part in parts])
    order = np.argsort(keys)
    keys = keys[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = keys[1:] != keys[:-1]
    # Different positions might have equal keys: that is not likely, and seen to.
    again = np.flatnonzero(~new)
    if not np.array_equal(packed[order[again]], packed[order[again - 1]]):
        raise RuntimeError("different positions have equal keys")
    first = order[new]
    games = batch.GameBatch.concat([part.games for part in parts]).take(first)
    parts[:] = [Positions(keys[new], packed[first], games)]


def merged(level: list[list[Positions]], workers: Executor) -> int:
    """Merge each part of a level, and return how many positions it has."""
    deque(workers.map(merge, level), maxlen=0)
    return sum(len(part.keys) for [part] in level)


def expanded(
    keys: Keys, games: batch.GameBatch, workers: Executor
) -> tuple[Level, Keys, batch.GameBatch]:
    """Return the level of these positions, and the positions of the next."""
    level: list[list[Positions]] = [[] for _ in range(1 << PART_BITS)]
    facts: list[Facts] = []
    known = apart = 0
    with TemporaryFile() as file:
        for some, after, parts in expansions(games, workers):
            facts.append(some)
            after.tofile(file)
            for found, part in zip(level, parts, strict=True):
                found.append(part)
            apart += len(after)
            if apart > max(known // 2, MOST_APART):
                known, apart = merged(level, workers), 0
        merged(level, workers)
        of_all = Facts(*(kept(np.concatenate(each)) for each in zip(*facts, strict=True)))
        here = Level(kept(keys), of_all, mapped(file, np.uint64))
    following = np.concatenate([part.keys for [part] in level])
    return here, following, batch.GameBatch.concat([part.games for [part] in level])


def values_of(level: Level, keys: Keys, following: Signs, workers: Executor) -> Signs:
    """Return the values of a level, given the keys and the values of the next."""
    facts = level.facts
    ends = np.concatenate([[0], np.cumsum(facts.counts, dtype=np.int64)])

    def value(begin: int) -> Signs:
        some = slice(begin, begin + AT_ONCE)
        found, counts = facts.over[some].copy(), facts.counts[some]
        after = level.after[ends[begin] : ends[begin + len(counts)]]
        order = np.argsort(after)  # what is looked up in order is found faster
        values = np.empty(len(after), np.int8)
        values[order] = following[np.searchsorted(keys, after[order])]
        moving = np.flatnonzero(counts)
        if moving.size:
            counts, sign = counts[moving], facts.sign[begin + moving]
            # Red wants the least, and the greatest of the opposite is that.
            values *= np.repeat(sign, counts)
            found[moving] = sign * np.maximum.reduceat(values, np.cumsum(counts) - counts)
        return found

    return np.concatenate([*workers.map(value, range(0, len(level.keys), AT_ONCE))])


def solve(rules: pdd.Rules, threads: int = 1) -> Solution:
    """Return the value of every opening."""
    begin = time.perf_counter()
    start = positions_of(batch.GameBatch.initial(rules))
    with ThreadPoolExecutor(threads) as workers:
        first, keys, opened = expanded(start.keys, start.games, workers)
        levels, games = [first], opened
        while games.size:
            level, keys, games = expanded(keys, games, workers)
            levels.append(level)
            counts = f"{len(levels):4} {len(level.keys):12,} {len(level.after):14,}"
            print(counts, file=sys.stderr)
        positions = sum(len(level.keys) for level in levels)
        values = np.zeros(0, np.int8)
        while len(levels) > 1:
            level = levels.pop()
            keys, values = level.keys, values_of(level, keys, values, workers)
    white = [each.position.tiles(pdd.Color.WHITE) for each in opened]
    names = [",".join(map(str, cells)) or "pass" for cells in white]
    openings = dict(sorted(zip(names, values.tolist(), strict=True)))
    return Solution(openings, positions, time.perf_counter() - begin)


def main(arguments: list[str] | None = None) -> None:
    """Print what is found of these boards, as tables."""
    parser = argparse.ArgumentParser(description="Small boards, solved.")
    parser.add_argument("boards", nargs="*", default=["2x2", "3x2", "3x3"])
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    columns = "openings", "white wins", "draws", "red wins", "no choice", "choice", "positions"
    print("| board |", " | ".join((*columns, "seconds")), "|")
    print("|---|" + "--:|" * 8)
    notes = []
    for name in given.boards:
        board = pdd.Board(*map(int, name.split("x")))
        openings, positions, seconds = solve(pdd.Rules(board), given.threads)
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
