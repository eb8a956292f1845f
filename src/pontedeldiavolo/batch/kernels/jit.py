"""Compilation of kernels: decorators, and instructions on vectors.

LLVM splits a vector that the processor does not support into several that it does, or into plain
numbers. Only one special instruction is worth using: ``pdep`` finds the *n*-th bit of a word.
Without it, this takes six halvings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from logging import INFO, WARNING, getLogger
from pathlib import Path
from typing import Any, TypeVar, cast
from uuid import uuid4

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, config, types
from numba.core.caching import FunctionCache, NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

JIT_DISABLED: bool = bool(config.DISABLE_JIT)
"""True if nothing is compiled: ``NUMBA_DISABLE_JIT=1`` turns compilation off."""

NJIT_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}
"""The options of all functions. No C code calls them.

Arrays belong to callers, and compiled code creates none, so references need not be counted. Numba's
reference counting took a quarter of a pool's step, and threads that count references to the same
arrays wait for one another.
"""

F = TypeVar("F", bound=Callable[..., object])


class CacheFileName(str):
    """The name of a file in Numba's cache, unique each time that a file is written.

    Numba numbers these files. If two processes compiled a function at once, for different boards,
    both files would get the same number, and later processes would run the wrong code.
    """

    __slots__ = ()

    def format(self, *values: object, **named: object) -> str:
        """Return the formatted name with a random suffix."""
        return super().format(*values, **named).replace(".nbc", f"-{uuid4().hex[:16]}.nbc")


KERNEL_FOLDERS = ("base", "batch", "board", "players/mcts", "state")
"""The folders of the kernels and of the constants that they use."""
LOGGER = getLogger("pontedeldiavolo.batch")
TOLD: dict[int, str] = {}
"""The messages that were reported, by their levels."""


def tell_once(level: int, text: str) -> None:
    """Report a message, but only the first of each level: on a terminal, or else to the log."""
    if level in TOLD:
        return
    TOLD[level] = text
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"pontedeldiavolo: {text}\n")
    else:
        LOGGER.log(level, text)


@cache
def source_stamp() -> str:
    """Return a hash of all source that kernels are compiled from.

    A kernel contains the code of all functions that it calls, but Numba checks only the kernel's
    own file: without this hash, it might run the code of an earlier version after an upgrade.
    """
    digest = sha256()
    for folder in KERNEL_FOLDERS:
        for path in sorted((Path(__file__).parents[2] / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class KernelCache(FunctionCache):
    """The folder in which Numba keeps the compiled code of a kernel."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        file = self._cache_file
        file._data_name_pattern = CacheFileName(file._data_name_pattern)
        file._source_stamp = file._source_stamp, source_stamp()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return cached code; if there is none, report where it will be kept."""
        found = super().load_overload(sig, target_context)
        if found is None:
            tell_once(INFO, f"compiling for some seconds; the code is kept in {self.cache_path}")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save code; if the folder can no longer be written to, report that."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            tell_once(WARNING, f"compiled code cannot be kept: {error}")


class NoCache(NullCache):
    """A cache that keeps nothing, for when no folder can be written to."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Report that each process compiles."""
        tell_once(
            WARNING,
            "compiling for some seconds; the code cannot be kept, because no folder for it can be"
            " written to: set NUMBA_CACHE_DIR",
        )
        return super().load_overload(sig, target_context)


def cache_of(function: Any) -> KernelCache | NoCache:
    """Return the cache of a kernel."""
    try:
        return KernelCache(function)
    except RuntimeError:  # Numba finds no folder
        return NoCache()


