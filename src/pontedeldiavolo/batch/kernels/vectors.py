"""Sets of cells in compiled code: vectors of the processor.

Compiled code works on values of the machine. Most are 64-bit numbers, but processors also have
*vectors*: registers that hold several numbers, their *lanes*, and instructions that perform the
same operation on all lanes at once. A set of cells is such a vector: a lane for each row of the
board, a bit for each column. A board of 10×10 takes 16 lanes of 16 bits, 256 bits in all, and "all
cells of one set that are not in another" is one instruction, regardless of the sets.

Here are the functions on sets: when it is compiled, each derives its signature from the types of
its arguments, and then writes its instructions with a *builder*. They run on any processor: LLVM
splits a vector that the processor does not support into several that it does, or into plain
numbers. Two special instructions are worth using: ``pdep`` finds the *n*-th bit of a word, which
takes six halvings without it, and ``pext`` joins the cells of the rows in a word.

The type of a set and its operators are in :mod:`~pontedeldiavolo.batch.kernels.jit`, and the same
functions on Python's integers in :mod:`~pontedeldiavolo.batch.kernels.cells`. This file also has
functions for counters that several threads share: atomic instructions.
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import binding, ir
from numba import config, types

from .game import PATTERN_MIDDLE
from .jit import I8, I64, CellsType, Sets, cells_of, intrinsic_from, vector_of
from .numba_internals import loop

Int: Any = types.int64
Bits: Any = types.uint64
Bool: Any = types.boolean
Void: Any = types.void
Bytes: Any = types.CPointer(types.uint8)
I1: Any = ir.IntType(1)
I32: Any = ir.IntType(32)
VOID: Any = ir.VoidType()
WORD = 64
WINDOW = CellsType(16, 16)
"""The type of a set in a window."""


# Vectors


def call(builder: Any, name: str, result: Any, *given: Any) -> Any:
    """Call a function of LLVM or of the C library, and return its result."""
    known = builder.module.globals
    if name not in known:
        ir.Function(builder.module, ir.FunctionType(result, [each.type for each in given]), name)
    return builder.call(known[name], given)


def lane_indices(vector: ir.VectorType) -> ir.Constant:
    """Return a vector with the index of each lane."""
    return vector(list(range(vector.count)))


def broadcast(builder: Any, vector: ir.VectorType, number: Any) -> Any:
    """Return a vector with the same number in all lanes, cut to their width."""
    unknown = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(unknown, builder.trunc(number, vector.element), I32(0))
    return builder.shuffle_vector(one, unknown, ir.VectorType(I32, vector.count)(0))


def popcounts(builder: Any, words: Any) -> Any:
    """Return a vector with the number of 1 bits in each word."""
    return call(builder, f"llvm.ctpop.v{words.type.count}i{WORD}", words.type, words)


def shift_lanes(builder: Any, words: Any, lanes_on: int) -> Any:
    """Return a vector with its numbers shifted by *lanes_on* lanes, and zeros elsewhere."""
    # The indices select lanes from two concatenated vectors, of which the second is all zeros.
    size = words.type.count
    wanted = [lane - lanes_on if 0 <= lane - lanes_on < size else size for lane in range(size)]
    return builder.shuffle_vector(words, words.type(0), ir.VectorType(I32, size)(wanted))


def shift_in_halves(builder: Any, words: Any, lanes_on: int) -> Any:
    """Return the same as ``shift_lanes``, for a vector of two halves and at most half its lanes.

    One instruction moves a half into the place of the other, and one shifts within both halves. By
    itself, LLVM finds three instructions.
    """
    size = words.type.count
    half = size // 2
    halves = ir.VectorType(ir.IntType(words.type.element.width * half), 2)
    order = [2, 0] if lanes_on > 0 else [1, 2]
    whole = builder.bitcast(words, halves)
    moved = builder.shuffle_vector(whole, halves(0), ir.VectorType(I32, 2)(order))
    # Lanes that come from the same half are in the first vector, all others in the second.
    wanted = []
    for lane in range(size):
        source = lane - lanes_on
        if source // half == lane // half:
            wanted.append(source)
        else:
            wanted.append(size + source + (half if lanes_on > 0 else -half))
    moved = builder.bitcast(moved, words.type)
    return builder.shuffle_vector(words, moved, ir.VectorType(I32, size)(wanted))


def prefix_sums(builder: Any, words: Any) -> Any:
    """Return a vector of prefix sums: each number plus all before it."""
    step = 1
    while step < words.type.count:
        words = builder.add(words, shift_lanes(builder, words, step))
        step = 2 * step
    return words


MAX_SCALAR_WORDS = 4
"""Up to this many words, it is faster to look at one after another."""
SLOW_PDEP = {"znver1", "znver2", "bdver4"}
"""Processors that have ``pdep``, but are slower with it than without."""


def find_word_scalar(builder: Any, words: Any, number: Any) -> tuple[Any, Any, Any]:
    """Return the word with the *n*-th bit, the place of its first bit, and the bit's rank in it."""
    each = [builder.extract_element(words, I32(place)) for place in range(words.type.count)]
    here = each[0]
    begin = I64(0)
    left = number
    beyond = I1(1)
    for place, following in enumerate(each[1:], 1):
        bits = builder.ctpop(each[place - 1])
        beyond = builder.and_(beyond, builder.icmp_signed(">=", left, bits))
        left = builder.select(beyond, builder.sub(left, bits), left)
        here = builder.select(beyond, following, here)
        begin = builder.select(beyond, I64(WORD * place), begin)
    return here, begin, left


