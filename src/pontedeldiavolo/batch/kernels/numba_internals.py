"""All that this package uses of Numba's private parts.

Numba may change what is here in any version. So ``pyproject.toml`` has an upper bound for it,
``tests/batch/test_numba_internals.py`` has a test for each part, and the nox session
``numba_newest`` runs the tests with the newest release. All other modules import only ``numba`` and
``numba.extending``, whose names are documented.

Four things have no documented way:

- *Compiling faster.* Numba optimises each function together with all that it calls, and makes it
  callable from Python. A function with many callers was optimised many times. Here the code of an
  internal function is only linked: it is optimised once in each kernel that calls it.
- *Compiling less often.* Numba compiles a function again for each constant that a caller passes.
- *Keeping code.* Numba's own cache checks only the file of the function that is called.
- *Writing instructions.* An intrinsic needs loops, and the address of an array's data.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import types
from numba.core.caching import NullCache
from numba.core.cgutils import for_range_slice
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
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


class KernelCompiler(Compiler):
    """Compile a kernel, which Python calls."""

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
