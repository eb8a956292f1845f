"""All that this package uses of Numba's private parts.

Numba may change what is here in any version. So ``pyproject.toml`` has an upper bound for it,
``tests/batch/test_numba_internals.py`` has a test for each part, and the nox session
``numba_newest`` runs the tests with the newest release. All other modules import only ``numba`` and
``numba.extending``, whose names are documented.

Four things have no documented way:

- *Compiling faster.* Numba optimises each function together with all that it calls, and makes it
  callable from Python. A function with many callers was optimised many times. Here the code of an
  internal function is only linked: it is optimised once in each kernel that calls it. It returns
  its result alone, without a status that every call would have to check. Passes for what no kernel
  contains are left out, and the function of an operator is looked up once for the same operands.
- *Compiling less often.* Numba compiles a function again for each constant that a caller passes.
- *Keeping code.* Numba's own cache checks only the file of the function that is called.
- *Writing instructions.* An intrinsic needs loops, and the address of an array's data.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, Literal, TypeVar, cast

from llvmlite import ir
from numba import types
from numba.core import typed_passes, untyped_passes
from numba.core.caching import NullCache
from numba.core.callconv import CPUCallConv
from numba.core.cgutils import for_range_slice, get_or_insert_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.errors import NumbaWarning, WarningsFixer
from numba.core.ir import Return
from numba.core.ir_utils import build_definitions
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.ssa import reconstruct_ssa
from numba.core.typeinfer import TypeInferer
from numba.misc.appdirs import AppDirs

F = TypeVar("F", bound=Callable[..., object])

OPTIONS: dict[str, Any] = {
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


# Compilation


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
        """Mark the code as final, without linking, optimising or compiling it on its own."""
        self._finalized = True


def declare_internal(context: Any, module: Any, described: Any) -> Any:
    """Declare an internal function in a module, and return it."""
    arguments = context.get_arg_packer(described.argtypes).argument_types
    result = context.data_model_manager[described.restype].get_return_type()
    kind = ir.FunctionType(result, arguments)
    function = get_or_insert_function(module, kind, described.mangled_name)
    if described.inline:
        function.attributes.add("alwaysinline")
    return function


def internal_call(described: Any, library: Any) -> Any:
    """Return a function that writes calls of an internal function."""

    def write(context: Any, builder: Any, _sig: Any, values: Any) -> Any:
        function = declare_internal(context, builder.module, described)
        given = context.get_arg_packer(described.argtypes).as_arguments(builder, values)
        result = builder.call(function, given)
        return context.get_returned_value(builder, described.restype, result)

    vars(write)["libs"] = (library,)
    return write


class KernelCallConv(CPUCallConv):
    """The calling convention in kernels, where nothing raises an exception."""

    def return_user_exc(self, builder: Any, *_: Any, **_options: Any) -> None:
        """Write what a bad argument leads to, such as a range with a step of 0."""
        builder.unreachable()

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Write what follows after a call that has raised an exception."""


class KernelContext(CPUContext):
    """Numba's knowledge of the processor, with the calling convention of kernels."""

    @property
    def call_conv(self) -> KernelCallConv:
        """The calling convention."""
        return KernelCallConv(self)


