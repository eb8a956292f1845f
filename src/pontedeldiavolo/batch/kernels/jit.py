"""Compilation of kernels: decorators, and the type of sets of cells.

A set of cells is a vector of the processor, see :mod:`~pontedeldiavolo.batch.kernels.vectors`.
Numba knows no such type, and learns it in three steps:

- *The value.* Numba translates to LLVM, a language in which a vector is a type like any other,
  written ``<16 x i16>``. ``CellsModel`` says that a set is one.
- *The operators* ``&``, ``|``, ``^`` and ``~``: the types that they take, and the instructions.
- *Functions*: ``intrinsic_from`` makes them of functions that write instructions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.datamodel import models
from numba.core.extending import register_model
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.core.typing.templates import signature as typed
from numba.extending import intrinsic, lower_builtin

from .announcements import announce_compilation, warn_not_kept
from .code_cache import (
    CodeFolder,
    cache_root,
    code_folder,
    code_stamp,
    current_stamp,
    file_name,
    packed,
    unpacked,
)

JIT_DISABLED: bool = bool(config.DISABLE_JIT)
"""True if nothing is compiled: ``NUMBA_DISABLE_JIT=1`` turns compilation off."""

NJIT_OPTIONS: dict[str, Any] = {
    "nopython": True,
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


NO_SOURCES = "the package's modules cannot be read as files"
NO_FOLDER = "there is no home folder"
CHANGED_SOURCES = "the package has changed since this process imported it"


class KernelCache(NullCache):
    """The files in which the compiled code of a kernel is kept."""

    def __init__(self, function: Any) -> None:
        self._function = function
        path = code_folder()
        self._folder = None if path is None else CodeFolder(path)

    @property
    def cache_path(self) -> Any:
        """The folder of the files; ``None`` if nothing is kept."""
        return None if self._folder is None else str(self._folder.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return kept code for a signature; if there is none, announce its compilation."""
        target_context.refresh()
        if self._folder is None:
            announce_compilation(None)
            return None
        name = file_name(self._function, sig, target_context.codegen())
        content = self._folder.load(name)
        if content is not None:
            # The content is what was written, but it may need something that its name omits.
            with suppress(Exception):
                return unpacked(content, target_context)
        announce_compilation(self._folder.path)
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep code; if that is impossible, warn."""
        if self._folder is None:
            warn_not_kept(NO_FOLDER if cache_root() is None else NO_SOURCES)
        elif current_stamp() != code_stamp():
            # The code would be kept as that of the new sources, or new functions are in it.
            warn_not_kept(CHANGED_SOURCES)
        else:
            try:
                self._folder.save(file_name(self._function, sig, cres.codegen), packed(cres))
            except OSError as error:
                warn_not_kept(f"{self._folder.path}: {error.strerror or error}")


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


def compiled(function: F, compiler: type[Compiler], **options: bool) -> F:
    """Return a function that is compiled on its first call."""
    if JIT_DISABLED:
        return function
    found = KernelDispatcher(
        function, targetoptions={**NJIT_OPTIONS, **options}, pipeline_class=compiler
    )
    # The dispatcher is called like the function itself.
    return cast(F, found)


def njit_cached(function: F) -> F:
    """Compile a kernel with Numba on its first call, and keep the code for later processes.

    Kernels release the global interpreter lock. They create no arrays or other objects that Numba
    would have to free.
    """
    dispatcher = compiled(function, KernelCompiler)
    if not JIT_DISABLED:
        vars(dispatcher)["_cache"] = KernelCache(function)
    return dispatcher


def njit_internal(function: F) -> F:
    """Compile a function that only kernels call, as a part of each of them.

    Numba would optimise each function together with all that it calls, and make it callable from
    Python: a function with many callers was optimised many times, and compilation took twice as
    long.
    """
    # It would inherit an option that is not given from the function that calls it first.
    return compiled(function, InternalCompiler, no_cpython_wrapper=True, forceinline=False)


def njit_inline(function: F) -> F:
    """Compile a function that only kernels call, and let LLVM inline it in every call."""
    return compiled(function, InternalCompiler, no_cpython_wrapper=True, forceinline=True)


def njit_overflowing(function: F) -> F:
    """Compile an internal *function* whose integers wrap around; uncompiled, ignore overflow."""
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


class Operator(AbstractTemplate):
    """An operator on sets of one type, whose result is of that type."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Return the signature for these arguments, if there is one."""
        fits = not kws and isinstance(args[0], CellsType) and {*args} == {args[0]}
        return typed(args[0], *args) if fits else None


def define_operator(operation: Any, instruction: str) -> None:
    """Implement an operator on sets by an LLVM instruction."""

    def write(_context: Any, builder: Any, _sig: Any, values: Any) -> Any:
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
        return intrinsic(prefer_literal=True)(define)

    return make
