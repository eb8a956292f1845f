"""How kernels are compiled: Numba's decorators, and intrinsics written with LLVM's builder."""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import Parameter, Signature, signature
from operator import attrgetter
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.extending import intrinsic

JIT_DISABLED: bool = bool(config.DISABLE_JIT)
"""Whether nothing is compiled: ``NUMBA_DISABLE_JIT=1`` leaves functions as what they are."""

NJIT_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""What all functions have in common.

Arrays belong to callers, and compiled code makes none, so nobody need count who has them. Numba's
counting took a quarter of a pool's step, and threads that count the same arrays wait for one
another.
"""

F = TypeVar("F", bound=Callable[..., object])


class CacheFileName(str):
    """The name of a file in Numba's cache, a different one in each process.

    Numba numbers these files. Two processes that compile a function at once, for different boards,
    would give both files the same number, and later processes would run the wrong code.
    """

    __slots__ = ()

    def format(self, *values: object, **named: object) -> str:
        """Return the name with a number, and that of the process."""
        return super().format(*values, **named).replace(".nbc", f"-{os.getpid()}.nbc")


def njit_cached(function: F) -> F:
    """Compile *function* with Numba on its first call, and keep the code for later processes.

    Compiled functions run without the interpreter's lock. They make no arrays, nor other objects
    that Numba would have to free.
    """
    dispatcher = numba.njit(cache=True, **NJIT_OPTIONS)(function)
    if not JIT_DISABLED:
        file = attrgetter("_cache._cache_file")(dispatcher)
        vars(file)["_data_name_pattern"] = CacheFileName(file._data_name_pattern)
    # What Numba returns is called like the function itself.
    return cast(F, dispatcher)


def njit_inline(function: F) -> F:
    """Put the lines of *function* in place of every call, and compile them there alone.

    Left to LLVM, it would be compiled for itself as well: all that a program needs took twice as
    long to compile, and was no faster.
    """
    return cast(F, numba.njit(inline="always", **NJIT_OPTIONS)(function))


def njit_wrapping(function: F) -> F:
    """Compile *function*, whose numbers run over: on purpose, and compiled code does not mind."""
    return np.errstate(over="ignore")(function) if JIT_DISABLED else njit_cached(function)


I1: Any = ir.IntType(1)
I8: Any = ir.IntType(8)
I32: Any = ir.IntType(32)
I64: Any = ir.IntType(64)
WORD = 64
Int: Any = types.int64
Bits: Any = types.uint64
Bool: Any = types.boolean
Void: Any = types.void
Codegen = Callable[..., Any]
"""Writes instructions, with a builder: for a signature, on the values of its arguments."""


def intrinsic_from(signed: Callable[..., Any]) -> Callable[[Codegen], Any]:
    """Make a function for compiled code of one that writes what it does.

    *Signed* returns the signature for the types of the arguments, or nothing where there is none.
    """

    def make(write: Codegen) -> Any:
        def define(_: Any, *given: Any) -> Any:
            found = signed(*given)

            def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
                written = write(context, builder, sig, *values)
                return context.get_dummy_value() if written is None else written

            return found and (found, generate)

        # Numba asks for the names of the arguments.
        names = (
            Parameter("typing", Parameter.POSITIONAL_ONLY),
            *signature(signed).parameters.values(),
        )
        define.__signature__ = Signature([each.replace(kind=names[0].kind) for each in names])
        define.__name__ = define.__qualname__ = write.__name__
        define.__doc__ = write.__doc__
        return intrinsic(prefer_literal=True)(define)

    return make


# Vectors


def splat(vector: ir.VectorType, values: list[int] | int) -> ir.Constant:
    """Return a constant vector."""
    numbers = [values] * vector.count if isinstance(values, int) else values
    full = (1 << vector.element.width) - 1
    return ir.Constant(vector, [ir.Constant(vector.element, number & full) for number in numbers])


def lane_indices(vector: ir.VectorType) -> ir.Constant:
    """Return a vector of the numbers of its lanes."""
    return splat(vector, list(range(vector.count)))


def broadcast(builder: Any, vector: ir.VectorType, number: Any) -> Any:
    """Return a vector with the same number in all lanes."""
    unknown = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(unknown, number, I32(0))
    return builder.shuffle_vector(one, unknown, splat(ir.VectorType(I32, vector.count), 0))


def truncate(builder: Any, number: Any, width: int) -> Any:
    """Return a number of 64 bits as one of fewer."""
    return number if width == WORD else builder.trunc(number, ir.IntType(width))


def popcounts(builder: Any, words: Any) -> Any:
    """Return a vector of how many bits of each number are 1."""
    kind = ir.FunctionType(words.type, [words.type])
    name = f"llvm.ctpop.v{words.type.count}i{WORD}"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [words])


def shift_lanes(builder: Any, words: Any, lanes_on: int) -> Any:
    """Return a vector with its numbers so many lanes further on, and zeros before them."""
    size = words.type.count
    wanted = [lane - lanes_on if lane >= lanes_on else size for lane in range(size)]
    return builder.shuffle_vector(
        words, splat(words.type, 0), splat(ir.VectorType(I32, size), wanted)
    )


def prefix_sums(builder: Any, words: Any) -> Any:
    """Return a vector of sums: of each number and all before it."""
    step = 1
    while step < words.type.count:
        words, step = builder.add(words, shift_lanes(builder, words, step)), 2 * step
    return words
