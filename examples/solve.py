# python examples/solve.py 3x2 3x3 4x3
"""Small boards solved: who wins after each opening, if nobody errs.

Every turn adds two tiles or a bridge, or is a pass, so no position comes twice in a game: all
positions after so many turns are a level. Levels are made one after the other, each position once
and in its canonical form, and then valued from the last level back to the first. Values are those
of white's owner: 1 wins, 0 draws, -1 loses, by the rules with both tie-breaks. It does not matter
which seat that is, so everybody chooses red here, and the choice is judged afterwards.
"""

import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

AT_ONCE = 1 << 13  # positions that are expanded together
MOST_APART = 1 << 21  # positions, some of them equal, that wait to be compared with all others

Numbers = npt.NDArray[np.int32]


class Level(NamedTuple):
    """All positions after so many turns, and where actions lead from them."""

    games: batch.GameBatch
    before: Numbers  # for each action, its position in this level
    after: Numbers  # and the one it leads to in the next


class Solution(NamedTuple):
    """What is known of a board."""

    openings: dict[str, int]  # of every class of equal ones, the value for white's owner
    positions: int  # that were valued, equal ones once
    seconds: float  # of one processor


def followers(games: batch.GameBatch) -> Iterator[tuple[Numbers, batch.GameBatch]]:
    """Yield what all actions lead to, with the row that each comes from."""
    space = games.space
    white = space.encode(pdd.ChooseColor(pdd.Color.WHITE))
    mask = games.legal_mask()
    mask[:, white] = 0  # red is chosen: nobody's choice changes who wins for white
    rows, codes = (each.astype(np.int32) for each in np.nonzero(mask))
    after = games.take(rows).step(codes)
    in_hand = after.first >= 0
    yield rows[~in_hand], after.take(~in_hand)
    halves, rows = after.take(in_hand), rows[in_hand]
    mask = halves.legal_mask()
    mask[np.arange(len(space)) <= halves.first[:, np.newaxis]] = 0  # each pair in one order
    again, codes = (each.astype(np.int32) for each in np.nonzero(mask))
    yield rows[again], halves.take(again).step(codes)


def distinct(games: batch.GameBatch) -> tuple[batch.GameBatch, Numbers]:
    """Return the games without repetition, and where each has gone."""
    packed = games.packed()
    keys = packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return games.take(first), place.astype(np.int32)


def expanded(games: batch.GameBatch) -> tuple[Level, batch.GameBatch]:
    """Return a level of these games, and the games of the next."""
    before, after = [], []
    found, parts, count = games[:0], [games[:0]], 0
    for begin in range(0, games.size, AT_ONCE):
        for rows, some in followers(games[begin : begin + AT_ONCE]):
            canonical, place = distinct(some.canonical())
            before.append(rows + np.int32(begin))
            after.append(place + np.int32(found.size + count))
            parts.append(canonical)
            count += canonical.size
        if count > max(found.size, MOST_APART) or begin + AT_ONCE >= games.size:
            found, place = distinct(batch.GameBatch.concat([found, *parts]))
            after, parts, count = [place[np.concatenate(after)]], [], 0
    return Level(games, np.concatenate(before), after[0]), found


def values_of(level: Level, following: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return the values of a level, given those of the next."""
    # Red wants the least, and the greatest of the opposite is that.
    sign = np.where(level.games.to_move == pdd.Color.RED.index, -1, 1).astype(np.int8)
    best = np.full(level.games.size, -2, np.int8)
    np.maximum.at(best, level.before, sign[level.before] * following[level.after])
    winner = level.games.winner
    over = np.select([winner == 0, winner == 1], [1, -1], 0)
    return np.where(level.games.is_over, over, sign * best).astype(np.int8)


def solve(rules: pdd.Rules) -> Solution:
    """Return the value of every opening."""
    begin = time.process_time()
    levels, games = [], batch.GameBatch.initial(rules)
    while games.size:
        level, games = expanded(games)
        levels.append(level)
        print(f"{len(levels):4} {level.games.size:12,} {len(level.after):14,}", file=sys.stderr)
    values = np.zeros(0, np.int8)
    for level in levels[:1:-1]:
        values = values_of(level, values)
    choices = levels[1]
    names = [
        ",".join(map(str, game.position.tiles(pdd.Color.WHITE))) or "pass" for game in choices.games
    ]
    found = values_of(choices, values).tolist()
    openings = dict(sorted(zip(names, found, strict=True)))
    positions = sum(level.games.size for level in levels)
    return Solution(openings, positions, time.process_time() - begin)


def main(boards: list[str]) -> None:
    """Print what is found of these boards, as tables."""
    columns = "openings", "white wins", "draws", "red wins", "no choice", "choice", "positions"
    print("| board |", " | ".join((*columns, "seconds")), "|")
    print("|---|" + "--:|" * 8)
    notes = []
    for name in boards:
        board = pdd.Board(*map(int, name.split("x")))
        openings, positions, seconds = solve(pdd.Rules(board))
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
    main(sys.argv[1:] or ["2x2", "3x2", "3x3"])