def find_word_vector(builder: Any, words: Any, number: Any) -> tuple[Any, Any, Any]:
    """Return the same as ``find_word_scalar``, computed for all words at once."""
    found = prefix_sums(builder, popcounts(builder, words))
    # The number of words that end before the bit is the index of its word.
    vector = words.type
    before = builder.icmp_signed("<=", found, broadcast(builder, vector, number))
    index = builder.zext(builder.ctpop(builder.bitcast(before, ir.IntType(vector.count))), I64)
    left = builder.sub(number, builder.extract_element(shift_lanes(builder, found, 1), index))
    here = builder.extract_element(words, index)
    return here, builder.mul(index, I64(WORD)), left


def has_feature(name: str) -> bool:
    """Return whether code is compiled for a processor with a feature, by its name in LLVM."""
    if config.CPU_NAME or config.CPU_FEATURES is not None:
        return f"+{name}" in (config.CPU_FEATURES or "")
    return bool(binding.get_host_cpu_features().get(name, False))


def has_pdep() -> bool:
    """Return whether code is compiled for a processor with a fast ``pdep``."""
    is_host = not config.CPU_NAME and config.CPU_FEATURES is None
    is_slow = is_host and binding.get_host_cpu_name() in SLOW_PDEP
    return has_feature("bmi2") and not is_slow


