"""Compiled alpha-beta search to the end of the game, with a transposition table.

A search has a null window: it asks whether the value for white (1, 0 or -1) is at least the *goal*,
which is 0 or 1. White needs one action that keeps the value there, red one that takes it below. The
search is iterative, so it can stop after some nodes, or pause after some actions, and resume later.

Keys are Zobrist keys: two numbers, each the minimum over the symmetries of the board, so that
symmetric positions have equal keys. They do not depend on the owners of the colours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN, Color
from pontedeldiavolo.batch.kernels import cells, steps
from pontedeldiavolo.batch.kernels.batch_ops import GameArray, unpack_row
from pontedeldiavolo.batch.kernels.cells import cell_of
from pontedeldiavolo.batch.kernels.game import (
    BUILDABLE_OF,
    FOURTH_OF,
    ISLANDS_OF,
    LEGAL,
    OPEN_OF,
    RED,
    TILES_OF,
    WHITE,
    game_type,
    new_records,
    rules_table,
)
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline, njit_internal
from pontedeldiavolo.batch.kernels.steps import find_bridges, find_second_tiles, split_by_group_size
from pontedeldiavolo.batch.rows import LAST_TURN, NONE, OVER, Rows
from pontedeldiavolo.batch.symmetries import permutation
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import DIRECTIONS
from pontedeldiavolo.board.symmetry import symmetries_of
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import Node

Int64s = npt.NDArray[np.int64]
Key = tuple[int, int]

NO = np.int64(0)
YES = np.int64(1)
UNKNOWN = np.int64(2)
"""The answers of a search: UNKNOWN if it reached its limit first, or has paused."""
NEXT = 0
END = 1
"""The columns of a frame: the indices of its next action and of the end of its actions."""
RESUME_DEPTH = 0
NODES_SEARCHED = 1
ACTIONS_LEFT = 2
"""The counters: the depth of a stopped search, else -1; the number of nodes searched; and the
number of actions after which a search pauses."""
PAUSE_ACTIONS = 1 << 14
"""A number of actions that takes a few hundredths of a second at most: callers let a search pause
after it, and look at the clock. Nodes would not do: one has from one action to thousands."""
MAX_ACTIONS = 1 << 24
"""The maximum number of actions on the stack, of eight bytes each; unused pages take no memory."""
SPARE_DEPTHS = 4
"""Depths in addition to the turns of a game: set-ups may have odd numbers of tiles, and the last
position needs the keys of its children."""


class Stack(NamedTuple):
    """The memory of a search, except its transposition table."""

    tables: GameArray
    """The record of rules and board."""
    games: GameArray
    """The position at each depth."""
    hashes: Int64s
    """(depths, 16): the two keys of the position at each depth, under eight symmetries."""
    frames: Int64s
    """(depths, 2): see :data:`NEXT`."""
    actions: Int64s
    """The actions of all positions: a rank of 32 bits, the code of a step, and the code of the
    second tile or, if there is none, 16 bits of ones."""
    zobrist: Int64s
    """(pieces, 16): the keys of the codes of steps, followed by keys of red tiles. Three
    codes have another meaning: choosing white is "white to move", the pass is "last turn", and
    choosing red has the key 0."""
    counters: Int64s
    """(3,): see :data:`RESUME_DEPTH`."""


def stack_size(rules: Rules, water: int) -> int:
    """Return an upper bound on the actions on a stack, given the number of water cells."""
    return rules.max_turns * (water * water // 2 + DIRECTIONS * len(rules.board))


def new_stack(rules: Rules) -> Stack:
    """Return the memory of a search."""
    board = rules.board
    depths = rules.max_turns + SPARE_DEPTHS
    return Stack(
        tables=rules_table(rules),
        games=new_records(depths, game_type(board.width, board.height)),
        hashes=np.zeros((depths, 2 * SYMMETRIES), np.int64),
        frames=np.zeros((depths, 2), np.int64),
        actions=np.zeros(min(stack_size(rules, len(board)), MAX_ACTIONS), np.int64),
        zobrist=_zobrist_keys(board),
        counters=np.array([NONE, 0, PAUSE_ACTIONS], np.int64),
    )


def fits_stack(stack: Stack, node: Node) -> bool:
    """Return whether a stack is large enough for every search of a node, or below it."""
    position = node.position
    water = len(node.rules.board) - sum(len(position.tiles(color)) for color in Color)
    return stack_size(node.rules, water) <= len(stack.actions)


# Keys

SYMMETRIES = 8
"""The number of symmetries; boards that are not square have four, each of them twice."""


@lru_cache(maxsize=4)
def _zobrist_keys(board: Board) -> Int64s:
    """Return the keys of pieces. The raw output of PCG64 is the same in every NumPy version."""
    space = StepSpace(board)
    turns = symmetries_of(space.board.width, space.board.height)
    size = len(space) + len(space.board)
    lanes = []
    keys = np.random.PCG64(1).random_raw(2 * size).view(np.int64).reshape(size, 2)
    keys[space.encode(ChooseColor(Color.RED))] = 0
    for lane in range(SYMMETRIES):
        to = permutation(space, turns[lane % len(turns)])
        lanes.append(keys[np.concatenate([to, len(space) + to[: len(space.board)]])])
    return np.ascontiguousarray(np.stack(lanes, axis=2).reshape(size, 2 * SYMMETRIES))


@njit_inline
def add_key(hashes: Int64s, source: int, target: int, zobrist: Int64s, piece: int) -> None:
    """Set the keys of one row to the keys of another, with a piece added or removed."""
    for lane in range(2 * SYMMETRIES):
        hashes[target, lane] = hashes[source, lane] ^ zobrist[piece, lane]


@njit_inline
def key_of(hashes: Int64s, row: int) -> Key:
    """Return the key of a row."""
    one = hashes[row, 0]
    two = hashes[row, SYMMETRIES]
    for lane in range(1, SYMMETRIES):
        one = min(one, hashes[row, lane])
        two = min(two, hashes[row, SYMMETRIES + lane])
    return one, two


@njit_inline
def piece_of(table: np.record, color: int, cell: int) -> int:
    """Return the number of a tile among the pieces with keys."""
    return cell if color == WHITE else steps.step_count(table) + cell


@njit_internal
def hash_root(table: np.record, stack: Stack) -> Key:
    """Set the keys of the first position; return its key."""
    game = stack.games[0]
    hashes = stack.hashes
    zobrist = stack.zobrist
    for lane in range(2 * SYMMETRIES):
        hashes[0, lane] = 0
    if game.phase == LAST_TURN:
        add_key(hashes, 0, 0, zobrist, steps.code_of_choice(table, steps.PASS))
    elif game.to_move == WHITE:
        add_key(hashes, 0, 0, zobrist, steps.code_of_choice(table, WHITE))
    for color in range(2):
        place = cells.next_cell(game, TILES_OF + color, 0)
        while place != NONE:
            add_key(hashes, 0, 0, zobrist, piece_of(table, color, cell_of(table, game, place)))
            direction = np.int64(game.links[place]) - 1
            if 0 <= direction < DIRECTIONS:
                add_key(hashes, 0, 0, zobrist, steps.code_of_bridge(table, place, direction))
            place = cells.next_cell(game, TILES_OF + color, place + 1)
    return key_of(hashes, 0)


@njit_inline
def hash_child(table: np.record, stack: Stack, depth: int, action: int) -> Key:
    """Set the keys of the position after an action, unless it ends the game; return its key."""
    hashes = stack.hashes
    zobrist = stack.zobrist
    color = stack.games[depth].to_move
    first = action >> CODE_BITS & CODE_MASK
    second = action & CODE_MASK
    is_pair = second < table.cells
    turn = steps.code_of_choice(table, WHITE)
    one = piece_of(table, color, first) if is_pair else first
    two = piece_of(table, color, second) if is_pair else steps.code_of_choice(table, RED)
    for lane in range(2 * SYMMETRIES):
        key = hashes[depth, lane] ^ zobrist[turn, lane]
        hashes[depth + 1, lane] = key ^ zobrist[one, lane] ^ zobrist[two, lane]
    return key_of(hashes, depth + 1)


# The table consists of buckets of four positions, each of two numbers. The first is the first
# number of the position's key. The second is the other number of the key, except that its four
# lowest bits hold both bounds of the value, each with 1 added. In a bucket, the latest positions
# come first.

SLOTS = 4
BUCKET_SHIFT = np.int64(12)
BOUND_BITS = np.int64(4)
UPPER_SHIFT = np.int64(2)
BOUND_MASK = np.int64(3)
LOWEST = np.int64(0)
HIGHEST = np.int64(2)
"""The bounds of an unknown value, -1 and 1, with 1 added."""


@njit_inline
def lower_of(entry: int) -> int:
    """Return the lower bound in the second number of a position, with 1 added."""
    return entry & BOUND_MASK


@njit_inline
def upper_of(entry: int) -> int:
    """Return the upper bound in the second number of a position, with 1 added."""
    return entry >> UPPER_SHIFT & BOUND_MASK


@njit_inline
def with_bounds(number: int, lower: int, upper: int) -> int:
    """Return the second number of a key with bounds, each with 1 added, in its lowest bits."""
    return number >> BOUND_BITS << BOUND_BITS | upper << UPPER_SHIFT | lower


@njit_inline
def find_slot(bucket: Int64s, key: Key) -> int:
    """Return the slot of a position in its bucket, or -1."""
    for slot in range(SLOTS):
        if bucket[slot, 0] == key[0] and (bucket[slot, 1] ^ key[1]) >> BOUND_BITS == 0:
            return slot
    return NONE


@njit_inline
def probe(entries: Int64s, key: Key, goal: int) -> int:
    """Return the answer in the table for a position, or UNKNOWN if there is none."""
    bucket = entries[(key[1] >> BUCKET_SHIFT) & (len(entries) - 1)]
    slot = find_slot(bucket, key)
    if slot != NONE:
        if lower_of(bucket[slot, 1]) > goal:
            return YES
        if upper_of(bucket[slot, 1]) <= goal:
            return NO
    return UNKNOWN


@njit_internal
def store(entries: Int64s, key: Key, goal: int, answer: int) -> None:
    """Store an answer; a full bucket forgets its oldest position."""
    bucket = entries[(key[1] >> BUCKET_SHIFT) & (len(entries) - 1)]
    slot = find_slot(bucket, key)
    lower = lower_of(bucket[slot, 1]) if slot != NONE else LOWEST
    upper = upper_of(bucket[slot, 1]) if slot != NONE else HIGHEST
    for other in range(slot if slot != NONE else SLOTS - 1, 0, -1):
        bucket[other, 0] = bucket[other - 1, 0]
        bucket[other, 1] = bucket[other - 1, 1]
    if answer == YES:
        lower = np.int64(goal + 1)
    else:
        upper = np.int64(goal)
    bucket[0, 0] = key[0]
    bucket[0, 1] = with_bounds(key[1], lower, upper)


# Bounds and ranks

ISLAND_AREA = 9
"""The minimum area of an island: its tiles with the cells to their east, north and northeast.

