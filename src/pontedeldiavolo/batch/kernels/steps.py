"""The rules [S0], in the order of a step: its code, the start, legal steps, playing one, the score.

*Codes.* A step is a number, as in :class:`~pontedeldiavolo.StepSpace`.

*Islands.* Whether a tile may go on a cell that is empty and not blocked depends only on the tiles
of its colour: its group must not grow beyond four, and a group of four must have no other tile
around it. Groups have at most four tiles, so a few shifts give the size of each group, for all
cells at once.

*Legal steps.* Most cells need not be checked one by one. Two tiles exclude each other only if one
of them completes a group of four or more, and the other lies in that group or around it. A *free*
cell is open and has no tile of its colour beside it.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import ISLAND_SIZE, TILES_PER_TURN
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE, OPENING, OVER, PLAY

from .cells import (
    Cells,
    add_cell,
    add_cells,
    band_count,
    band_row,
    column_of,
    columns,
    contains,
    copy_set,
    count,
    count_on_board,
    empty,
    from_window,
    is_any,
    lanes,
    load,
    load_pattern,
    load_window,
    load_word,
    lowest_bit,
    next_cell,
    nth_bit,
    nth_on_board,
    own_rows,
    popcount,
    remove_cell,
    remove_cells,
    row_of,
    rows,
    shift,
    single,
    store,
    store_word,
    to_window,
    window_around,
)
from .game import (
    BENEATH_PATTERN,
    BLOCKED,
    BOARD,
    BRIDGES,
    BUILDABLE_OF,
    CROSSED_OF,
    DIRECTIONS,
    ENDS_OF,
    ENDS_PATTERN,
    FOURTH_OF,
    FRONTIER,
    ISLANDS,
    ISLANDS_OF,
    LEGAL,
    OPEN_OF,
    PATTERNS,
    POINTS,
    RED,
    SCRATCH,
    SETS,
    TILES_OF,
    WHITE,
)
from .jit import njit_inline, njit_internal

# Codes of steps

PASS = 2
"""The codes after tiles and bridges are the choices: white (0), red (1) and the pass."""


@njit_inline
def code_of_choice(table: np.record, choice: int) -> int:
    """Return the code of the choice of a colour or of the pass."""
    return table.cells + table.bridges + choice


@njit_inline
def code_of_bridge(table: np.record, place: int, direction: int) -> int:
    """Return the code of the bridge with this first end and direction."""
    return table.cells + np.int64(table.number[place, direction])


@njit_inline
def bridge_of(table: np.record, code: int) -> tuple[int, int]:
    """Return the first end and the direction of the bridge with a code."""
    number = code - table.cells
    return np.int64(table.bridge_place[number]), np.int64(table.bridge_direction[number])


@njit_inline
def choice_of(table: np.record, code: int) -> int:
    """Return the choice (a colour or the pass) with a code; below 0 for tiles and bridges."""
    return code - table.cells - table.bridges


@njit_inline
def step_count(table: np.record) -> int:
    """Return the number of codes."""
    return code_of_choice(table, PASS) + 1


# The start of a game


@njit_internal
def init(table: np.record, game: np.record) -> None:
    """Set a game to its start."""
    for row in range(0, rows(game), lanes(game)):
        board = load(table, BOARD, row)
        for which in range(SETS):
            store(game, which, row, empty(board))
        store(game, OPEN_OF + WHITE, row, board)
        store(game, OPEN_OF + RED, row, board)
    for place in range(columns(game) * rows(game)):
        game.links[place] = 0
    game.phase = OPENING
    game.to_move = WHITE
    game.white_owner = NONE
    game.placed_tile = NONE
    game.turns = 0
    game.outputs_are_current = 0
    game.tiles_left[WHITE] = table.all_tiles
    game.tiles_left[RED] = table.all_tiles
    game.bridges_left = table.all_bridges
    game.bridges_built[WHITE] = 0
    game.bridges_built[RED] = 0


# Islands: where tiles may go

FAR = 5
"""The distance in rows or columns at which two tiles stop affecting each other.