def select_bit_pdep(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number, using ``pdep`` and a count of zeros."""
    bit = call(builder, "llvm.x86.bmi.pdep.64", I64, builder.shl(I64(1), n), number)
    return builder.cttz(bit, I1(0))


def select_bit_halving(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number by binary search."""
    place = I64(0)
    left = n
    for width in (32, 16, 8, 4, 2, 1):
        low = builder.and_(builder.lshr(number, place), I64((1 << width) - 1))
        bits = builder.ctpop(low)
        beyond = builder.icmp_signed(">=", left, bits)
        left = builder.select(beyond, builder.sub(left, bits), left)
        place = builder.select(beyond, builder.add(place, I64(width)), place)
    return place


# The size of sets, which is known at compile time


@intrinsic_from(lambda game: Int(game))
def columns(builder: Any, game: Sets) -> Any:
    """Return the number of places in a row."""
    return I64(game.bits)


@intrinsic_from(lambda game: Int(game))
def rows(builder: Any, game: Sets) -> Any:
    """Return the number of rows of a set in memory."""
    return I64(game.rows)


@intrinsic_from(lambda game: Int(game))
def lanes(builder: Any, game: Sets) -> Any:
    """Return the number of rows of a set as a value."""
    return I64(game.cells.lanes)


@intrinsic_from(lambda game, place: Int(game, Int))
def row_of(builder: Any, game: Sets, place: Any) -> Any:
    """Return the row of a place on the board."""
    return builder.ashr(place, I64(game.bits.bit_length() - 1))


@intrinsic_from(lambda game, place: Int(game, Int))
def column_of(builder: Any, game: Sets, place: Any) -> Any:
    """Return the column of a place on the board."""
    return builder.and_(place, I64(game.bits - 1))


# Memory


@intrinsic_from(lambda game, which, row: cells_of(game)(game, Int, Int))
def load(builder: Any, game: Sets, which: Any, row: Any) -> Any:
    """Return a set of a game, starting at *row*."""
    return builder.load(game.set_address(builder, which, row), align=game.align)


@intrinsic_from(lambda game, which, row, value: Void(game, Int, Int, cells_of(game)))
def store(builder: Any, game: Sets, which: Any, row: Any, value: Any) -> None:
    """Store a set of a game, starting at *row*."""
    builder.store(value, game.set_address(builder, which, row), align=game.align)


def word_address(builder: Any, game: Sets, which: Any, index: Any) -> Any:
    """Return the address of 64 bits of a set."""
    return builder.gep(game.address(builder, which, I64(0), I64), [index])


@intrinsic_from(lambda game, which, index: Bits(game, Int, Int))
def load_word(builder: Any, game: Sets, which: Any, index: Any) -> Any:
    """Return 64 bits of a set of a game."""
    return builder.load(word_address(builder, game, which, index), align=game.align)


@intrinsic_from(lambda game, which, index, value: Void(game, Int, Int, Bits))
def store_word(builder: Any, game: Sets, which: Any, index: Any, value: Any) -> None:
    """Store 64 bits of a set of a game."""
    builder.store(value, word_address(builder, game, which, index), align=game.align)


@intrinsic_from(lambda game, which, row: Bits(game, Int, Int))
def load_row(builder: Any, game: Sets, which: Any, row: Any) -> Any:
    """Return a row of a set of a game, a bit for each column."""
    at = game.address(builder, which, row, ir.IntType(game.bits))
    return builder.zext(builder.load(at, align=game.align), I64)


@intrinsic_from(lambda game, which, row, value: Void(game, Int, Int, Bits))
def store_row(builder: Any, game: Sets, which: Any, row: Any, value: Any) -> None:
    """Store a row of a set of a game."""
    at = game.address(builder, which, row, ir.IntType(game.bits))
    builder.store(builder.trunc(value, ir.IntType(game.bits)), at, align=game.align)


@intrinsic_from(lambda game: Int(game))
def rows_in_word(builder: Any, game: Sets) -> Any:
    """Return the number of rows in 64 bits of a set."""
    return I64(WORD // game.bits)


@intrinsic_from(lambda game, which, index, width: Bits(game, Int, Int, Int))
def load_cells(builder: Any, game: Sets, which: Any, index: Any, width: Any) -> Any:
    """Return the cells in 64 bits of a set as consecutive bits, on a board of this width."""
    word = builder.load(word_address(builder, game, which, index), align=game.align)
    # The lowest bits of each row are cells.
    row = builder.lshr(I64(-1), builder.sub(I64(WORD), width))
    in_every_row = sum(1 << first for first in range(0, WORD, game.bits))
    if has_pdep():
        cells = builder.mul(row, I64(in_every_row))
        return call(builder, "llvm.x86.bmi.pext.64", I64, word, cells)
    found = I64(0)
    for number in range(WORD // game.bits):
        here = builder.and_(builder.lshr(word, I64(number * game.bits)), row)
        found = builder.or_(found, builder.shl(here, builder.mul(width, I64(number))))
    return found


@intrinsic_from(lambda game, which, begin: Bits(game, Int, Int))
def nonempty_words(builder: Any, game: Sets, which: Any, begin: Any) -> Any:
    """Return a bit for each of up to eight words of a set, from a word on: 1 if it has a cell."""
    words = ir.VectorType(I64, min(8, game.rows * game.bits // WORD))
    at = builder.bitcast(word_address(builder, game, which, begin), words.as_pointer())
    found = builder.icmp_unsigned("!=", builder.load(at, align=game.align), words(0))
    return builder.zext(builder.bitcast(found, ir.IntType(words.count)), I64)


# Windows


def window_rows(builder: Any, game: Sets, which: Any, origin: Any) -> tuple[Any, Any]:
    """Return the address of the rows of a window, and a vector of its first column."""
    row = builder.lshr(origin, I64(game.bits.bit_length() - 1))
    vector = ir.VectorType(ir.IntType(game.bits), WINDOW.lanes)
    # Sets with 16 columns have windows in column 0 alone.
    column = builder.and_(origin, I64(game.bits - 1)) if game.bits > WINDOW.bits else I64(0)
    return game.address(builder, which, row, vector), broadcast(builder, vector, column)


@intrinsic_from(lambda game, which, origin: WINDOW(game, Int, Int))
def load_window(builder: Any, game: Sets, which: Any, origin: Any) -> Any:
    """Return the part of a set of a game that lies in the window at *origin*."""
    at, column = window_rows(builder, game, which, origin)
    found = builder.lshr(builder.load(at, align=game.align), column)
    return builder.trunc(found, vector_of(WINDOW))


@intrinsic_from(lambda game, which, origin, cells: Void(game, Int, Int, WINDOW))
def add_cells(builder: Any, game: Sets, which: Any, origin: Any, cells: Any) -> None:
    """Add cells of the window at *origin* to a set of a game."""
    at, column = window_rows(builder, game, which, origin)
    new = builder.shl(builder.zext(cells, column.type), column)
    found = builder.or_(builder.load(at, align=game.align), new)
    builder.store(found, at, align=game.align)


@intrinsic_from(lambda game, which, origin, cells: Void(game, Int, Int, WINDOW))
def remove_cells(builder: Any, game: Sets, which: Any, origin: Any, cells: Any) -> None:
    """Remove cells of the window at *origin* from a set of a game."""
    at, column = window_rows(builder, game, which, origin)
    gone = builder.shl(builder.zext(cells, column.type), column)
    found = builder.and_(builder.load(at, align=game.align), builder.not_(gone))
    builder.store(found, at, align=game.align)


@intrinsic_from(lambda table, index, place: WINDOW(table, Int, Int))
def load_pattern(builder: Any, table: Sets, index: Any, place: Any) -> Any:
    """Return the cells of a pattern whose middle is at a place of a window."""
    vector = vector_of(WINDOW)
    row = builder.lshr(place, I64(WINDOW.bits.bit_length() - 1))
    column = builder.and_(place, I64(WINDOW.bits - 1))
    middle_row, middle_column = map(I64, PATTERN_MIDDLE)
    at = table.pattern_address(builder, index, builder.sub(middle_row, row), vector)
    to_east = builder.icmp_signed(">", column, middle_column)
    east = builder.select(to_east, builder.sub(column, middle_column), I64(0))
    west = builder.select(to_east, I64(0), builder.sub(middle_column, column))
    found = builder.load(at, align=WINDOW.bits // 8)
    found = builder.shl(found, broadcast(builder, vector, east))
    return builder.lshr(found, broadcast(builder, vector, west))


# Making sets

WIDEST_IN_TABLE = 256
"""The sets of single cells are in a table if a set has at most this many bits."""


def singles(builder: Any, vector: ir.VectorType) -> Any:
    """Return the address of a constant: the set of each single cell, then the empty set."""
    bits = vector.element.width
    name = f"pontedeldiavolo.singles.{vector.count}x{bits}"
    known = builder.module.globals
    if name not in known:
        size = vector.count * bits
        numbers = [1 << place for place in range(size)] + [0]
        content = b"".join(each.to_bytes(size // 8, "little") for each in numbers)
        table = ir.Constant(ir.ArrayType(I8, len(content)), bytearray(content))
        constant = ir.GlobalVariable(builder.module, table.type, name)
        constant.initializer = table
        constant.global_constant = True
        constant.unnamed_addr = True
        constant.align = size // 8
        # All functions of a kernel share one copy.
        constant.linkage = "linkonce_odr"
    return builder.bitcast(known[name], vector.as_pointer())


@intrinsic_from(lambda like, place: like(like, Int))
def single(builder: Any, like: Any, place: Any) -> Any:
    """Return the set of one cell, or the empty set if the place lies outside."""
    vector = like.type
    bits = like.type.element.width
    size = vector.count * bits
    if size <= WIDEST_IN_TABLE:
        inside = builder.icmp_unsigned("<", place, I64(size))
        place = builder.select(inside, place, I64(size))
        return builder.load(builder.gep(singles(builder, vector), [place]), align=size // 8)
    row = builder.ashr(place, I64(bits.bit_length() - 1))
    bit = builder.shl(I64(1), builder.and_(place, I64(bits - 1)))
    # Truncating the number of a row outside the set must not move it into the set.
    bit = builder.select(builder.icmp_unsigned("<", row, I64(vector.count)), bit, I64(0))
    here = builder.icmp_unsigned("==", lane_indices(vector), broadcast(builder, vector, row))
    return builder.select(here, broadcast(builder, vector, bit), vector(0))


@intrinsic_from(lambda like, begin, end: like(like, Int, Int))
def row_range(builder: Any, like: Any, begin: Any, end: Any) -> Any:
    """Return the set of all places in the rows from *begin* up to, but not including, *end*."""
    low, high = (broadcast(builder, like.type, row) for row in (begin, end))
    from_low = builder.icmp_signed(">=", lane_indices(like.type), low)
    to_high = builder.icmp_signed("<", lane_indices(like.type), high)
    return builder.sext(builder.and_(from_low, to_high), like.type)


@intrinsic_from(lambda like: like(like))
def empty(builder: Any, like: Any) -> Any:
    """Return the empty set."""
    return like.type(0)


def moves(cells: CellsType, east: Any, north: Any) -> Any:
    """Return the signature of a shift by numbers that are known at compile time."""
    known = isinstance(east, types.IntegerLiteral) and isinstance(north, types.IntegerLiteral)
    return cells(cells, east, north) if known else None


@intrinsic_from(moves)
def shift(builder: Any, cells: Any, east: int, north: int) -> Any:
    """Return a set shifted by columns and rows; places that leave the set are lost."""
    found = cells
    if east:
        shift = builder.shl if east > 0 else builder.lshr
        found = shift(found, cells.type(abs(east)))
    if not north:
        return found
    in_halves = found.type == vector_of(WINDOW) and abs(north) <= WINDOW.lanes // 2
    # AVX-512 shifts lanes across halves by a single instruction.
    if in_halves and has_feature("avx2") and not has_feature("avx512bw"):
        return shift_in_halves(builder, found, north)
    return shift_lanes(builder, found, north)


# Queries


def as_words(builder: Any, cells: Any) -> Any:
    """Return a set as a vector of 64-bit numbers."""
    size = cells.type.count * cells.type.element.width // WORD
    return builder.bitcast(cells, ir.VectorType(I64, size))


@intrinsic_from(lambda cells: Bool(cells))
def is_any(builder: Any, cells: Any) -> Any:
    """Return whether a set is not empty."""
    whole = ir.IntType(cells.type.count * cells.type.element.width)
    return builder.icmp_unsigned("!=", builder.bitcast(cells, whole), whole(0))


def sum_of_counts(builder: Any, cells: Any) -> Any:
    """Return the number of cells in a set."""
    words = popcounts(builder, as_words(builder, cells))
    return call(builder, f"llvm.vector.reduce.add.v{words.type.count}i{WORD}", I64, words)


@intrinsic_from(lambda cells: Int(cells))
def count(builder: Any, cells: Any) -> Any:
    """Return the number of cells in a set."""
    return sum_of_counts(builder, cells)


def select_bit(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number."""
    find_bit = select_bit_pdep if has_pdep() else select_bit_halving
    return find_bit(builder, number, n)


@intrinsic_from(lambda game, which, row: Int(game, Int, Int))
def count_stored(builder: Any, game: Sets, which: Any, row: Any) -> Any:
    """Return the number of cells in a stored set, which begins at *row*."""
    first = game.set_address(builder, which, row)
    words = game.cells.lanes * game.cells.bits // WORD
    if words > MAX_SCALAR_WORDS or not has_feature("popcnt"):
        return sum_of_counts(builder, builder.load(first, align=game.align))
    first = builder.bitcast(first, I64.as_pointer())
    found = I64(0)
    for place in range(words):
        word = builder.load(builder.gep(first, [I64(place)]), align=game.align)
        found = builder.add(found, builder.ctpop(word))
    return found


@intrinsic_from(lambda cells, number: Int(cells, Int))
def nth_bit(builder: Any, cells: Any, number: Any) -> Any:
    """Return the place of the *n*-th cell of a set, from 0."""
    words = as_words(builder, cells)
    find_word = find_word_scalar if words.type.count <= MAX_SCALAR_WORDS else find_word_vector
    here, begin, left = find_word(builder, words, number)
    return builder.add(begin, select_bit(builder, here, left))


@intrinsic_from(lambda game, which, row, number: Int(game, Int, Int, Int))
def nth_stored(builder: Any, game: Sets, which: Any, row: Any, number: Any) -> Any:
    """Return the place of the *n*-th cell of a stored set, which begins at *row*, from 0."""
    first = game.set_address(builder, which, row)
    size = game.cells.lanes * game.cells.bits // WORD
    if size > MAX_SCALAR_WORDS:
        words = as_words(builder, builder.load(first, align=game.align))
        here, begin, left = find_word_vector(builder, words, number)
        return builder.add(begin, select_bit(builder, here, left))
    first = builder.bitcast(first, I64.as_pointer())
    index = I64(0)
    before = I64(0)
    left = number
    for place in range(size - 1):
        word = builder.load(builder.gep(first, [I64(place)]), align=game.align)
        before = builder.add(before, builder.ctpop(word))
        beyond = builder.icmp_signed(">=", number, before)
        left = builder.select(beyond, builder.sub(number, before), left)
        index = builder.add(index, builder.zext(beyond, I64))
    here = builder.load(builder.gep(first, [index]), align=game.align)
    return builder.add(builder.mul(index, I64(WORD)), select_bit(builder, here, left))


@intrinsic_from(lambda bits: Int(Bits))
def lowest_bit(builder: Any, bits: Any) -> Any:
    """Return the place of the lowest bit of a number that is not zero."""
    return builder.cttz(bits, I1(0))


@intrinsic_from(lambda number, divisor: Int(Int, Int))
def quotient(builder: Any, number: Any, divisor: Any) -> Any:
    """Return the quotient of two numbers below 2**32, of which the second is not zero."""
    i32 = builder.trunc(number, I32), builder.trunc(divisor, I32)
    return builder.zext(builder.udiv(*i32), I64)


@intrinsic_from(lambda bits: Int(Bits))
def popcount(builder: Any, bits: Any) -> Any:
    """Return the number of bits that are 1."""
    return builder.ctpop(bits)


# Bytes


@intrinsic_from(lambda array, begin: Bytes(array, Int))
def bytes_of(builder: Any, array: Any, begin: Any) -> Any:
    """Return the bytes of an array, starting at *begin*."""
    return builder.gep(builder.bitcast(array, I8.as_pointer()), [begin])


@intrinsic_from(lambda data, at: Int(Bytes, Int))
def load_byte(builder: Any, data: Any, at: Any) -> Any:
    """Return a byte."""
    return builder.zext(builder.load(builder.gep(data, [at])), I64)


@intrinsic_from(lambda data, at, value: Void(Bytes, Int, Int))
def store_byte(builder: Any, data: Any, at: Any, value: Any) -> None:
    """Write a byte."""
    builder.store(builder.trunc(value, I8), builder.gep(data, [at]))


@intrinsic_from(lambda data, length: Void(Bytes, Int))
def prefetch(builder: Any, data: Any, length: Any) -> None:
    """Fetch bytes that will soon be written to into the processor's cache."""
    with loop(builder, I64(0), length, I64(64)) as (begin, _):
        there = builder.gep(data, [begin])
        call(builder, "llvm.prefetch.p0", VOID, there, I32(1), I32(3), I32(1))


@intrinsic_from(lambda data, at, word: Void(Bytes, Int, Bits))
def store_bytes(builder: Any, data: Any, at: Any, word: Any) -> None:
    """Write eight bytes, the lowest first."""
    there = builder.bitcast(builder.gep(data, [at]), I64.as_pointer())
    builder.store(word, there, align=1)


FILLED_AT_ONCE = 32
"""The number of bytes that are filled by one instruction on many processors."""


@intrinsic_from(lambda data, at, value, length: Void(Bytes, Int, Int, Int))
def fill_bytes(builder: Any, data: Any, at: Any, value: Any, length: Any) -> None:
    """Write the same byte to each of *length* places."""
    first = builder.gep(data, [at])
    byte = builder.trunc(value, I8)
    vector = ir.VectorType(I8, FILLED_AT_ONCE)
    bytes_at_once = broadcast(builder, vector, value)
    last = builder.sub(length, I64(FILLED_AT_ONCE))
    # The function of the C library is for greater lengths, and takes long to choose how.
    with builder.if_else(builder.icmp_signed(">=", last, I64(0))) as (long, short):
        with long:
            with loop(builder, I64(0), last, I64(FILLED_AT_ONCE)) as (begin, _):
                there = builder.bitcast(builder.gep(first, [begin]), vector.as_pointer())
                builder.store(bytes_at_once, there, align=1)
            there = builder.bitcast(builder.gep(first, [last]), vector.as_pointer())
            builder.store(bytes_at_once, there, align=1)
        with short, loop(builder, I64(0), length, I64(1)) as (begin, _):
            builder.store(byte, builder.gep(first, [begin]))


def row_bytes(builder: Any, like: Any, data: Any, at: Any) -> Any:
    """Return the address of the bytes for the columns of a whole row."""
    vector = ir.VectorType(I8, like.type.element.width)
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


def expands(data: Any, at: Any, bits: Any, number: Any) -> Any:
    """Return the signature of an expansion to a number of bytes that is known at compile time."""
    del data, at, bits
    return Void(Bytes, Int, Bits, number) if isinstance(number, types.IntegerLiteral) else None


@intrinsic_from(expands)
def expand_bits(builder: Any, data: Any, at: Any, bits: Any, number: int) -> None:
    """Write a byte, 0 or 1, for each of the lowest bits; *number* is known at compile time."""
    vector = ir.VectorType(I8, number)
    there = builder.bitcast(builder.gep(data, [at]), vector.as_pointer())
    low = builder.trunc(bits, ir.IntType(number)) if number < WORD else bits
    ones = builder.bitcast(low, ir.VectorType(I1, number))
    builder.store(builder.zext(ones, vector), there, align=1)


@intrinsic_from(lambda like, data, at, value: Bits(like, Bytes, Int, Int))
def compress_row(builder: Any, like: Any, data: Any, at: Any, value: Any) -> Any:
    """Return a bit for each byte of a whole row: 1 if the byte equals *value*."""
    there = builder.load(row_bytes(builder, like, data, at), align=1)
    same = builder.icmp_unsigned("==", there, broadcast(builder, there.type, value))
    return builder.zext(builder.bitcast(same, ir.IntType(there.type.count)), I64)


# Counters that several threads share. Between reading a number, adding to it and writing it back,
# another thread may change it. An atomic instruction does all three as one, and a thread that sees
# its result also sees everything that the writing thread wrote before.

ORDER = "seq_cst"
"""Sequentially consistent: all threads see all atomic operations in the same order."""
BYTES = 8


@intrinsic_from(lambda counters, at: Int(counters, Int))
def atomic_load(builder: Any, counters: Any, at: Any) -> Any:
    """Return a number."""
    return builder.load_atomic(builder.gep(counters, [at]), ORDER, BYTES)


@intrinsic_from(lambda counters, at, value: Void(counters, Int, Int))
def atomic_store(builder: Any, counters: Any, at: Any, value: Any) -> None:
    """Set a number."""
    builder.store_atomic(value, builder.gep(counters, [at]), ORDER, BYTES)


@intrinsic_from(lambda counters, at, more: Int(counters, Int, Int))
def fetch_add(builder: Any, counters: Any, at: Any, more: Any) -> Any:
    """Add to a number, and return the number before."""
    return builder.atomic_rmw("add", builder.gep(counters, [at]), more, ORDER)


@intrinsic_from(lambda counters, at, limit: Int(counters, Int, Int))
def fetch_min(builder: Any, counters: Any, at: Any, limit: Any) -> Any:
    """Lower a number to at most *limit*, and return the number before."""
    return builder.atomic_rmw("min", builder.gep(counters, [at]), limit, ORDER)


@intrinsic_from(lambda: Void())
def pause(builder: Any) -> None:
    """Wait for a moment, on some processors by an instruction that saves power."""
    machine = platform.machine().lower()
    if machine in {"x86_64", "amd64"}:
        call(builder, "llvm.x86.sse2.pause", VOID)
    elif machine in {"aarch64", "arm64"}:
        call(builder, "llvm.aarch64.hint", VOID, I32(1))


@intrinsic_from(lambda: Void())
def give_way(builder: Any) -> None:
    """Let another thread have this processor, if the C library supports that."""
    if platform.system() in {"Linux", "Darwin"}:
        # The result can be ignored: it is always 0.
        call(builder, "sched_yield", VOID)
