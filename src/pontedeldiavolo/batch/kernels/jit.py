"""Compilation of kernels: decorators, and the type of sets of cells.

A set of cells is a vector of the processor, see :mod:`~pontedeldiavolo.batch.kernels.vectors`.
Numba has no such type. Three steps add it:

- *The value.* Numba translates to LLVM, a language in which a vector is a type like any other,
  written ``<16 x i16>``. ``CellsModel`` says that a set is one.
- *The operators* ``&``, ``|``, ``^`` and ``~``: the types that they take, and the instructions.
- *Functions*: ``intrinsic_from`` makes them of functions that write instructions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from hashlib import sha256
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from .announcements import announce_compilation, warn_not_kept
from .code_cache import CodeFolder, cache_root, code_folder, code_stamp, current_stamp
from .dependencies import dependencies_of, have_changed
from .numba_internals import (
    CodeFiles,
    array_data,
    compile_internal,
    compile_kernel,
    no_result,
)

JIT_DISABLED: bool = bool(config.DISABLE_JIT)
"""True if nothing is compiled: ``NUMBA_DISABLE_JIT=1`` turns compilation off."""

F = TypeVar("F", bound=Callable[..., object])


# Kept code

NO_SOURCES = "the package's modules cannot be read as files"
NO_FOLDER = "there is no home folder"
CHANGED_SOURCES = "the package has changed since this process imported it"
CHANGED_DEPENDENCIES = "a program has replaced a constant or function after it was compiled"


class KernelCache(CodeFiles):
    """The files in which the compiled code of a kernel is kept, and warnings if it is not."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        path = code_folder()
        self._folder = None if path is None else CodeFolder(path)
        self._dependencies: dict[str, str] = {}

    @property
    def cache_path(self) -> Any:
        """The folder of the files; ``None`` if nothing is kept."""
        return None if self._folder is None else str(self._folder.path)

    def load(self, name: str) -> bytes | None:
        """Return the content of a file; ``None`` if there is none, or if it is damaged."""
        self._dependencies = dependencies_of(self._function)
        if self._folder is None or have_changed(self._dependencies):
            return None
        return self._folder.load(self._with_dependencies(name))

    def announce(self) -> None:
        """Announce that Numba is about to compile."""
        announce_compilation(None if self._folder is None else self._folder.path)

    def save(self, name: str, content: bytes) -> None:
        """Write a file; if that is impossible, warn."""
        dependencies = dependencies_of(self._function)
        if self._folder is None:
            warn_not_kept(NO_FOLDER if cache_root() is None else NO_SOURCES)
        elif current_stamp() != code_stamp():
            # The code may contain functions of either version, so it belongs to neither.
            warn_not_kept(CHANGED_SOURCES)
        elif dependencies != self._dependencies or have_changed(dependencies):
            # Functions that were compiled before contain what has been replaced.
            warn_not_kept(CHANGED_DEPENDENCIES)
        else:
            try:
                self._folder.save(self._with_dependencies(name), content)
            except OSError as error:
                warn_not_kept(f"{self._folder.path}: {error.strerror or error}")

    def _with_dependencies(self, name: str) -> str:
        """Return the name of the file for what the kernel now contains."""
        text = repr(sorted(self._dependencies.items()))
        return f"{sha256(text.encode()).hexdigest()[:12]}-{name}"


# Decorators


def njit_cached(function: F) -> F:
    """Compile a kernel with Numba on its first call, and keep the code for later processes.

    Kernels release the global interpreter lock. They create no arrays or other objects that Numba
    would have to free.
    """
    return function if JIT_DISABLED else compile_kernel(function, KernelCache(function))


def njit_internal(function: F) -> F:
    """Compile a function that only kernels call, as a part of each of them.

    LLVM simplifies it before it decides whether to inline it, so that a large function with several
    callers takes much less time to compile than with :func:`njit_inline`.
    """
    return function if JIT_DISABLED else compile_internal(function, inline=False)


def njit_inline(function: F) -> F:
    """Compile a function that only kernels call, and let LLVM inline it in every call."""
    return function if JIT_DISABLED else compile_internal(function, inline=True)