One of them is in a group of four, and the other in that group or around it. The group reaches three
steps along rows and columns, and a cell around it is one step or a diagonal one away. So rows and
columns together, they are at most this far from each other.
"""


@njit_inline
def neighbors_of(cells: Cells) -> tuple[Cells, Cells, Cells, Cells]:
    """Return the cells with one of *cells* north of them, and likewise south, east and west."""
    return shift(cells, 0, -1), shift(cells, 0, 1), shift(cells, -1, 0), shift(cells, 1, 0)


@njit_inline
def neighbors4(cells: Cells) -> Cells:
    """Return the orthogonal neighbours of some cells."""
    return shift(cells, 1, 0) | shift(cells, -1, 0) | shift(cells, 0, 1) | shift(cells, 0, -1)


@njit_inline
def dilate8(cells: Cells) -> Cells:
    """Return some cells together with the eight cells around each."""
    wide = cells | shift(cells, 1, 0) | shift(cells, -1, 0)
    return wide | shift(wide, 0, 1) | shift(wide, 0, -1)


@njit_inline
def split_by_group_size(tiles: Cells) -> tuple[Cells, Cells, Cells, Cells]:
    """Return the tiles of groups of one, of two, of three and of four."""
    north, south, east, west = neighbors_of(tiles)
    upright = north & south
    level = east & west
    either = north | south
    other = east | west
    # A tile with two neighbours is in a group of three or more. A tile with three neighbours, and
    # two adjacent tiles with two neighbours each, are in a group of four.
    inner = tiles & (upright | level | (either & other))
    core = (tiles & ((upright & other) | (level & either))) | (inner & neighbors4(inner))
    large = tiles & (inner | neighbors4(inner))
    islands = tiles & (core | neighbors4(core))
    paired = tiles & (either | other)
    return tiles & ~paired, paired & ~large, large & ~islands, islands


@njit_inline
def joining(ones: Cells, twos: Cells, threes: Cells) -> tuple[Cells, Cells]:
    """Return where a tile would make a group of four or more, and where of five or more.

    Two tiles of one group are beside the same cell only if the group is a bent one of three.
    """
    a, b, c, d = neighbors_of(ones)
    one = a | b | c | d
    four_ones = a & b & c & d
    two_ones = (a & b) | (c & d) | ((a | b) & (c | d))
    three_ones = (a & b & (c | d)) | (c & d & (a | b))
    a, b, c, d = neighbors_of(twos)
    two = a | b | c | d
    two_twos = (a & b) | (c & d) | ((a | b) & (c | d))
    a, b, c, d = neighbors_of(threes)
    three = a | b | c | d
    two_threes = (a & b) | (c & d)
    fourth = three | (two & one) | two_twos | three_ones
    fifth = (three & (one | two)) | two_threes | two_twos | (two & two_ones) | four_ones
    return fourth, fifth


@njit_inline
def touching(tiles: Cells, twos: Cells, threes: Cells) -> Cells:
    """Return where a tile that makes a group of four would leave another tile diagonal to it.

    A tile diagonal to a cell belongs to another group unless a tile is beside both.
    """
    north, south, east, west = neighbors_of(tiles)
    northeast = shift(east, 0, -1) & ~(north | east)
    southeast = shift(east, 0, 1) & ~(south | east)
    northwest = shift(west, 0, -1) & ~(north | west)
    southwest = shift(west, 0, 1) & ~(south | west)
    corners = northeast | southeast | northwest | southwest
    # A tile beside the cell must have no other tile diagonal to it on its far side; tiles on its
    # near side are beside the cell as well.
    found = (
        shift(tiles & (northeast | northwest), 0, -1)
        | shift(tiles & (southeast | southwest), 0, 1)
        | shift(tiles & (northeast | southeast), -1, 0)
        | shift(tiles & (northwest | southwest), 1, 0)
    )
    # The other tiles of its group must not have any, either.
    crowded = tiles & corners
    spoilt = crowded & threes
    spoilt |= neighbors4(spoilt) & threes
    spoilt |= neighbors4(spoilt) & threes
    return found | corners | neighbors4(spoilt | (twos & neighbors4(crowded)))


@njit_inline
def judge_cells(tiles: Cells) -> tuple[Cells, Cells, Cells]:
    """Return the closed cells, the cells where a tile would make four or more, and islands.

    All tiles given are of one colour and legal. The first two sets may include cells with tiles.
    """
    ones, twos, threes, islands = split_by_group_size(tiles)
    fourth, fifth = joining(ones, twos, threes)
    closed = dilate8(islands) | fifth | (fourth & touching(tiles, twos, threes))
    return closed, fourth, islands


@njit_inline
def single_in_window(game: np.record, like: Cells, place: int, origin: int) -> Cells:
    """Return the set of one cell in a window; the empty set if the cell lies outside."""
    return single(like, to_window(game, origin, place))


@njit_inline
def closed_by(game: np.record, color: int, place: int, origin: int) -> Cells:
    """Return the cells closed in a window after one more tile, including its own cell."""
    tiles = load_window(game, TILES_OF + color, origin)
    tile = single_in_window(game, tiles, place, origin)
    return judge_cells(tiles | tile)[0] | tile


@njit_internal
def conflict(game: np.record, color: int, a: int, b: int) -> bool:
    """Return whether tiles on two open cells exclude each other."""
    origin = window_around(game, a)
    closed = closed_by(game, color, a, origin)
    return is_any(closed & single_in_window(game, closed, b, origin))


@njit_inline
def may_conflict(game: np.record, color: int, a: int, b: int) -> bool:
    """Return whether tiles on two open cells may exclude each other.

    They do only if one of them makes a group of four or more, with the tiles there or the other.
    """
    rows_apart = abs(row_of(game, a) - row_of(game, b))
    columns_apart = abs(column_of(game, a) - column_of(game, b))
    distance = rows_apart + columns_apart
    far = max(rows_apart, columns_apart, distance - 1)
    origin = window_around(game, a)
    tiles = load_window(game, TILES_OF + color, origin)
    both = single_in_window(game, tiles, a, origin) | single_in_window(game, tiles, b, origin)
    fourth = is_any(both & load_window(game, FOURTH_OF + color, origin))
    # Both have another tile beside them: each other's, or one that is there.
    beside = (distance == 1) | (not is_any(both & ~neighbors4(tiles)))
    # This is one comparison, and so one branch: branches that are mispredicted cost more.
    return far < FAR * (fourth | beside)


@njit_inline
def pair_is_legal(game: np.record, color: int, a: int, b: int) -> bool:
    """Return whether two tiles may go on two open cells."""
    return not (may_conflict(game, color, a, b) and conflict(game, color, a, b))


@njit_internal
def count_closed(game: np.record, color: int, place: int) -> int:
    """Count the open cells that form no legal pair with an open cell, itself included."""
    origin = window_around(game, place)
    closed = closed_by(game, color, place, origin)
    return count(load_window(game, OPEN_OF + color, origin) & closed)


# Bridges

DIRECTION = tuple(map(np.int64, range(DIRECTIONS)))


@njit_inline
def store_buildable(game: np.record, direction: int, row: int, fitting: Cells, own: Cells) -> int:
    """Store the buildable bridges of a direction in a band's own rows, and count them."""
    found = fitting & own & ~load(game, CROSSED_OF + direction, row)
    others = load(game, BUILDABLE_OF + direction, row) & ~own
    store(game, BUILDABLE_OF + direction, row, others | found)
    return count(found)


