"""Sets of cells in compiled code: vectors of the processor.

Compiled code works on values of the machine. Most are 64-bit numbers, but processors also have
*vectors*: registers that hold several numbers, their *lanes*, and instructions that perform the
same operation on all lanes at once. A set of cells is such a vector: a lane for each row of the
board, a bit for each column. A board of 10×10 takes 16 lanes of 16 bits, 256 bits in all, and "all
cells of one set that are not in another" is one instruction, regardless of the sets.

Numba knows no such type. This file teaches it one, :class:`CellsType`, in three steps:

- *The value.* Numba translates to LLVM, a language in which a vector is a type like any other,
  written ``<16 x i16>``. ``CellsModel`` says that a set is one.
- *The operators* ``&``, ``|``, ``^`` and ``~``: the types that they take, and the instructions.
- *Functions*: when it is compiled, each derives its signature from the types of its arguments, and
  then writes its instructions with a *builder*.

All of this runs on any processor: LLVM splits a vector that the processor does not support into
several that it does, or into plain numbers.

The same functions on Python's integers are in :mod:`~pontedeldiavolo.batch.kernels.cells`. This
file also has functions for counters that several threads share: atomic instructions.
"""

from __future__ import annotations

import operator
import platform
from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import register_model
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.core.typing.templates import signature as typed
from numba.extending import intrinsic, lower_builtin

from .jit import (
    I1,
    I8,
    I32,
    I64,
    INTRINSICS,
    MAX_SCALAR_WORDS,
    WIDEST,
    WORD,
    broadcast,
    find_word_scalar,
    find_word_vector,
    has_pdep,
    lane_indices,
    popcounts,
    prefix_sums,
    select_bit_halving,
    select_bit_pdep,
    shift_lanes,
    splat,
)

Int: Any = types.int64
Bits: Any = types.uint64
Bool: Any = types.boolean
Void: Any = types.void
Bytes: Any = types.CPointer(types.uint8)


class CellsType(types.Type):
    """A set of cells: *lanes* rows of *bits* columns."""

    def __init__(self, lanes: int, bits: int) -> None:
        self.lanes: int = lanes
        self.bits: int = bits
        super().__init__(name=f"Cells({lanes}x{bits})")


def vector_of(cells: CellsType) -> ir.VectorType:
    """Return the LLVM vector type for a type of sets."""
    return ir.VectorType(ir.IntType(cells.bits), cells.lanes)


@register_model(CellsType)
class CellsModel(models.PrimitiveModel):
    """A set is a vector."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, vector_of(fe_type))


Cells = CellsType
WINDOW = CellsType(16, 16)
"""The type of a set in a window."""


def cells_of(record: Any) -> CellsType:
    """Return the type of the sets in a type of records."""
    rows = record.typeof("sets")
    bits = rows.dtype.bitwidth
    return CellsType(min(rows.shape[1], WIDEST // bits), bits)


# Operators


class Operator(AbstractTemplate):
    """An operator on sets of one type, whose result is of that type."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Return the signature for these arguments, if there is one."""
        fits = not kws and isinstance(args[0], CellsType) and {*args} == {args[0]}
        return typed(args[0], *args) if fits else None