def njit_overflowing(function: F) -> F:
    """Compile an internal *function* whose integers may overflow.

    Compiled integers wrap around. Without compilation, NumPy's warnings are switched off.
    """
    return np.errstate(over="ignore")(function) if JIT_DISABLED else njit_internal(function)


def compiled_as(written: object) -> Callable[[F], F]:
    """Define a function twice: by *written* in compiled code, and by the decorated Python code.

    *Written* is a function of :mod:`~pontedeldiavolo.batch.kernels.vectors`, which writes
    instructions of the processor. Where nothing is compiled, Python runs the decorated function.
    """

    def choose(plain: F) -> F:
        return plain if JIT_DISABLED else cast(F, written)

    return choose


# The type of sets of cells

I8: Any = ir.IntType(8)
I64: Any = ir.IntType(64)
WIDEST = 1024
"""A set as a value has at most this many bits: on larger boards it holds only some rows."""


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


def cells_of(record: Any) -> CellsType:
    """Return the type of the sets in a type of records."""
    rows = record.typeof("sets")
    bits = rows.dtype.bitwidth
    return CellsType(min(rows.shape[1], WIDEST // bits), bits)


# Operators


def define_operator(operation: Any, instruction: str) -> None:
    """Define an operator on two sets of one type by an LLVM instruction."""

    def type_operator(_context: Any) -> Any:
        return lambda one, other: one if isinstance(one, CellsType) and one == other else None

    def write_operator(_context: Any, builder: Any, _sig: Any, values: Any) -> Any:
        return getattr(builder, instruction)(*values)

    type_callable(operation)(type_operator)
    lower_builtin(operation, CellsType, CellsType)(write_operator)


def define_complement() -> None:
    """Define the operator ``~`` on a set."""

    def type_complement(_context: Any) -> Any:
        return lambda cells: cells if isinstance(cells, CellsType) else None

    def write_complement(_context: Any, builder: Any, _sig: Any, values: Any) -> Any:
        return builder.not_(*values)

    type_callable(operator.invert)(type_complement)
    lower_builtin(operator.invert, CellsType)(write_complement)


define_operator(operator.and_, "and_")
define_operator(operator.iand, "and_")
define_operator(operator.or_, "or_")
define_operator(operator.ior, "or_")
define_operator(operator.xor, "xor")
define_operator(operator.ixor, "xor")
define_complement()


# Intrinsics


class Sets:
    """The sets in the memory of a record: their type, number of rows, and address."""

    def __init__(self, record: types.Record, pointer: Any) -> None:
        self.cells: CellsType = cells_of(record)
        self.bits: int = self.cells.bits
        self.align: int = self.bits // 8
        self.rows: int = record.typeof("sets").shape[1]
        self.offset: int = record.offset("sets")
        self.record: types.Record = record
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

    def pattern_address(self, builder: Any, index: Any, row: Any, kind: Any) -> Any:
        """Return the address of a row of one of a table's patterns, as for ``address``."""
        field = self.record.typeof("patterns")
        row_size = field.dtype.bitwidth // 8
        at = builder.mul(index, I64(field.shape[1] * row_size))
        at = builder.add(at, I64(self.record.offset("patterns")))
        at = builder.add(at, builder.mul(row, I64(row_size)))
        at = builder.gep(builder.bitcast(self.pointer, I8.as_pointer()), [at])
        return builder.bitcast(at, kind.as_pointer())


def simplified(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Unwrap an argument: an array to its address, a record to its sets, a literal to its number.

    Return any other value as it is.
    """
    if isinstance(kind, types.Array):
        return array_data(context, builder, kind, value)
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
                return no_result(context) if written is None else written

            return found and (found, generate)

        # Numba reads the names of the arguments from the signature.
        names = [Parameter("typing", Parameter.POSITIONAL_ONLY)]
        names += signature(signed).parameters.values()
        define.__signature__ = Signature([each.replace(kind=names[0].kind) for each in names])
        define.__name__ = write.__name__
        define.__qualname__ = write.__name__
        define.__doc__ = write.__doc__
        return intrinsic(prefer_literal=True)(define)

    return make