@njit_internal
def find_bridges(table: np.record, game: np.record, color: int) -> int:
    """Find all bridges that a colour can build, ignoring supply and turn, and count them."""
    found = 0
    for band in range(band_count(game, table.height)):
        row = band_row(game, band)
        tiles = load(game, TILES_OF + color, row)
        free = tiles & ~load(game, ENDS_OF + color, row)
        water = ~(tiles | load(game, TILES_OF + 1 - color, row))
        own = own_rows(game, table.height, band, free)
        # For each direction, the other end and the cells beneath are shifted to the first end.
        a = shift(water, -1, 0)
        b = shift(water, -1, -1)
        c = shift(water, 0, -1)
        d = shift(water, 1, 0)
        e = shift(water, 1, -1)
        found += store_buildable(game, DIRECTION[0], row, free & shift(free, -2, 0) & a, own)
        found += store_buildable(game, DIRECTION[1], row, free & shift(free, 2, -1) & d & e, own)
        found += store_buildable(game, DIRECTION[2], row, free & shift(free, -2, -1) & a & b, own)
        found += store_buildable(game, DIRECTION[3], row, free & shift(free, 2, -2) & e, own)
        found += store_buildable(game, DIRECTION[4], row, free & shift(free, 1, -2) & c & e, own)
        found += store_buildable(game, DIRECTION[5], row, free & shift(free, 0, -2) & c, own)
        found += store_buildable(game, DIRECTION[6], row, free & shift(free, -1, -2) & c & b, own)
        found += store_buildable(game, DIRECTION[7], row, free & shift(free, -2, -2) & b, own)
    return found