class KernelLower(Lower):
    """Write the instructions of a kernel. No reference is counted, so no variable is cleared."""

    def init(self) -> None:
        """Prepare to write."""
        super().init()
        # This context is a copy that nothing else uses.
        self.context.__class__ = KernelContext

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """Return the value of an assignment. A function's own value is its address: none."""
        if isinstance(ty, types.Dispatcher):
            return self.context.get_dummy_value()
        return super().lower_assign(ty, inst)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Return the result of an operator. Numba first tries functions for constant operands."""
        signature = self.fndesc.calltypes[expr]
        typing = self.context.typing_context
        operator = typing.resolve_value_type(op)
        if signature.args not in operator._impl_keys:
            # This is an operator like "+=", whose result is computed as that of "+".
            operator.get_call_type(typing, signature.args, {})
        names = (expr.lhs.name, expr.rhs.name)
        values = [
            self.context.cast(self.builder, self.loadvar(name), self.typeof(name), kind)
            for name, kind in zip(names, signature.args, strict=True)
        ]
        result = self.context.get_function(operator, signature)(self.builder, values)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:  # noqa: ARG002 - as in Numba
        """Set a variable; its old value needs no attention."""
        self._alloca_var(name, self.typeof(name))
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))


class InternalLower(KernelLower):
    """Write the instructions of an internal function, which returns its result.

    A function of Numba returns whether it has raised an exception, and writes its result to memory.
    """

    function: Any
    entry_block: Any
    builder: Any
    call_helper: Any
    fnargs: Any

    def setup_function(self, fndesc: Any) -> None:
        """Begin the function."""
        self.function = declare_internal(self.context, self.module, fndesc)
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = ir.IRBuilder(self.entry_block)
        self.call_helper = None

    def extract_function_arguments(self) -> Any:
        """Return the arguments."""
        packer = self.context.get_arg_packer(self.fndesc.argtypes)
        self.fnargs = packer.from_arguments(self.builder, self.function.args)
        return self.fnargs

    def lower_inst(self, inst: Any) -> None:
        """Write a statement."""
        if isinstance(inst, Return):
            value = self.loadvar(inst.value.name)
            kind = self.fndesc.restype
            self.builder.ret(self.context.get_return_value(self.builder, kind, value))
        else:
            super().lower_inst(inst)


class KernelInferer(TypeInferer):
    """Type inference that remembers the results of calls.

    Numba looks for the function of each addition among all that could ever be meant by it.
    """

    known: ClassVar[dict[Any, Any]] = {}

    def resolve_call(self, fnty: Any, pos_args: Any, kw_args: Any) -> Any:
        """Return the signature of a call."""
        if isinstance(fnty, types.Dispatcher):
            return super().resolve_call(fnty, pos_args, kw_args)
        # Numba may add further functions to an operator, which makes it another type.
        function = self.context._lookup_global(fnty) or fnty
        key = (function, pos_args, *kw_args.items())
        if key not in self.known:
            self.known[key] = super().resolve_call(fnty, pos_args, kw_args)
        return self.known[key]


@register_pass(mutates_CFG=False, analysis_only=False)
class KernelTypes(typed_passes.NopythonTypeInference):
    """The pass that infers types."""

    _name = "kernel_types"

    def run_pass(self, state: Any) -> Literal[True]:
        """Find the types of all variables and results."""
        function = state.func_ir
        warnings = WarningsFixer(NumbaWarning)
        infer = KernelInferer(state.typingctx, function, warnings)
        stack = state.typingctx.callstack
        with stack.register(state.targetctx.target, infer, function.func_id, state.args):
            for index, argument in enumerate(zip(function.arg_names, state.args, strict=True)):
                infer.seed_argument(argument[0], index, argument[1])
            infer.build_constraint()
            infer.propagate()
            state.typemap, state.return_type, state.calltypes = infer.unify()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelSSA(untyped_passes.ReconstructSSA):
    """The pass that gives each assignment a variable of its own."""

    _name = "kernel_ssa"

    def run_pass(self, state: Any) -> Literal[True]:
        """Rename variables."""
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelPhis(typed_passes.PreLowerStripPhis):
    """The pass that replaces the choice between two variables by assignments to a third."""

    _name = "kernel_phis"

    def run_pass(self, state: Any) -> Literal[True]:
        """Replace them."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(typed_passes.NativeLowering):
    """The pass that writes the instructions of a kernel."""

    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        """The class that writes them."""
        return KernelLower


