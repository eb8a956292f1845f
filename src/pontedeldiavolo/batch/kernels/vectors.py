"""Sets of cells as compiled code has them: one vector of the processor.

Compiled code consists of values of the machine. Most are numbers of 64 bits, but processors also
have *vectors*: registers that hold several numbers, its *lanes*, and instructions that do the same
to all lanes at once. A set of cells is such a vector: a lane for each row of the board, a bit for
each column. A board of 10×10 takes 16 lanes of 16 bits, 256 bits in all, and "all cells of one set
that are not in another" is one instruction, whatever the sets.

Numba knows no such type. This file teaches it one, :class:`CellsType`, in three steps:

- *The value.* Numba translates to LLVM, a language in which a vector is a type like any other,
  written ``<16 x i16>``. ``CellsModel`` says that a set is one.
- *The operators* ``&``, ``|``, ``^`` and ``~``: which types they take, and the instructions.
- *Functions*: from the types of its arguments each tells its own type, when it is compiled, and
  then writes its instructions with a *builder*.

All of this runs anywhere: LLVM turns a vector that the processor does not have into several that it
has, or into plain numbers.

The same functions on Python's integers are in :mod:`~pontedeldiavolo.batch.kernels.bigint_sets`.
"""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import register_model
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.core.typing.templates import signature as typed
from numba.extending import lower_builtin

from pontedeldiavolo.batch.kernels.jit import (
    I1,
    I8,
    I32,
    I64,
    WORD,
    Bits,
    Bool,
    Int,
    Void,
    broadcast,
    intrinsic_from,
    lane_indices,
    popcounts,
    prefix_sums,
    splat,
    truncate,
)
from pontedeldiavolo.batch.kernels.select_bit import (
    MAX_SCALAR_WORDS,
    find_word_scalar,
    find_word_vector,
    has_pdep,
    select_bit_halving,
    select_bit_pdep,
)

WIDEST = 1024
"""No set has more bits as a value: of larger boards it holds some rows."""

Bytes: Any = types.CPointer(types.uint8)


class CellsType(types.Type):
    """A set of cells: *lanes* rows of *bits* columns."""

    def __init__(self, lanes: int, bits: int) -> None:
        self.lanes: int = lanes
        self.bits: int = bits
        super().__init__(name=f"Cells({lanes}x{bits})")


@register_model(CellsType)
class CellsModel(models.PrimitiveModel):
    """A set is a vector."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        vector = ir.VectorType(ir.IntType(fe_type.bits), fe_type.lanes)
        super().__init__(dmm, fe_type, vector)


Cells = CellsType
WINDOW = CellsType(16, 16)
"""The sets of windows."""


def cells_of(record: Any) -> CellsType:
    """Return the type of the sets that are kept in records of a type."""
    rows = record.typeof("sets")
    bits = rows.dtype.bitwidth
    return CellsType(min(rows.shape[1], WIDEST // bits), bits)


# Operators


@infer_global(operator.and_)
@infer_global(operator.or_)
@infer_global(operator.xor)
@infer_global(operator.iand)
@infer_global(operator.ior)
@infer_global(operator.ixor)
class Binary(AbstractTemplate):
    """Two sets make one."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Return the signature for these arguments, if there is one."""
        if not kws and isinstance(args[0], CellsType) and args[0] == args[1]:
            return typed(args[0], args[0], args[0])
        return None


@infer_global(operator.invert)
class Unary(AbstractTemplate):
    """All cells that are not in a set, on the board or off it."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Return the signature for these arguments, if there is one."""
        return None if kws or not isinstance(args[0], CellsType) else typed(args[0], args[0])