@njit_internal
def nth_bridge(game: np.record, n: int) -> tuple[int, int]:
    """Return the first end and the direction of the *n*-th buildable bridge, from 0."""
    direction = 0
    before = 0
    passed = 0
    for each in range(DIRECTIONS):
        # No branch depends on the direction: half of such branches would be mispredicted.
        passed += count_on_board(game, BUILDABLE_OF + each)
        direction, before = (each + 1, passed) if passed <= n else (direction, before)
    return nth_on_board(game, BUILDABLE_OF + direction, n - before), direction


@njit_inline
def other_end(table: np.record, end: int, link: int) -> int:
    """Return the other end of a bridge."""
    direction = link - 1
    if direction < DIRECTIONS:
        return end + table.step[direction]
    return end - table.step[direction - DIRECTIONS]


# All legal steps

FREE_FOR_ALL_OPEN = 15
"""With this many free cells, every open cell has a partner.

Around a group of four there are at most 14 cells, so at least one free cell is not among them.
"""


FREE_FOR_SMALL_GROUPS = 4
"""With this many free cells, open cells that make no group of four have a partner.

Such a cell can exclude only a free cell beside it, and one of its sides has a tile.
"""


FREE_FOR_A_PAIR = 2
"""Two free cells are always a legal pair."""


BITS = 64


@njit_internal
def find_free(table: np.record, game: np.record, color: int) -> int:
    """Write a colour's free cells to the set of legal ones, and count them."""
    found = 0
    for band in range(band_count(game, table.height)):
        row = band_row(game, band)
        own = own_rows(game, table.height, band, load(game, LEGAL, row))
        free = load(game, OPEN_OF + color, row) & ~neighbors4(load(game, TILES_OF + color, row))
        store(game, LEGAL, row, (load(game, LEGAL, row) & ~own) | (free & own))
        found += count(free & own)
    return found