@register_pass(mutates_CFG=True, analysis_only=False)
class InternalLowering(typed_passes.NativeLowering):
    """The pass that writes the instructions of an internal function."""

    _name = "internal_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        """The class that writes them."""
        return InternalLower


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the search for cyclic garbage: while Numba compiles, it finds little in much memory."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class KernelCompiler(Compiler):
    """Compile a kernel, which Python calls."""

    code: type[KernelCode] = KernelCode
    lowering: Any = KernelLowering

    def define_pipelines(self) -> list[Any]:
        """Return the passes that kernels need.

        Numba has others: for closures, ``with``, ``raise``, and operations on whole arrays.
        """
        found = PassManager("nopython")
        found.add_pass(untyped_passes.TranslateByteCode, "translate bytecode")
        found.add_pass(untyped_passes.FixupArgs, "count arguments")
        found.add_pass(untyped_passes.GenericRewrites, "mark constant indices")
        found.add_pass(KernelSSA, "rename variables")
        found.add_pass(KernelTypes, "infer types")
        found.add_pass(KernelPhis, "replace choices")
        found.add_pass(self.lowering, "write instructions")
        found.add_pass(typed_passes.NoPythonBackend, "collect the result")
        found.finalize()
        return [found]

    def compile_extra(self, func: Any) -> Any:
        """Return the compiled function."""
        with without_collection():
            return super().compile_extra(func)

    def __init__(self, typing: Any, target: Any, _library: None, *others: Any) -> None:
        library = self.code(target.codegen(), "kernel")
        library.enable_object_caching()
        super().__init__(typing, target, library, *others)


class InternalCompiler(KernelCompiler):
    """Compile a function that only kernels call."""

    code: type[KernelCode] = InternalCode
    lowering: Any = InternalLowering

    def compile_extra(self, func: Any) -> Any:
        """Return the compiled function. Python cannot call it: the entry point is a placeholder."""
        self.state.flags.no_compile = True
        found = super().compile_extra(func)._replace(entry_point={}.update)
        call = internal_call(found.fndesc, found.library)
        self.state.targetctx._defns[found.entry_point].append(call, found.fndesc.argtypes)
        return found


class KernelDispatcher(CPUDispatcher):
    """A function that is compiled once, even if callers pass constants.

    Numba would compile it again for each constant whole number or truth value.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._templates: dict[Any, Any] = {}

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the call template of Numba for these types."""
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        given = tuple(map(types.unliteral, args))
        key = (given, *named.items())
        if key not in self._templates:
            self._templates[key] = super().get_call_template(given, named)
        return self._templates[key]


def compile_kernel(function: F, kept: CodeFiles) -> F:
    """Return a function that Python calls, compiled on its first call or read from files."""
    found = KernelDispatcher(function, targetoptions=OPTIONS, pipeline_class=KernelCompiler)
    vars(found)["_cache"] = kept
    # The dispatcher is called like the function itself.
    return cast(F, found)


def compile_internal(function: F, *, inline: bool) -> F:
    """Return a function that only kernels call, compiled with the first kernel that calls it.

    Args:
        function: The function.
        inline: Whether LLVM inserts it at every call.
    """
    # Set each option: Numba takes one that is missing from the function that calls this one first.
    options = {**OPTIONS, "no_cpython_wrapper": True, "forceinline": inline}
    found = KernelDispatcher(function, targetoptions=options, pipeline_class=InternalCompiler)
    return cast(F, found)


def python_function(value: Any) -> FunctionType | None:
    """Return the Python function behind a compiled function or an intrinsic; else ``None``."""
    found = getattr(value, "py_func", getattr(value, "_defn", value))
    return found if isinstance(found, FunctionType) else None


# Kept code


class CodeFiles(NullCache):
    """Files with the compiled code of a kernel, one for each signature and processor.

    Numba asks it for code before it compiles, and passes to it what it has compiled. A subclass
    reads and writes the files.
    """

    def __init__(self, function: Any) -> None:
        self._function = function

    def load(self, name: str) -> bytes | None:
        """Return the content of a file, if there is one."""
        raise NotImplementedError

    def save(self, name: str, content: bytes) -> None:
        """Write a file."""
        raise NotImplementedError

    def announce(self) -> None:
        """Announce that Numba is about to compile."""
        raise NotImplementedError

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return kept code for a signature; if there is none, announce its compilation."""
        target_context.refresh()
        content = self.load(file_name(self._function, sig, target_context.codegen()))
        if content is not None:
            # The content is intact, but may depend on something that the file name omits.
            with suppress(Exception):
                return unpacked(content, target_context)
        self.announce()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep code that was compiled for a signature."""
        self.save(file_name(self._function, sig, cres.codegen), packed(cres))


def file_name(function: Any, sig: Any, codegen: Any) -> str:
    """Return the name of the file for a kernel, compiled for some types and a processor."""
    argument_types, result = normalize_signature(sig)
    processor = codegen.magic_tuple()
    bytecode = function.__code__.co_code.hex()
    key = f"{function.__module__} {argument_types} {result} {processor} {bytecode}"
    return f"{function.__qualname__}-{sha256(key.encode()).hexdigest()[:24]}.nbc"


def packed(result: CompileResult) -> bytes:
    """Return the bytes of a compiled function."""
    found: bytes = dumps(result._reduce())
    return found


def unpacked(content: bytes, target: Any) -> CompileResult:
    """Return the compiled function with these bytes."""
    parts = pickle.loads(content)  # noqa: S301 - a file of this user, like bytecode
    return CompileResult._rebuild(target, *parts)


def user_cache_folder(name: str) -> Path:
    """Return the folder for a program in this system's folder for the user's caches."""
    return Path(AppDirs(name, appauthor=False).user_cache_dir)


# Instructions


def loop(builder: Any, begin: Any, end: Any, step: Any) -> Any:
    """Write a loop: a context in which *builder* writes the body, and which gives the counter."""
    return for_range_slice(builder, begin, end, step)


def array_data(context: Any, builder: Any, kind: types.Array, value: Any) -> Any:
    """Return the address of an array's first element, in code that a builder writes."""
    return context.make_array(kind)(context, builder, value).data


def no_result(context: Any) -> Any:
    """Return the LLVM value that stands for the result of a function without a result."""
    return context.get_dummy_value()
