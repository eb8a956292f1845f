"""Counters that several threads write to, by atomic instructions of the processor.

What one thread reads, adds and writes back another may have changed meanwhile. An atomic
instruction does all three as one, and a thread that sees its result also sees all that its writer
had written before. Uncompiled, :mod:`~pontedeldiavolo.batch.kernels.worker_loop` has functions of
the same names.
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from pontedeldiavolo.batch.kernels.jit import I32, Int, Void, intrinsic_from

ORDER = "seq_cst"
"""All threads see all of it happen in the same order."""
BYTES = 8


def pointer_to(context: Any, builder: Any, kind: Any, counters: Any, at: Any) -> Any:
    """Return where in memory a number of an array is."""
    return builder.gep(context.make_array(kind)(context, builder, counters).data, [at])


@intrinsic_from(lambda counters, at: Int(counters, Int))
def atomic_load(context: Any, builder: Any, sig: Any, counters: Any, at: Any) -> Any:
    """Return a number."""
    place = pointer_to(context, builder, sig.args[0], counters, at)
    return builder.load_atomic(place, ORDER, BYTES)


@intrinsic_from(lambda counters, at, value: Void(counters, Int, Int))
def atomic_store(context: Any, builder: Any, sig: Any, counters: Any, at: Any, value: Any) -> None:
    """Set a number."""
    place = pointer_to(context, builder, sig.args[0], counters, at)
    builder.store_atomic(value, place, ORDER, BYTES)


@intrinsic_from(lambda counters, at, more: Int(counters, Int, Int))
def fetch_add(context: Any, builder: Any, sig: Any, counters: Any, at: Any, more: Any) -> Any:
    """Add to a number, and return what it was before."""
    place = pointer_to(context, builder, sig.args[0], counters, at)
    return builder.atomic_rmw("add", place, more, ORDER)


@intrinsic_from(lambda counters, at, most: Int(counters, Int, Int))
def fetch_min(context: Any, builder: Any, sig: Any, counters: Any, at: Any, most: Any) -> Any:
    """Make a number no greater than another, and return what it was before."""
    place = pointer_to(context, builder, sig.args[0], counters, at)
    return builder.atomic_rmw("min", place, most, ORDER)


@intrinsic_from(lambda: Void())
def pause(context: Any, builder: Any, sig: Any) -> None:
    """Wait for a moment: some processors have an instruction for it, and save power."""
    name, given = {
        "x86_64": ("llvm.x86.sse2.pause", []),
        "aarch64": ("llvm.aarch64.hint", [I32(1)]),
    }.get(_machine(), ("llvm.donothing", []))
    kind = ir.FunctionType(ir.VoidType(), [each.type for each in given])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)


def _machine() -> str:
    """Return the processors' kind by its name on Linux."""
    found = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(found, found)