Two islands of a colour are at least two columns or rows apart, so their areas do not overlap.
"""


@njit_internal
def area_for_islands(table: np.record, game: np.record, color: int) -> int:
    """Return an upper bound on the total area of all further islands of a colour.

    Each needs four connected cells that are open or have tiles of sandbanks.
    """
    if table.width < cells.columns(game) and table.height < cells.lanes(game):
        tiles = cells.load(game, TILES_OF + color, 0) & ~cells.load(game, ISLANDS_OF + color, 0)
        area = split_by_group_size(tiles | cells.load(game, OPEN_OF + color, 0))[3]
        area |= cells.shift(area, 1, 0)
        area |= cells.shift(area, 0, 1)
        return cells.count(area)
    tiles = cells.count_on_board(game, TILES_OF + color)
    tiles -= cells.count_on_board(game, ISLANDS_OF + color)
    return (tiles + cells.count_on_board(game, OPEN_OF + color)) * ISLAND_AREA // 4


@njit_inline
def points_bound(game: np.record, color: int, area: int) -> int:
    """Return an upper bound on the points of a colour, given the area for further islands."""
    islands = steps.islands_of(game, color) + area // ISLAND_AREA
    return islands * (islands + 1) // 2


@njit_internal
def mobility(game: np.record, color: int) -> int:
    """Return the number of open cells; one that completes a group of four counts nine times."""
    found = cells.count_on_board(game, OPEN_OF + color)
    for row in range(0, cells.rows(game), cells.lanes(game)):
        open_cells = cells.load(game, OPEN_OF + color, row)
        found += 8 * cells.count(open_cells & cells.load(game, FOURTH_OF + color, row))
    return found


@njit_inline
def value_bounds(
    game: np.record, white: int, red: int, white_area: int, red_area: int
) -> tuple[int, int]:
    """Return bounds on white's value in a game that goes on.

    Points are never lost, so a game is decided if a colour cannot catch up with the other.

    Args:
        game: The game.
        white: The points of white.
        red: The points of red.
        white_area: The area for further islands of white.
        red_area: The area for further islands of red.
    """
    lower = 1 if points_bound(game, RED, red_area) < white else -1
    upper = -1 if points_bound(game, WHITE, white_area) < red else 1
    return lower, upper


@njit_internal
def answer_or_rank(table: np.record, game: np.record, goal: int) -> tuple[int, int]:
    """Return the answer for a game that is over or decided, else UNKNOWN, and a rank for white."""
    white = steps.points(table, game, WHITE)
    red = steps.points(table, game, RED)
    if game.phase == OVER:
        winning_color = steps.winner(table, game, white, red)
        value = np.int64(winning_color == WHITE) - np.int64(winning_color == RED)
        return (YES if value >= goal else NO), 0
    white_area = area_for_islands(table, game, WHITE)
    red_area = area_for_islands(table, game, RED)
    lower, upper = value_bounds(game, white, red, white_area, red_area)
    if lower >= goal:
        return YES, 0
    if upper < goal:
        return NO, 0
    rank = 4 * (white_area - red_area) + mobility(game, WHITE) - mobility(game, RED)
    return UNKNOWN, (white - red << 12) + rank


# The search

RANK_BITS = np.int64(32)
CODE_BITS = np.int64(16)
CODE_MASK = np.int64((1 << 16) - 1)


@njit_inline
def answer_for(color: int) -> int:
    """Return the answer that is a success for a colour."""
    return YES if color == WHITE else NO


@njit_internal
def play(table: np.record, stack: Stack, depth: int, action: int) -> None:
    """Put the position after an action on the stack."""
    stack.games[depth + 1] = stack.games[depth]
    play_action(table, stack.games[depth + 1], action)


@njit_inline
def play_action(table: np.record, game: np.record, action: int) -> None:
    """Play an action, written as on the stack: one step, or two for a pair of tiles."""
    steps.step(table, game, action >> CODE_BITS & CODE_MASK)
    if action & CODE_MASK < table.cells:
        steps.step(table, game, action & CODE_MASK)


@njit_internal
def list_actions(table: np.record, stack: Stack, depth: int, begin: int) -> int:
    """Put all actions of a position on the stack, and return the new end of the stack."""
    game = stack.games[depth]
    actions = stack.actions
    color = stack.games[depth].to_move
    end = begin
    if game.tiles_left[color] >= TILES_PER_TURN:
        a = cells.next_cell(game, OPEN_OF + color, 0)
        while a != NONE:
            find_second_tiles(game, color, a)
            b = cells.next_cell(game, LEGAL, a + 1)
            while b != NONE:
                actions[end] = cell_of(table, game, a) << CODE_BITS | cell_of(table, game, b)
                end += 1
                b = cells.next_cell(game, LEGAL, b + 1)
            a = cells.next_cell(game, OPEN_OF + color, a + 1)
    if end == begin:
        actions[end] = steps.code_of_choice(table, steps.PASS) << CODE_BITS | CODE_MASK
        end += 1
    if game.bridges_left > 0 and find_bridges(table, game, color) > 0:
        for direction in range(DIRECTIONS):
            place = cells.next_cell(game, BUILDABLE_OF + direction, 0)
            while place != NONE:
                code = steps.code_of_bridge(table, place, direction)
                actions[end] = code << CODE_BITS | CODE_MASK
                end += 1
                place = cells.next_cell(game, BUILDABLE_OF + direction, place + 1)
    return end


@njit_internal
def expand(table: np.record, stack: Stack, entries: Int64s, depth: int, goal: int) -> int:
    """Rank the actions of a position, unless one of them is known to give the wanted answer."""
    actions = stack.actions
    frame = stack.frames[depth]
    color = stack.games[depth].to_move
    begin = stack.frames[depth - 1, END] if depth > 0 else 0
    stack.counters[NODES_SEARCHED] += 1
    # Every action of the last turn ends the game, and positions at the end have no keys.
    end = begin
    has_keys = stack.games[depth].phase != LAST_TURN
    listed_end = list_actions(table, stack, depth, begin)
    stack.counters[ACTIONS_LEFT] -= listed_end - begin
    for index in range(begin, listed_end):
        key = hash_child(table, stack, depth, actions[index])
        answer = probe(entries, key, goal) if has_keys else UNKNOWN
        if answer == answer_for(color):
            return answer
        if answer == UNKNOWN:
            actions[end] = actions[index]
            end += 1
    frame[NEXT] = begin
    frame[END] = begin
    for index in range(begin, end):
        play(table, stack, depth, actions[index])
        answer, rank = answer_or_rank(table, stack.games[depth + 1], goal)
        if answer == answer_for(color):
            return answer
        if answer == UNKNOWN:
            actions[frame[END]] = rank * (2 * color - 1) << RANK_BITS | actions[index]
            frame[END] += 1
    return UNKNOWN


@njit_inline
def next_action(actions: Int64s, frame: Int64s) -> int:
    """Take the best action, which has the lowest rank."""
    first = frame[NEXT]
    best = first
    frame[NEXT] += 1
    for index in range(first + 1, frame[END]):
        if actions[index] < actions[best]:
            best = index
    found = actions[best]
    actions[best] = actions[first]
    return found


@njit_inline
def visit(
    table: np.record, stack: Stack, entries: Int64s, depth: int, goal: int
) -> tuple[int, bool, int]:
    """Go on to the next child of a position; if no action is left, the position itself is lost.

    Return the answer for the position, whether it comes from the table, and its depth.
    """
    frame = stack.frames[depth]
    if frame[NEXT] == frame[END]:
        return answer_for(1 - stack.games[depth].to_move), False, depth
    action = next_action(stack.actions, frame)
    answer = probe(entries, hash_child(table, stack, depth, action), goal)
    if answer != UNKNOWN:
        return answer, True, depth + 1
    play(table, stack, depth, action)
    return expand(table, stack, entries, depth + 1, goal), False, depth + 1


@njit_internal
def search(table: np.record, stack: Stack, entries: Int64s, goal: int, limit: int) -> int:
    """Search the first position on the stack, until the number of nodes reaches the limit.

    Return the answer, or UNKNOWN at the limit or after the actions that are left: the next call
    with the same goal resumes the search, and pauses do not change its result. Each call searches
    at least one node if the limit allows it, and actions are left.
    A tree search may call this with another position, after it has set the depth to -1.
    """
    counters = stack.counters
    is_stored = False
    depth = int(counters[RESUME_DEPTH])
    answer = int(UNKNOWN)
    if depth == NONE and counters[NODES_SEARCHED] < limit:
        depth = 0
        answer = probe(entries, hash_root(table, stack), goal)
        is_stored = answer != UNKNOWN
        if not is_stored:
            answer = expand(table, stack, entries, depth, goal)
    while True:
        if answer == UNKNOWN:
            if counters[NODES_SEARCHED] >= limit or counters[ACTIONS_LEFT] <= 0:
                counters[RESUME_DEPTH] = depth
                return UNKNOWN
            answer, is_stored, depth = visit(table, stack, entries, depth, goal)
        if answer == UNKNOWN:
            continue
        if not is_stored:
            store(entries, key_of(stack.hashes, depth), goal, answer)
        if depth == 0:
            counters[RESUME_DEPTH] = NONE
            return answer
        depth = depth - 1
        is_stored = False
        if answer != answer_for(stack.games[depth].to_move):
            answer = int(UNKNOWN)


@njit_cached
def prove(stack: Stack, entries: Int64s, rows: Rows, row: int, goal: int, limit: int) -> int:
    """Begin or resume the search of a row in which a colour moves; it may pause: see search."""
    if stack.counters[RESUME_DEPTH] == NONE:
        unpack_row(stack.tables[0], stack.games[0], rows, row)
    return search(stack.tables[0], stack, entries, goal, limit)