class KernelCode(JITCodeLibrary):
    """The code of a kernel, linked with the code of all functions that it calls."""

    def add_linking_library(self, library: Any) -> None:
        """Link the code of a called function, and of the functions that it calls in turn."""
        called = library._linking_libraries if isinstance(library, InternalCode) else ()
        for each in (library, *called):
            if each not in self._linking_libraries:
                super().add_linking_library(each)

    def _optimize_final_module(self) -> None:
        """Optimise everything once; Numba does so twice, with a pass on references in between."""
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class InternalCode(KernelCode):
    """The unoptimised code of an internal function: it is optimised in the kernels that call it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def finalize(self) -> None:
        """Mark it as final: it is not linked, optimised or turned into machine code alone."""
        self._finalized = True


class KernelCompiler(Compiler):
    """Compile a kernel."""

    code: type[KernelCode] = KernelCode

    def __init__(self, typing: Any, target: Any, _library: None, *others: Any) -> None:
        library = self.code(target.codegen(), "kernel")
        library.enable_object_caching()
        super().__init__(typing, target, library, *others)


class InternalCompiler(KernelCompiler):
    """Compile a function that only kernels call."""

    code: type[KernelCode] = InternalCode

    def compile_extra(self, func: Any) -> Any:
        """Return the compiled function. Python cannot call it: the entry point is a placeholder."""
        self.state.flags.no_compile = True
        found = super().compile_extra(func)._replace(entry_point={}.update)
        self.state.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        return found


class KernelDispatcher(CPUDispatcher):
    """A function that is compiled once, even if callers pass constants.

    Numba would compile it again for each constant whole number or truth value.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the call template of Numba for these types."""
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), named)


def compiled(function: Any, compiler: type[Compiler], **options: object) -> Any:
    """Return a function that is compiled on its first call."""
    if JIT_DISABLED:
        return function
    options = {"nopython": True, **NJIT_OPTIONS, **options}
    return KernelDispatcher(function, targetoptions=options, pipeline_class=compiler)


def njit_cached(function: F) -> F:
    """Compile a kernel with Numba on its first call, and keep the code for later processes.

    Kernels release the global interpreter lock. They create no arrays or other objects that Numba
    would have to free.
    """
    dispatcher = compiled(function, KernelCompiler)
    if not JIT_DISABLED:
        vars(dispatcher)["_cache"] = cache_of(function)
    # The dispatcher is called like the function itself.
    return cast(F, dispatcher)


def njit_internal(function: F) -> F:
    """Compile a function that only kernels call, as a part of each of them.

    Numba would optimise each function together with all that it calls, and make it callable from
    Python: a function with many callers was optimised many times, and compilation took twice as
    long.
    """
    return cast(F, compiled(function, InternalCompiler, no_cpython_wrapper=True, forceinline=False))


def njit_inline(function: F) -> F:
    """Compile a function that only kernels call, and let LLVM inline it in every call."""
    options = {"no_cpython_wrapper": True, "forceinline": True}
    return cast(F, compiled(function, InternalCompiler, **options))


def njit_wrapping(function: F) -> F:
    """Compile an internal *function* whose integers wrap around; uncompiled, ignore overflow."""
    return np.errstate(over="ignore")(function) if JIT_DISABLED else njit_internal(function)


I1: Any = ir.IntType(1)
I8: Any = ir.IntType(8)
I32: Any = ir.IntType(32)
I64: Any = ir.IntType(64)
WORD = 64
INTRINSICS: dict[str, Any] = {}
"""The functions of :mod:`~pontedeldiavolo.batch.kernels.vectors` by their names."""


def use_intrinsics(names: dict[str, Any]) -> None:
    """Replace a module's plain functions by the intrinsics of the same names, for compilation."""
    if not JIT_DISABLED:
        import_module(f"{__package__}.vectors")
        names.update({name: INTRINSICS[name] for name in names.keys() & INTRINSICS.keys()})


# Vectors

WIDEST = 1024
"""A set as a value has at most this many bits: on larger boards it holds only some rows."""


def splat(vector: ir.VectorType, values: list[int] | int) -> ir.Constant:
    """Return a constant vector."""
    numbers = [values] * vector.count if isinstance(values, int) else values
    full = (1 << vector.element.width) - 1
    return ir.Constant(vector, [ir.Constant(vector.element, number & full) for number in numbers])