def lower(operation: Any, name: str, operands: int) -> None:
    """Let an operator on sets be the instruction of that name."""

    def write(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        return getattr(builder, name)(*values)

    lower_builtin(operation, *[CellsType] * operands)(write)


lower(operator.and_, "and_", 2)
lower(operator.iand, "and_", 2)
lower(operator.or_, "or_", 2)
lower(operator.ior, "or_", 2)
lower(operator.xor, "xor", 2)
lower(operator.ixor, "xor", 2)
lower(operator.invert, "not_", 1)


# Memory


def address(builder: Any, record: types.Record, pointer: Any, which: Any, row: Any) -> Any:
    """Return where a row of a set in a record is."""
    rows = record.typeof("sets")
    width = rows.dtype.bitwidth // 8
    at = builder.mul(which, I64(rows.shape[1] * width))
    at = builder.add(at, I64(record.offset("sets")))
    at = builder.add(at, builder.mul(row, I64(width)))
    return builder.gep(builder.bitcast(pointer, I8.as_pointer()), [at])


def set_pointer(context: Any, builder: Any, sig: Any, game: Any, which: Any, row: Any) -> Any:
    """Return where a set is, from a row on, or where the whole board is one set, from the first."""
    cells = cells_of(sig.args[0])
    whole = cells.lanes == sig.args[0].typeof("sets").shape[1]
    at = address(builder, sig.args[0], game, which, I64(0) if whole else row)
    return builder.bitcast(at, context.get_value_type(cells).as_pointer())


@intrinsic_from(lambda game, which, row: cells_of(game)(game, Int, Int))
def load(context: Any, builder: Any, sig: Any, game: Any, which: Any, row: Any) -> Any:
    """Return a set of a game, from a row on."""
    at = set_pointer(context, builder, sig, game, which, row)
    return builder.load(at, align=sig.return_type.bits // 8)


@intrinsic_from(lambda game, which, row, value: Void(game, Int, Int, cells_of(game)))
def store(
    context: Any, builder: Any, sig: Any, game: Any, which: Any, row: Any, value: Any
) -> None:
    """Keep a set of a game, from a row on."""
    at = set_pointer(context, builder, sig, game, which, row)
    builder.store(value, at, align=sig.args[3].bits // 8)


def word_pointer(builder: Any, sig: Any, game: Any, which: Any, index: Any) -> tuple[Any, int]:
    """Return where 64 bits of a set are, and what the address is a multiple of."""
    at = builder.bitcast(address(builder, sig.args[0], game, which, I64(0)), I64.as_pointer())
    return builder.gep(at, [index]), cells_of(sig.args[0]).bits // 8


@intrinsic_from(lambda game, which, index: Bits(game, Int, Int))
def load_word(context: Any, builder: Any, sig: Any, game: Any, which: Any, index: Any) -> Any:
    """Return 64 bits of a set of a game."""
    at, align = word_pointer(builder, sig, game, which, index)
    return builder.load(at, align=align)


@intrinsic_from(lambda game, which, index, value: Void(game, Int, Int, Bits))
def store_word(
    context: Any, builder: Any, sig: Any, game: Any, which: Any, index: Any, value: Any
) -> None:
    """Keep 64 bits of a set of a game."""
    at, align = word_pointer(builder, sig, game, which, index)
    builder.store(value, at, align=align)


@intrinsic_from(lambda game, which, row: Bits(game, Int, Int))
def load_row(context: Any, builder: Any, sig: Any, game: Any, which: Any, row: Any) -> Any:
    """Return a row of a set of a game, a bit for each column."""
    width = cells_of(sig.args[0]).bits
    at = address(builder, sig.args[0], game, which, row)
    found = builder.load(builder.bitcast(at, ir.IntType(width).as_pointer()), align=width // 8)
    return found if width == WORD else builder.zext(found, I64)


@intrinsic_from(lambda game, which, row, value: Void(game, Int, Int, Bits))
def store_row(
    context: Any, builder: Any, sig: Any, game: Any, which: Any, row: Any, value: Any
) -> None:
    """Keep a row of a set of a game."""
    width = cells_of(sig.args[0]).bits
    at = address(builder, sig.args[0], game, which, row)
    at = builder.bitcast(at, ir.IntType(width).as_pointer())
    builder.store(truncate(builder, value, width), at, align=width // 8)


# Windows


def window_rows(builder: Any, sig: Any, game: Any, which: Any, origin: Any) -> tuple[Any, Any]:
    """Return where the rows of a window begin in memory, and the column that it begins with."""
    cells = cells_of(sig.args[0])
    row = builder.lshr(origin, I64(cells.bits.bit_length() - 1))
    column = truncate(builder, builder.and_(origin, I64(cells.bits - 1)), cells.bits)
    vector = ir.VectorType(ir.IntType(cells.bits), WINDOW.lanes)
    at = address(builder, sig.args[0], game, which, row)
    return builder.bitcast(at, vector.as_pointer()), broadcast(builder, vector, column)


@intrinsic_from(lambda game, which, origin: WINDOW(game, Int, Int))
def load_window(context: Any, builder: Any, sig: Any, game: Any, which: Any, origin: Any) -> Any:
    """Return what of a set of a game is in the window from a place on."""
    at, column = window_rows(builder, sig, game, which, origin)
    found = builder.load(at, align=column.type.element.width // 8)
    if column.type.element.width == WINDOW.bits:
        return found
    return builder.trunc(builder.lshr(found, column), context.get_value_type(WINDOW))


def in_place(builder: Any, column: Any, cells: Any) -> Any:
    """Return the cells of a window as rows of the board."""
    if column.type.element.width == WINDOW.bits:
        return cells
    return builder.shl(builder.zext(cells, column.type), column)


@intrinsic_from(lambda game, which, origin, cells: Void(game, Int, Int, WINDOW))
def add_cells(
    context: Any, builder: Any, sig: Any, game: Any, which: Any, origin: Any, cells: Any
) -> None:
    """Put cells of the window from a place on into a set of a game."""
    at, column = window_rows(builder, sig, game, which, origin)
    align = column.type.element.width // 8
    found = builder.or_(builder.load(at, align=align), in_place(builder, column, cells))
    builder.store(found, at, align=align)


@intrinsic_from(lambda game, which, origin, cells: Void(game, Int, Int, WINDOW))
def remove_cells(
    context: Any, builder: Any, sig: Any, game: Any, which: Any, origin: Any, cells: Any
) -> None:
    """Take cells of the window from a place on out of a set of a game."""
    at, column = window_rows(builder, sig, game, which, origin)
    align, gone = column.type.element.width // 8, in_place(builder, column, cells)
    found = builder.and_(builder.load(at, align=align), builder.not_(gone))
    builder.store(found, at, align=align)


@intrinsic_from(lambda game, origin, place: Int(game, Int, Int))
def to_window(context: Any, builder: Any, sig: Any, game: Any, origin: Any, place: Any) -> Any:
    """Return the place in the window of a place of the board, or -1 where it is not in it."""
    cells = cells_of(sig.args[0])
    if cells == WINDOW:
        return place
    bits = cells.bits
    shift, last = I64(bits.bit_length() - 1), I64(bits - 1)
    row = builder.sub(builder.lshr(place, shift), builder.lshr(origin, shift))
    column = builder.sub(builder.and_(place, last), builder.and_(origin, last))
    inside = builder.and_(
        builder.icmp_unsigned("<", row, I64(WINDOW.lanes)),
        builder.icmp_unsigned("<", column, I64(WINDOW.bits)),
    )
    there = builder.add(builder.mul(row, I64(WINDOW.bits)), column)
    return builder.select(inside, there, I64(-1))


@intrinsic_from(lambda game, origin, place: Int(game, Int, Int))
def from_window(context: Any, builder: Any, sig: Any, game: Any, origin: Any, place: Any) -> Any:
    """Return the place of the board of a place in the window."""
    bits = cells_of(sig.args[0]).bits
    row = builder.lshr(place, I64(WINDOW.bits.bit_length() - 1))
    column = builder.and_(place, I64(WINDOW.bits - 1))
    return builder.add(origin, builder.add(builder.mul(row, I64(bits)), column))


# Constants of the compiler


@intrinsic_from(lambda game: Int(game))
def columns(context: Any, builder: Any, sig: Any, game: Any) -> Any:
    """Return how many places a row has."""
    return I64(cells_of(sig.args[0]).bits)


@intrinsic_from(lambda game: Int(game))
def rows(context: Any, builder: Any, sig: Any, game: Any) -> Any:
    """Return how many rows a set has in memory."""
    return I64(sig.args[0].typeof("sets").shape[1])


@intrinsic_from(lambda game: Int(game))
def lanes(context: Any, builder: Any, sig: Any, game: Any) -> Any:
    """Return how many rows a set has as a value."""
    return I64(cells_of(sig.args[0]).lanes)


@intrinsic_from(lambda game, place: Int(game, Int))
def row_of(context: Any, builder: Any, sig: Any, game: Any, place: Any) -> Any:
    """Return the row of a place of the board."""
    return builder.lshr(place, I64(cells_of(sig.args[0]).bits.bit_length() - 1))


@intrinsic_from(lambda game, place: Int(game, Int))
def column_of(context: Any, builder: Any, sig: Any, game: Any, place: Any) -> Any:
    """Return the column of a place of the board."""
    return builder.and_(place, I64(cells_of(sig.args[0]).bits - 1))


# Making sets


@intrinsic_from(lambda like, place: like(like, Int))
def single(context: Any, builder: Any, sig: Any, like: Any, place: Any) -> Any:
    """Return the set of one cell, or of none where the place is not in it."""
    cells, vector = sig.return_type, like.type
    row = builder.ashr(place, I64(cells.bits.bit_length() - 1))
    bit = builder.shl(I64(1), builder.and_(place, I64(cells.bits - 1)))
    # A row off the set must not come back into it when its number is made shorter.
    bit = builder.select(builder.icmp_unsigned("<", row, I64(cells.lanes)), bit, I64(0))
    there = broadcast(builder, vector, truncate(builder, row, cells.bits))
    bits = broadcast(builder, vector, truncate(builder, bit, cells.bits))
    here = builder.icmp_unsigned("==", lane_indices(vector), there)
    return builder.select(here, bits, splat(vector, 0))


@intrinsic_from(lambda like, begin, end: like(like, Int, Int))
def row_range(context: Any, builder: Any, sig: Any, like: Any, begin: Any, end: Any) -> Any:
    """Return the set of all places of some rows, from *begin* to before *end*."""
    vector, bits = like.type, sig.return_type.bits
    low, high = (broadcast(builder, vector, truncate(builder, row, bits)) for row in (begin, end))
    from_low = builder.icmp_signed(">=", lane_indices(vector), low)
    to_high = builder.icmp_signed("<", lane_indices(vector), high)
    return builder.sext(builder.and_(from_low, to_high), vector)


@intrinsic_from(lambda like: like(like))
def empty(context: Any, builder: Any, sig: Any, like: Any) -> Any:
    """Return the empty set."""
    return splat(like.type, 0)


def moves(cells: CellsType, east: Any, north: Any) -> Any:
    """Return the signature of a move by numbers that are known when it is compiled."""
    known = isinstance(east, types.IntegerLiteral) and isinstance(north, types.IntegerLiteral)
    return cells(cells, east, north) if known else None


@intrinsic_from(moves)
def shift(context: Any, builder: Any, sig: Any, cells: Any, east: Any, north: Any) -> Any:
    """Return a set moved by so many columns and rows; what leaves its columns and rows is lost."""
    dx, dy = (each.literal_value for each in sig.args[1:])
    vector, found = cells.type, cells
    if dx:
        shift = builder.shl if dx > 0 else builder.lshr
        found = shift(found, splat(vector, abs(dx)))
    if dy:
        # Of the lanes of two vectors, one behind the other: the second is empty.
        wanted = [lane - dy for lane in range(vector.count)]
        wanted = [lane if 0 <= lane < vector.count else vector.count for lane in wanted]
        numbers = splat(ir.VectorType(I32, vector.count), wanted)
        found = builder.shuffle_vector(found, splat(vector, 0), numbers)
    return found


# Asking sets


def as_words(builder: Any, cells: Any) -> Any:
    """Return a set as a vector of numbers of 64 bits."""
    size = cells.type.count * cells.type.element.width // WORD
    return builder.bitcast(cells, ir.VectorType(I64, size))


@intrinsic_from(lambda cells: Bool(cells))
def is_any(context: Any, builder: Any, sig: Any, cells: Any) -> Any:
    """Tell whether there is a cell in a set."""
    whole = ir.IntType(cells.type.count * cells.type.element.width)
    return builder.icmp_unsigned("!=", builder.bitcast(cells, whole), whole(0))


@intrinsic_from(lambda cells: Int(cells))
def count(context: Any, builder: Any, sig: Any, cells: Any) -> Any:
    """Return how many cells are in a set."""
    words = as_words(builder, cells)
    if words.type.count > MAX_SCALAR_WORDS:
        words = prefix_sums(builder, popcounts(builder, words))
        return builder.extract_element(words, I32(words.type.count - 1))
    each = [builder.extract_element(words, I32(place)) for place in range(words.type.count)]
    return reduce(builder.add, map(builder.ctpop, each))


@intrinsic_from(lambda cells, number: Int(cells, Int))
def nth_bit(context: Any, builder: Any, sig: Any, cells: Any, number: Any) -> Any:
    """Return the place of the *n*-th cell of a set, from 0."""
    words = as_words(builder, cells)
    find_word = find_word_scalar if words.type.count <= MAX_SCALAR_WORDS else find_word_vector
    here, begin, left = find_word(builder, words, number)
    find_bit = select_bit_pdep if has_pdep() else select_bit_halving
    return builder.add(begin, find_bit(builder, here, left))


@intrinsic_from(lambda bits: Int(Bits))
def lowest_bit(context: Any, builder: Any, sig: Any, bits: Any) -> Any:
    """Return the place of the lowest bit of a number that is not zero."""
    return builder.cttz(bits, I1(0))


@intrinsic_from(lambda bits: Int(Bits))
def popcount(context: Any, builder: Any, sig: Any, bits: Any) -> Any:
    """Return how many bits of a number are 1."""
    return builder.ctpop(bits)


# Bytes


@intrinsic_from(lambda array, begin: Bytes(array, Int))
def bytes_of(context: Any, builder: Any, sig: Any, array: Any, begin: Any) -> Any:
    """Return the bytes of an array, from one on."""
    data = context.make_array(sig.args[0])(context, builder, array).data
    return builder.gep(builder.bitcast(data, I8.as_pointer()), [begin])


@intrinsic_from(lambda data, at: Int(Bytes, Int))
def load_byte(context: Any, builder: Any, sig: Any, data: Any, at: Any) -> Any:
    """Return a byte."""
    return builder.zext(builder.load(builder.gep(data, [at])), I64)


@intrinsic_from(lambda data, at, value: Void(Bytes, Int, Int))
def store_byte(context: Any, builder: Any, sig: Any, data: Any, at: Any, value: Any) -> None:
    """Write a byte."""
    builder.store(builder.trunc(value, I8), builder.gep(data, [at]))


@intrinsic_from(lambda data, at, value, length: Void(Bytes, Int, Int, Int))
def fill_bytes(
    context: Any, builder: Any, sig: Any, data: Any, at: Any, value: Any, length: Any
) -> None:
    """Write the same byte so many times."""
    cgutils.memset(builder, builder.gep(data, [at]), length, builder.trunc(value, I8))


@intrinsic_from(lambda like, data, at, bits: Void(like, Bytes, Int, Bits))
def expand_row(
    context: Any, builder: Any, sig: Any, like: Any, data: Any, at: Any, bits: Any
) -> None:
    """Write a byte, 0 or 1, for each of the bits of a whole row."""
    width = sig.args[0].bits
    ones = builder.bitcast(truncate(builder, bits, width), ir.VectorType(I1, width))
    found = builder.zext(ones, ir.VectorType(I8, width))
    at = builder.bitcast(builder.gep(data, [at]), found.type.as_pointer())
    builder.store(found, at, align=1)


@intrinsic_from(lambda like, data, at, value: Bits(like, Bytes, Int, Int))
def compress_row(
    context: Any, builder: Any, sig: Any, like: Any, data: Any, at: Any, value: Any
) -> Any:
    """Return a bit for each byte of a whole row: whether the byte has a value."""
    width = sig.args[0].bits
    vector = ir.VectorType(I8, width)
    there = builder.load(builder.bitcast(builder.gep(data, [at]), vector.as_pointer()), align=1)
    wanted = broadcast(builder, vector, builder.trunc(value, I8))
    same = builder.icmp_unsigned("==", there, wanted)
    found = builder.bitcast(same, ir.IntType(width))
    return found if width == WORD else builder.zext(found, I64)
