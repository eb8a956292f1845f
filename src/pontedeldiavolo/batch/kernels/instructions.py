"""Writing instructions: what functions of compiled code are made of.

LLVM's instructions are written with a *builder*, one call for each. What comes out of one is a
value, to be handed to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

I1: Any = ir.IntType(1)
I8: Any = ir.IntType(8)
I32: Any = ir.IntType(32)
I64: Any = ir.IntType(64)
WORD = 64
Int: Any = types.int64
Bits: Any = types.uint64
Truth: Any = types.boolean
Nothing: Any = types.void
Write = Callable[..., Any]
"""Writes instructions, with a builder: for a signature, on the values of its arguments."""


def instruction(signed: Callable[..., Any]) -> Callable[[Write], Any]:
    """Make a function for compiled code of one that writes what it does.

    *Signed* returns the signature for the types of the arguments, or nothing where there is none.
    """

    def make(write: Write) -> Any:
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


def lane_numbers(vector: ir.VectorType) -> ir.Constant:
    """Return a vector of the numbers of its lanes."""
    return splat(vector, list(range(vector.count)))


def broadcast(builder: Any, vector: ir.VectorType, number: Any) -> Any:
    """Return a vector with the same number in all lanes."""
    unknown = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(unknown, number, I32(0))
    return builder.shuffle_vector(one, unknown, splat(ir.VectorType(I32, vector.count), 0))


def resized(builder: Any, number: Any, width: int) -> Any:
    """Return a number of 64 bits as one of fewer."""
    return number if width == WORD else builder.trunc(number, ir.IntType(width))


def bits_in_words(builder: Any, words: Any) -> Any:
    """Return a vector of how many bits of each number are 1."""
    kind = ir.FunctionType(words.type, [words.type])
    name = f"llvm.ctpop.v{words.type.count}i{WORD}"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [words])


def shifted(builder: Any, words: Any, lanes_on: int) -> Any:
    """Return a vector with its numbers so many lanes further on, and zeros before them."""
    size = words.type.count
    wanted = [lane - lanes_on if lane >= lanes_on else size for lane in range(size)]
    return builder.shuffle_vector(
        words, splat(words.type, 0), splat(ir.VectorType(I32, size), wanted)
    )


def sums(builder: Any, words: Any) -> Any:
    """Return a vector of sums: of each number and all before it."""
    step = 1
    while step < words.type.count:
        words, step = builder.add(words, shifted(builder, words, step)), 2 * step
    return words
