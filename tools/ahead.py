"""Compile kernels ahead of time, and run them without Numba: an experiment, not in the package.

``python -m tools.ahead build FOLDER`` compiles the kernels of the uses below, for boards of up to
16x16, into a shared library for each kind of processor. ``python -m tools.ahead run FOLDER USE``
loads the library for this processor with ``ctypes`` and calls the kernels in it; it imports
neither Numba nor LLVM. ``run --numba`` does the same with Numba, for comparison: both print the
same results. ``python -m tools.ahead measure FOLDER`` prints the size of each library, and the time
from the start of a process to the end of a use.

The sources remain those of the package, and Numba compiles them here, too, each kernel like an
internal function: it takes its arguments and returns its result, and needs nothing of Numba or of
Python. A tuple is passed as its elements, and an array as seven numbers or more: two owners, which
compiled code does not use, the number of elements, the bytes of an element, the address, the
lengths and the strides.

A release would need the libraries in a wheel of their own for each system: the processor has to be
chosen when they are loaded, and the kernels of all four sizes of sets have to be compiled.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from shutil import which
from time import perf_counter, process_time
from types import ModuleType
from typing import Any, Final

import numpy as np

KERNELS: Final = "pontedeldiavolo.batch.kernels"
FAMILIES: Final = {"avx512": "x86-64-v4", "avx2": "x86-64-v3", "x86-64": "x86-64"}
"""The kinds of processors, the best first, and their names in LLVM."""
NEEDED: Final = {"avx512": ("AVX512_SKX",), "avx2": ("AVX2", "FMA3"), "x86-64": ()}
"""The features that NumPy must find in a processor of each kind."""


# Uses


def playouts() -> list[int]:
    """Play random games to their ends; return their lengths."""
    from pontedeldiavolo.batch.game_batch import GameBatch  # noqa: PLC0415 - imports the kernels

    lengths: list[int] = GameBatch.initial(size=64).playout(seed=1).turns.tolist()
    return lengths


def pool() -> list[int]:
    """Play random steps in a pool; return the numbers of legal steps afterwards."""
    from pontedeldiavolo.batch.game_pool import GamePool  # noqa: PLC0415 - likewise

    games = GamePool(size=64, seed=1, planes=True)
    for _ in range(100):
        games.step(games.sample_steps())
    counts: list[int] = games.legal_mask.sum(axis=1).tolist()
    return [*counts, int(games.planes.sum())]


def step() -> list[int]:
    """Play a step in a batch; return the tiles that were placed."""
    from pontedeldiavolo.batch.game_batch import GameBatch  # noqa: PLC0415 - likewise

    placed: list[int] = GameBatch.initial(size=3).step([5, 6, 7]).placed_tile.tolist()
    return placed


def choose() -> list[int]:
    """Let the tree search choose an action; return the visits of all actions."""
    import pontedeldiavolo as pdd  # noqa: PLC0415 - likewise
    from pontedeldiavolo.players.mcts.player import MctsPlayer  # noqa: PLC0415 - likewise

    state = pdd.GameState.initial().apply(pdd.parse_action("d4,g7")).apply(pdd.parse_action("red"))
    player = MctsPlayer(simulations=2000).for_game(1)
    return [each.visits for each in player.analyse(state).actions]


USES: Final[dict[str, Callable[[], list[int]]]] = {
    "playouts": playouts,
    "pool": pool,
    "step": step,
    "choose": choose,
}


# Building


def compiled_kernels() -> Iterator[tuple[Any, Any]]:
    """Iterate over the kernels that this process has used, each with one of its signatures."""
    from pontedeldiavolo.batch.kernels import jit  # noqa: PLC0415 - imports Numba

    seen = set()
    modules = [each for name, each in sys.modules.items() if name.startswith("pontedeldiavolo")]
    for module in modules:
        for kernel in vars(module).values():
            if isinstance(getattr(kernel, "_cache", None), jit.KernelCache) and kernel not in seen:
                seen.add(kernel)
                # Signatures differ only in whether arrays can be written to, and the code does not.
                for signature in kernel.signatures[:1]:
                    yield kernel, signature


def build(path: Path, processor: str) -> None:
    """Write the library for the processor for which Numba compiles in this process."""
    from llvmlite import binding  # noqa: PLC0415 - only builds need LLVM
    from numba.core.registry import cpu_target  # noqa: PLC0415 - only builds need Numba

    from pontedeldiavolo.batch.kernels.numba_internals import (  # noqa: PLC0415 - likewise
        compile_internal,
    )

    for use in USES.values():
        use()
    module = binding.parse_assembly("")
    module.triple = binding.get_process_triple()
    linked = set()
    results = {}
    for kernel, signature in compiled_kernels():
        entry = compile_internal(kernel.py_func, inline=False)
        entry.compile(signature)
        found = entry.overloads[signature]
        module.link_in(found.library._final_module, preserve=True)
        for library in found.library._linking_libraries:
            if library not in linked:
                linked.add(library)
                module.link_in(library._get_module_for_linking(), preserve=True)
        module.get_function(found.fndesc.llvm_func_name).name = kernel.__name__
        results[kernel.__name__] = str(found.signature.return_type)
    codegen = cpu_target.target_context.codegen()
    module.data_layout = codegen._data_layout
    manager, builder = codegen._module_pass_manager()
    manager.run(module, builder)
    machine = binding.Target.from_triple(module.triple).create_target_machine(
        cpu=processor, features=codegen._tm_features, opt=3, reloc="pic"
    )
    code = path.with_suffix(".o")
    code.write_bytes(machine.emit_object(module))
    subprocess.run([str(which("gcc")), "-shared", "-s", "-o", path, code, "-lm"], check=True)
    code.unlink()
    path.with_suffix(".json").write_text(json.dumps(results, indent=2), encoding="utf-8")


def build_all(folder: Path) -> None:
    """Write a library for each kind of processor; each is compiled in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    features = {"avx512": "+bmi2", "avx2": "+bmi2", "x86-64": ""}
    for family, name in FAMILIES.items():
        added = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features[family]}
        command = [sys.executable, "-m", "tools.ahead", "one", str(folder / f"{family}.so"), name]
        begin = perf_counter()
        subprocess.run(command, env={**os.environ, **added}, check=True)
        print(f"{family}: {perf_counter() - begin:.0f} s")


