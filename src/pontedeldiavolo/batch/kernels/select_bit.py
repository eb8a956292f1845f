"""Finding the *n*-th of all bits: first the word that it is in, then the bit.

LLVM turns a vector that the processor does not have into several that it has, or into plain
numbers. Only for the *n*-th bit of a word is there an instruction that is worth asking for,
``pdep``; where it is missing, six halvings do.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, config

from pontedeldiavolo.batch.kernels.jit import (
    I1,
    I32,
    I64,
    WORD,
    broadcast,
    popcounts,
    prefix_sums,
    shift_lanes,
)

MAX_SCALAR_WORDS = 4
"""So many numbers are quicker looked at one after another."""
SLOW_PDEP = {"znver1", "znver2", "bdver4"}
"""Processors that have ``pdep`` and take longer with it than without."""


def find_word_scalar(builder: Any, words: Any, number: Any) -> tuple[Any, Any, Any]:
    """Return the word with the *n*-th bit of all, its first place, and the bit's number there."""
    each = [builder.extract_element(words, I32(place)) for place in range(words.type.count)]
    here, begin, left, beyond = each[0], I64(0), number, I1(1)
    for place, following in enumerate(each[1:], 1):
        bits = builder.ctpop(each[place - 1])
        beyond = builder.and_(beyond, builder.icmp_signed(">=", left, bits))
        left = builder.select(beyond, builder.sub(left, bits), left)
        here = builder.select(beyond, following, here)
        begin = builder.select(beyond, I64(WORD * place), begin)
    return here, begin, left


def find_word_vector(builder: Any, words: Any, number: Any) -> tuple[Any, Any, Any]:
    """Return the same, found for all words together."""
    found = prefix_sums(builder, popcounts(builder, words))
    # The words that end before it come first, and their number is the place of its own.
    vector = words.type
    before = builder.icmp_signed("<=", found, broadcast(builder, vector, number))
    index = builder.zext(builder.ctpop(builder.bitcast(before, ir.IntType(vector.count))), I64)
    left = builder.sub(number, builder.extract_element(shift_lanes(builder, found, 1), index))
    here = builder.extract_element(words, index)
    return here, builder.mul(index, I64(WORD)), left


def has_pdep() -> bool:
    """Tell whether code is compiled for a processor with a quick ``pdep``."""
    if config.CPU_NAME or config.CPU_FEATURES is not None:
        return "+bmi2" in (config.CPU_FEATURES or "")
    quick = binding.get_host_cpu_name() not in SLOW_PDEP
    return quick and bool(binding.get_host_cpu_features().get("bmi2", False))


def select_bit_pdep(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number, by one instruction and another."""
    kind = ir.FunctionType(I64, [I64, I64])
    pdep = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
    return builder.cttz(builder.call(pdep, [builder.shl(I64(1), n), number]), I1(0))


def select_bit_halving(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number: in its lower or upper half, and so on."""
    place, left = I64(0), n
    for width in (32, 16, 8, 4, 2, 1):
        low = builder.and_(builder.lshr(number, place), I64((1 << width) - 1))
        bits = builder.ctpop(low)
        beyond = builder.icmp_signed(">=", left, bits)
        left = builder.select(beyond, builder.sub(left, bits), left)
        place = builder.select(beyond, builder.add(place, I64(width)), place)
    return place