def lane_indices(vector: ir.VectorType) -> ir.Constant:
    """Return a vector with the index of each lane."""
    return splat(vector, list(range(vector.count)))


def broadcast(builder: Any, vector: ir.VectorType, number: Any) -> Any:
    """Return a vector with the same number in all lanes, cut to their width."""
    unknown = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(unknown, builder.trunc(number, vector.element), I32(0))
    return builder.shuffle_vector(one, unknown, splat(ir.VectorType(I32, vector.count), 0))


def popcounts(builder: Any, words: Any) -> Any:
    """Return a vector with the number of 1 bits in each word."""
    kind = ir.FunctionType(words.type, [words.type])
    name = f"llvm.ctpop.v{words.type.count}i{WORD}"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [words])


def shift_lanes(builder: Any, words: Any, lanes_on: int) -> Any:
    """Return a vector with its numbers shifted by *lanes_on* lanes, and zeros elsewhere."""
    # The indices select lanes from two concatenated vectors, of which the second is all zeros.
    size = words.type.count
    wanted = [lane - lanes_on if 0 <= lane - lanes_on < size else size for lane in range(size)]
    return builder.shuffle_vector(
        words, splat(words.type, 0), splat(ir.VectorType(I32, size), wanted)
    )


def prefix_sums(builder: Any, words: Any) -> Any:
    """Return a vector of prefix sums: each number plus all before it."""
    step = 1
    while step < words.type.count:
        words, step = builder.add(words, shift_lanes(builder, words, step)), 2 * step
    return words


MAX_SCALAR_WORDS = 4
"""Up to this many words, it is faster to look at one after another."""
SLOW_PDEP = {"znver1", "znver2", "bdver4"}
"""Processors that have ``pdep``, but are slower with it than without."""


def find_word_scalar(builder: Any, words: Any, number: Any) -> tuple[Any, Any, Any]:
    """Return the word with the *n*-th bit, the place of its first bit, and the bit's rank in it."""
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
    """Return the same as ``find_word_scalar``, computed for all words at once."""
    found = prefix_sums(builder, popcounts(builder, words))
    # The number of words that end before the bit is the index of its word.
    vector = words.type
    before = builder.icmp_signed("<=", found, broadcast(builder, vector, number))
    index = builder.zext(builder.ctpop(builder.bitcast(before, ir.IntType(vector.count))), I64)
    left = builder.sub(number, builder.extract_element(shift_lanes(builder, found, 1), index))
    here = builder.extract_element(words, index)
    return here, builder.mul(index, I64(WORD)), left


def has_pdep() -> bool:
    """Return whether code is compiled for a processor with a fast ``pdep``."""
    if config.CPU_NAME or config.CPU_FEATURES is not None:
        return "+bmi2" in (config.CPU_FEATURES or "")
    quick = binding.get_host_cpu_name() not in SLOW_PDEP
    return quick and bool(binding.get_host_cpu_features().get("bmi2", False))


def select_bit_pdep(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number, using ``pdep`` and a count of zeros."""
    kind = ir.FunctionType(I64, [I64, I64])
    pdep = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
    return builder.cttz(builder.call(pdep, [builder.shl(I64(1), n), number]), I1(0))


def select_bit_halving(builder: Any, number: Any, n: Any) -> Any:
    """Return the place of the *n*-th bit of a number by binary search."""
    place, left = I64(0), n
    for width in (32, 16, 8, 4, 2, 1):
        low = builder.and_(builder.lshr(number, place), I64((1 << width) - 1))
        bits = builder.ctpop(low)
        beyond = builder.icmp_signed(">=", left, bits)
        left = builder.select(beyond, builder.sub(left, bits), left)
        place = builder.select(beyond, builder.add(place, I64(width)), place)
    return place