def define_operator(operation: Any, instruction: str) -> None:
    """Implement an operator on sets by an LLVM instruction."""

    def write(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        return getattr(builder, instruction)(*values)

    infer_global(operation)(type(instruction, (Operator,), {}))
    operands = 1 if operation is operator.invert else 2
    lower_builtin(operation, *[CellsType] * operands)(write)


for _name, _operations in {
    "and_": (operator.and_, operator.iand),
    "or_": (operator.or_, operator.ior),
    "xor": (operator.xor, operator.ixor),
    "not_": (operator.invert,),
}.items():
    for _operation in _operations:
        define_operator(_operation, _name)


# Intrinsics


class Sets:
    """The sets in the memory of a record: their type, number of rows, and address."""

    def __init__(self, record: types.Record, pointer: Any) -> None:
        self.cells: CellsType = cells_of(record)
        self.bits: int = self.cells.bits
        self.align: int = self.bits // 8
        self.rows: int = record.typeof("sets").shape[1]
        self.offset: int = record.offset("sets")
        self.pointer: Any = pointer

    def address(self, builder: Any, which: Any, row: Any, kind: Any) -> Any:
        """Return the address of a row of a set, as a pointer to values of a kind."""
        at = builder.mul(which, I64(self.rows * self.align))
        at = builder.add(at, I64(self.offset))
        at = builder.add(at, builder.mul(row, I64(self.align)))
        at = builder.gep(builder.bitcast(self.pointer, I8.as_pointer()), [at])
        return builder.bitcast(at, kind.as_pointer())

    def set_address(self, builder: Any, which: Any, row: Any) -> Any:
        """Return the address of a set from a row on; from row 0 if a value holds all rows."""
        row = I64(0) if self.cells.lanes == self.rows else row
        return self.address(builder, which, row, vector_of(self.cells))

    def split(self, builder: Any, place: Any) -> tuple[Any, Any]:
        """Return the row and the column of a place."""
        row = builder.lshr(place, I64(self.bits.bit_length() - 1))
        return row, builder.and_(place, I64(self.bits - 1))


def simplified(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return an array's data, a record's sets, the number of a literal, or any other value."""
    if isinstance(kind, types.Array):
        return context.make_array(kind)(context, builder, value).data
    if isinstance(kind, types.Record):
        return Sets(kind, value)
    return kind.literal_value if isinstance(kind, types.IntegerLiteral) else value


def intrinsic_from(signed: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Turn a function that writes instructions with a builder into one for compiled code.

    *Signed* returns the signature for the types of the arguments, or ``None`` if there is none.
    """

    def make(write: Callable[..., Any]) -> Any:
        def define(_: Any, *given: Any) -> Any:
            found = signed(*given)

            def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
                pairs = zip(sig.args, values, strict=True)
                known = [simplified(context, builder, kind, value) for kind, value in pairs]
                written = write(builder, *known)
                return context.get_dummy_value() if written is None else written

            return found and (found, generate)

        # Numba reads the names of the arguments from the signature.
        names = [Parameter("typing", Parameter.POSITIONAL_ONLY)]
        names += signature(signed).parameters.values()
        define.__signature__ = Signature([each.replace(kind=names[0].kind) for each in names])
        define.__name__ = define.__qualname__ = write.__name__
        define.__doc__ = write.__doc__
        made = INTRINSICS[write.__name__] = intrinsic(prefer_literal=True)(define)
        return made

    return make


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


# Windows


def window_rows(builder: Any, game: Sets, which: Any, origin: Any) -> tuple[Any, Any]:
    """Return the address of the rows of a window, and a vector of its first column."""
    row, column = game.split(builder, origin)
    vector = ir.VectorType(ir.IntType(game.bits), WINDOW.lanes)
    # Sets with 16 columns have windows in column 0 alone.
    column = column if game.bits > WINDOW.bits else I64(0)
    return game.address(builder, which, row, vector), broadcast(builder, vector, column)


@intrinsic_from(lambda game, which, origin: WINDOW(game, Int, Int))
def load_window(builder: Any, game: Sets, which: Any, origin: Any) -> Any:
    """Return the part of a set of a game that lies in the window at *origin*."""
    at, column = window_rows(builder, game, which, origin)
    found = builder.lshr(builder.load(at, align=game.align), column)
    return builder.trunc(found, vector_of(WINDOW))


def in_place(builder: Any, column: Any, cells: Any) -> Any:
    """Return the cells of a window as rows of the board."""
    return builder.shl(builder.zext(cells, column.type), column)


@intrinsic_from(lambda game, which, origin, cells: Void(game, Int, Int, WINDOW))
def add_cells(builder: Any, game: Sets, which: Any, origin: Any, cells: Any) -> None:
    """Add cells of the window at *origin* to a set of a game."""
    at, column = window_rows(builder, game, which, origin)
    found = builder.or_(builder.load(at, align=game.align), in_place(builder, column, cells))
    builder.store(found, at, align=game.align)


@intrinsic_from(lambda game, which, origin, cells: Void(game, Int, Int, WINDOW))
def remove_cells(builder: Any, game: Sets, which: Any, origin: Any, cells: Any) -> None:
    """Remove cells of the window at *origin* from a set of a game."""
    at, column = window_rows(builder, game, which, origin)
    gone = in_place(builder, column, cells)
    found = builder.and_(builder.load(at, align=game.align), builder.not_(gone))
    builder.store(found, at, align=game.align)


# Places


@intrinsic_from(lambda game, place: Int(game, Int))
def row_of(builder: Any, game: Sets, place: Any) -> Any:
    """Return the row of a place on the board."""
    return game.split(builder, place)[0]


@intrinsic_from(lambda game, place: Int(game, Int))
def column_of(builder: Any, game: Sets, place: Any) -> Any:
    """Return the column of a place on the board."""
    return game.split(builder, place)[1]


# Making sets


@intrinsic_from(lambda like, place: like(like, Int))
def single(builder: Any, like: Any, place: Any) -> Any:
    """Return the set of one cell, or the empty set if the place lies outside."""
    vector, bits = like.type, like.type.element.width
    row = builder.ashr(place, I64(bits.bit_length() - 1))
    bit = builder.shl(I64(1), builder.and_(place, I64(bits - 1)))
    # Truncating the number of a row outside the set must not move it into the set.
    bit = builder.select(builder.icmp_unsigned("<", row, I64(vector.count)), bit, I64(0))
    here = builder.icmp_unsigned("==", lane_indices(vector), broadcast(builder, vector, row))
    return builder.select(here, broadcast(builder, vector, bit), splat(vector, 0))


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
    return splat(like.type, 0)


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
        found = shift(found, splat(cells.type, abs(east)))
    return shift_lanes(builder, found, north) if north else found


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


@intrinsic_from(lambda cells: Int(cells))
def count(builder: Any, cells: Any) -> Any:
    """Return the number of cells in a set."""
    sums = prefix_sums(builder, popcounts(builder, as_words(builder, cells)))
    return builder.extract_element(sums, I32(sums.type.count - 1))


@intrinsic_from(lambda cells, number: Int(cells, Int))
def nth_bit(builder: Any, cells: Any, number: Any) -> Any:
    """Return the place of the *n*-th cell of a set, from 0."""
    words = as_words(builder, cells)
    find_word = find_word_scalar if words.type.count <= MAX_SCALAR_WORDS else find_word_vector
    here, begin, left = find_word(builder, words, number)
    find_bit = select_bit_pdep if has_pdep() else select_bit_halving
    return builder.add(begin, find_bit(builder, here, left))


@intrinsic_from(lambda bits: Int(Bits))
def lowest_bit(builder: Any, bits: Any) -> Any:
    """Return the place of the lowest bit of a number that is not zero."""
    return builder.cttz(bits, I1(0))


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
    kind = ir.FunctionType(ir.VoidType(), [I8.as_pointer(), I32, I32, I32])
    fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    with cgutils.for_range_slice(builder, I64(0), length, I64(64)) as (begin, _):
        builder.call(fetch, [builder.gep(data, [begin]), I32(1), I32(3), I32(1)])


@intrinsic_from(lambda data, at, word: Void(Bytes, Int, Bits))
def store_bytes(builder: Any, data: Any, at: Any, word: Any) -> None:
    """Write eight bytes, the lowest first."""
    there = builder.bitcast(builder.gep(data, [at]), I64.as_pointer())
    builder.store(word, there, align=1)


@intrinsic_from(lambda data, at, value, length: Void(Bytes, Int, Int, Int))
def fill_bytes(builder: Any, data: Any, at: Any, value: Any, length: Any) -> None:
    """Write the same byte to each of *length* places."""
    cgutils.memset(builder, builder.gep(data, [at]), length, builder.trunc(value, I8))


def row_bytes(builder: Any, like: Any, data: Any, at: Any) -> Any:
    """Return the address of the bytes for the columns of a whole row."""
    vector = ir.VectorType(I8, like.type.element.width)
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


@intrinsic_from(lambda like, data, at, bits: Void(like, Bytes, Int, Bits))
def expand_row(builder: Any, like: Any, data: Any, at: Any, bits: Any) -> None:
    """Write a byte, 0 or 1, for each of the bits of a whole row."""
    there, width = row_bytes(builder, like, data, at), like.type.element.width
    ones = builder.bitcast(builder.trunc(bits, ir.IntType(width)), ir.VectorType(I1, width))
    builder.store(builder.zext(ones, there.type.pointee), there, align=1)


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


@intrinsic_from(lambda counters, at, most: Int(counters, Int, Int))
def fetch_min(builder: Any, counters: Any, at: Any, most: Any) -> Any:
    """Lower a number to at most *most*, and return the number before."""
    return builder.atomic_rmw("min", builder.gep(counters, [at]), most, ORDER)


@intrinsic_from(lambda: Void())
def pause(builder: Any) -> None:
    """Wait for a moment, on some processors by an instruction that saves power."""
    machine = platform.machine().lower()
    if machine in {"x86_64", "amd64"}:
        _call(builder, "llvm.x86.sse2.pause")
    elif machine in {"aarch64", "arm64"}:
        _call(builder, "llvm.aarch64.hint", I32(1))


@intrinsic_from(lambda: Void())
def give_way(builder: Any) -> None:
    """Let another thread have this processor, if the C library supports that."""
    if platform.system() in {"Linux", "Darwin"}:
        # The result can be ignored: it is always 0.
        _call(builder, "sched_yield")


def _call(builder: Any, name: str, *given: Any) -> None:
    """Call a function of LLVM or of the C library, and ignore its result."""
    kind = ir.FunctionType(ir.VoidType(), [each.type for each in given])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