@njit_internal
def find_first_tiles(table: np.record, game: np.record, color: int) -> int:
    """Find and count the cells that are half of a legal pair of a colour with tiles left."""
    opened = count_on_board(game, OPEN_OF + color)
    free = find_free(table, game, color)
    if free >= FREE_FOR_ALL_OPEN:
        copy_set(game, OPEN_OF + color, LEGAL)
        return opened
    found = 0
    for index in range(columns(game) * rows(game) // BITS):
        known = np.uint64(0)
        judged = load_word(game, OPEN_OF + color, index)
        if free >= FREE_FOR_SMALL_GROUPS:
            known = judged & ~load_word(game, FOURTH_OF + color, index)
        elif free >= FREE_FOR_A_PAIR:
            known = judged & load_word(game, LEGAL, index)
        judged &= ~known
        while judged:
            bit = judged ^ (judged & (judged - np.uint64(1)))
            judged ^= bit
            if count_closed(game, color, index * BITS + lowest_bit(bit)) < opened:
                known |= bit
        store_word(game, LEGAL, index, known)
        found += popcount(known)
    return found


@njit_internal
def find_second_tiles(game: np.record, color: int, first: int) -> int:
    """Find the cells that complete a pair, and count them."""
    copy_set(game, OPEN_OF + color, LEGAL)
    origin = window_around(game, first)
    remove_cells(game, LEGAL, origin, closed_by(game, color, first, origin))
    return count_on_board(game, LEGAL)


@njit_internal
def has_pair(table: np.record, game: np.record, color: int) -> bool:
    """Return whether a colour to move has a legal pair."""
    if game.tiles_left[color] < TILES_PER_TURN:
        return False
    if find_free(table, game, color) >= FREE_FOR_A_PAIR:
        return True
    opened = count_on_board(game, OPEN_OF + color)
    place = next_cell(game, OPEN_OF + color, 0)
    # If none of the others forms a pair, then neither does the last.
    for _ in range(opened - 1):
        if count_closed(game, color, place) < opened:
            return True
        place = next_cell(game, OPEN_OF + color, place + 1)
    return False


@njit_inline
def find_legal(table: np.record, game: np.record) -> None:
    """Find all legal steps."""
    color = game.to_move
    game.legal_tiles = 0
    game.legal_bridges = 0
    game.legal_pass = 0
    if game.to_move == NONE:
        return
    if game.placed_tile != NONE:
        game.legal_tiles = find_second_tiles(game, color, game.placed_tile)
        return
    if game.tiles_left[color] >= TILES_PER_TURN:
        game.legal_tiles = find_first_tiles(table, game, color)
    game.legal_pass = game.legal_tiles == 0
    if game.bridges_left > 0 and game.phase != OPENING:
        game.legal_bridges = find_bridges(table, game, color)


@njit_internal
def is_legal(table: np.record, game: np.record, code: int) -> bool:
    """Return whether the step with a code is among the legal steps that were found."""
    if code < 0 or game.phase == OVER:
        return False
    choice = choice_of(table, code)
    if game.phase == COLOR_CHOICE:
        return 0 <= choice < PASS
    if code < table.cells:
        return game.legal_tiles > 0 and contains(game, LEGAL, np.int64(table.place_of_cell[code]))
    if choice >= 0:
        return choice == PASS and game.legal_pass == 1
    place, direction = bridge_of(table, code)
    return game.legal_bridges > 0 and contains(game, BUILDABLE_OF + direction, place)


# Playing a step


@njit_internal
def step(table: np.record, game: np.record, code: int) -> None:
    """Play the legal step with a code."""
    color = game.to_move
    choice = choice_of(table, code)
    if choice >= 0:
        if choice == PASS:
            pass_turn(game)
        else:
            choose_color(table, game, choice)
    elif code >= table.cells:
        place, direction = bridge_of(table, code)
        build(table, game, color, place, direction)
        end_turn(game)
    elif game.placed_tile == NONE:
        game.placed_tile = np.int64(table.place_of_cell[code])
    else:
        place_pair(game, color, game.placed_tile, np.int64(table.place_of_cell[code]))
        end_turn(game)


@njit_inline
def place_pair(game: np.record, color: int, a: int, b: int) -> None:
    """Place two legal tiles."""
    origin = window_around(game, a)
    place_in_window(game, color, a, b, origin)
    if window_around(game, b) != origin:
        place_in_window(game, color, a, b, window_around(game, b))
    game.tiles_left[color] -= TILES_PER_TURN


@njit_inline
def place_in_window(game: np.record, color: int, a: int, b: int, origin: int) -> None:
    """Place tiles on those of two cells that lie in a window."""
    tiles = load_window(game, TILES_OF + color, origin)
    new = single_in_window(game, tiles, a, origin) | single_in_window(game, tiles, b, origin)
    add_cells(game, TILES_OF + color, origin, new)
    remove_cells(game, OPEN_OF + 1 - color, origin, new)
    update_window(game, color, tiles | new, origin)


@njit_inline
def update_window(game: np.record, color: int, tiles: Cells, origin: int) -> None:
    """Update the open, island-completing and island cells of a colour, in a window."""
    closed, fourth, islands = judge_cells(tiles)
    remove_cells(game, OPEN_OF + color, origin, closed | tiles)
    add_cells(game, FOURTH_OF + color, origin, fourth)
    add_cells(game, ISLANDS_OF + color, origin, islands)


@njit_inline
def build(table: np.record, game: np.record, color: int, place: int, direction: int) -> None:
    """Build a legal bridge, from its first end."""
    other = place + table.step[direction]
    game.links[place] = 1 + direction
    game.links[other] = 1 + direction + DIRECTIONS
    game.last_bridge = place
    game.bridges_left -= 1
    game.bridges_built[color] += 1
    origin = window_around(game, place)
    middle = to_window(game, origin, place)
    first = direction * PATTERNS
    add_cells(game, ENDS_OF + color, origin, load_pattern(table, first + ENDS_PATTERN, middle))
    under = load_pattern(table, first + BENEATH_PATTERN, middle)
    add_cells(game, BLOCKED, origin, under)
    remove_cells(game, OPEN_OF + WHITE, origin, under)
    remove_cells(game, OPEN_OF + RED, origin, under)
    for crossed in range(DIRECTIONS):
        add_cells(game, CROSSED_OF + crossed, origin, load_pattern(table, first + crossed, middle))


@njit_inline
def end_turn(game: np.record) -> None:
    """Change the turn after tiles or a bridge [S0]."""
    game.turns += 1
    game.placed_tile = NONE
    if game.phase == OPENING:
        game.phase = COLOR_CHOICE
        game.to_move = NONE
    elif game.phase == LAST_TURN:
        game.phase = OVER
        game.to_move = NONE
    else:
        game.to_move = 1 - game.to_move


@njit_internal
def pass_turn(game: np.record) -> None:
    """Change the turn after a pass: white's gives red the last turn, red's ends the game [S0]."""
    if game.phase == PLAY:
        game.turns += 1
        game.phase = OVER if game.to_move == RED else LAST_TURN
        game.to_move = NONE if game.to_move == RED else RED
    else:
        end_turn(game)


@njit_internal
def choose_color(table: np.record, game: np.record, color: int) -> None:
    """Let the second seat choose a colour [S0]."""
    game.white_owner = 1 - color
    # If white placed no tiles in the opening, white has passed.
    game.phase = PLAY if game.tiles_left[WHITE] < table.all_tiles else LAST_TURN
    game.to_move = RED


@njit_internal
def find_tile(game: np.record, color: int, place: int) -> int:
    """Check one cell: return whether a tile may go there as first or second of two."""
    legal = contains(game, OPEN_OF + color, place)
    if game.placed_tile != NONE:
        first = game.placed_tile
        legal = legal and place != first and pair_is_legal(game, color, first, place)
    elif legal:
        opened = count_on_board(game, OPEN_OF + color)
        has_tiles = game.tiles_left[color] >= TILES_PER_TURN
        legal = has_tiles and count_closed(game, color, place) < opened
    if legal:
        add_cell(game, LEGAL, place)
    else:
        remove_cell(game, LEGAL, place)
    return legal


@njit_internal
def try_step(table: np.record, game: np.record, code: int) -> bool:
    """Play the step with a code if it is legal; return whether it was.

    Call it without finding the legal steps first: it checks only this step.
    """
    color = game.to_move
    game.legal_tiles = 0
    game.legal_bridges = 0
    game.legal_pass = 0
    if game.to_move == NONE:
        pass
    elif 0 <= code < table.cells:
        game.legal_tiles = find_tile(game, color, np.int64(table.place_of_cell[code]))
    elif game.placed_tile == NONE:
        if code == code_of_choice(table, PASS):
            game.legal_pass = not has_pair(table, game, color)
        elif game.bridges_left > 0 and game.phase != OPENING:
            game.legal_bridges = find_bridges(table, game, color)
    found = is_legal(table, game, code)
    if found:
        step(table, game, code)
    return found


# The score, seats and the winner


@njit_inline
def islands_of(game: np.record, color: int) -> int:
    """Return the number of islands of a colour."""
    return count_on_board(game, ISLANDS_OF + color) // ISLAND_SIZE


@njit_internal
def points(table: np.record, game: np.record, color: int) -> int:
    """Return the points of a colour."""
    islands = islands_of(game, color)
    if islands <= 1 or game.bridges_built[color] == 0:
        return islands
    for row in range(0, rows(game), lanes(game)):
        store(game, SCRATCH, row, empty(load(game, SCRATCH, row)))
    found = 0
    place = next_cell(game, ISLANDS_OF + color, 0)
    while place != NONE:
        if not contains(game, SCRATCH, place):
            joined = islands_joined(table, game, color, place)
            found += joined * (joined + 1) // 2
        place = next_cell(game, ISLANDS_OF + color, place + 1)
    return found


@njit_internal
def islands_joined(table: np.record, game: np.record, color: int, place: int) -> int:
    """Count the islands in the network of a cell, and mark all of the network's cells as seen."""
    islands = 0
    here = place
    while here != NONE:
        if not contains(game, SCRATCH, here):
            islands += contains(game, ISLANDS_OF + color, here)
            origin = window_around(game, here)
            group = group_of(game, color, here, origin)
            add_cells(game, SCRATCH, origin, group)
            ends = group & load_window(game, ENDS_OF + color, origin)
            for index in range(count(ends)):
                end = from_window(game, origin, nth_bit(ends, index))
                add_cell(game, FRONTIER, other_end(table, end, np.int64(game.links[end])))
        remove_cell(game, FRONTIER, here)
        here = next_cell(game, FRONTIER, 0)
    return islands


@njit_inline
def group_of(game: np.record, color: int, place: int, origin: int) -> Cells:
    """Return the group of a tile, in a window around it."""
    tiles = load_window(game, TILES_OF + color, origin)
    group = single_in_window(game, tiles, place, origin)
    for _ in range(ISLAND_SIZE - 1):
        group |= neighbors4(group) & tiles
    return group


@njit_inline
def owner(game: np.record, color: int) -> int:
    """Return the seat that owns a colour after the choice, or -1 for no colour."""
    if color == NONE:
        return NONE
    return game.white_owner if color == WHITE else 1 - game.white_owner


@njit_inline
def seat_to_move(game: np.record) -> int:
    """Return the seat to act, or -1 if the game is over."""
    if game.phase == OPENING:
        return 0
    if game.phase == COLOR_CHOICE:
        return 1
    return owner(game, game.to_move)


@njit_internal
def winner(table: np.record, game: np.record, white_points: int, red_points: int) -> int:
    """Return the colour that has won with these points, or -1 [S0]."""
    for index in range(len(table.decisive)):
        column = table.decisive[index]
        lead = 0
        if column == POINTS:
            lead = red_points - white_points
        elif column == ISLANDS:
            lead = islands_of(game, RED) - islands_of(game, WHITE)
        elif column == BRIDGES:
            lead = game.bridges_built[RED] - game.bridges_built[WHITE]
        if lead != 0:
            return RED if lead > 0 else WHITE
    return NONE