# Loading


def family_of_this_processor() -> str:
    """Return the best kind of processor of which this one has the features."""
    # NumPy has no public function for this.
    features = import_module("numpy._core._multiarray_umath").__cpu_features__

    return next(
        name for name, needed in NEEDED.items() if all(features.get(each) for each in needed)
    )


def flattened(value: Any) -> Iterator[Any]:
    """Iterate over the numbers that stand for an argument in Numba's calling convention."""
    if isinstance(value, np.ndarray):
        owners = (None, None)
        yield from map(ctypes.c_void_p, owners)
        yield from map(ctypes.c_int64, (value.size, value.itemsize))
        yield ctypes.c_void_p(value.ctypes.data)
        yield from map(ctypes.c_int64, (*value.shape, *value.strides))
    elif isinstance(value, tuple):
        for each in value:
            yield from flattened(each)
    elif isinstance(value, float):
        yield ctypes.c_double(value)
    else:
        yield ctypes.c_int64(int(value))


class Pair(ctypes.Structure):
    """A result of two numbers."""

    _fields_ = (("first", ctypes.c_int64), ("second", ctypes.c_int64))


RESULTS: Final[dict[str, Any]] = {
    "none": None,
    "bool": ctypes.c_bool,
    "int64": ctypes.c_int64,
    "UniTuple(int64 x 2)": Pair,
}
"""The types of results, by their names in Numba."""


class Library:
    """A library of kernels."""

    def __init__(self, path: Path) -> None:
        self.code = ctypes.CDLL(str(path))
        self.results: dict[str, str] = json.loads(path.with_suffix(".json").read_text("utf-8"))

    def kernel(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the kernel that was compiled from a function."""
        if function.__name__ not in self.results:
            # No use needs it.
            return function
        entry = self.code[function.__name__]
        entry.restype = RESULTS[self.results[function.__name__]]

        def call(*given: Any) -> Any:
            # ctypes releases the global interpreter lock, as Numba does.
            result = entry(*flattened(given))
            return (result.first, result.second) if isinstance(result, Pair) else result

        return call


def use_library(path: Path) -> None:
    """Let the package, which has not been imported, take its kernels from a library.

    Two modules stand in for those that need Numba and LLVM. Internal functions are part of the
    library, so they are never called.
    """
    library = Library(path)
    jit = ModuleType(f"{KERNELS}.jit")
    vectors = ModuleType(f"{KERNELS}.vectors")
    same = lambda function: function  # noqa: E731 - a decorator that changes nothing
    names = ("njit_internal", "njit_inline", "njit_overflowing")
    vars(jit).update(dict.fromkeys(names, same))
    vars(jit).update(JIT_DISABLED=False, WIDEST=1024, njit_cached=library.kernel)
    vars(jit).update(compiled_as=lambda _written: same)
    vars(vectors).update(__getattr__=lambda _name: None)
    sys.modules |= {jit.__name__: jit, vectors.__name__: vectors}


# Measuring


def measure(folder: Path) -> None:
    """Print sizes of libraries, and times of uses in new processes."""
    for path in sorted(folder.glob("*.so")):
        print(f"{path.name:12} {path.stat().st_size:10,} bytes")
    for use in USES:
        for option in ([], ["--numba"]):
            command = [sys.executable, "-m", "tools.ahead", "run", str(folder), use, *option]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(use, *option, done.stderr.strip())


def main() -> None:
    """Build, run or measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=["build", "one", "run", "measure"])
    parser.add_argument("path", type=Path, help="the folder of the libraries")
    parser.add_argument("name", nargs="?", default="playouts", help="the use to run")
    parser.add_argument("--numba", action="store_true", help="run it with Numba")
    asked = parser.parse_args()
    if asked.action == "build":
        build_all(asked.path)
    elif asked.action == "one":
        build(asked.path, asked.name)
    elif asked.action == "measure":
        measure(asked.path)
    else:
        begin = process_time()
        if not asked.numba:
            use_library(asked.path / f"{family_of_this_processor()}.so")
        print(USES[asked.name]())
        has_numba = "numba" in sys.modules
        print(f"{process_time() - begin:.2f} s, Numba imported: {has_numba}", file=sys.stderr)


if __name__ == "__main__":
    main()
