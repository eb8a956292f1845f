"""Numba's private parts: a test of each that this package uses, to see which a new version changes.

Everything here is compiled alone and in a moment; other tests compile the rules.
"""

from __future__ import annotations

import ast
import gc
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from llvmlite import ir
from numba import njit, types
from numba.core.codegen import JITCodeLibrary

from pontedeldiavolo.batch.kernels import jit, numba_internals
from pontedeldiavolo.batch.kernels.jit import I64, intrinsic_from
from pontedeldiavolo.batch.kernels.numba_internals import (
    CodeFiles,
    InternalCode,
    KernelCode,
    compile_internal,
    compile_kernel,
    file_name,
    packed,
    unpacked,
)
from support.paths import SOURCE

Numbers = npt.NDArray[np.int64]

compiled = pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")


class Memory(CodeFiles):
    """A cache of compiled code in a dictionary."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self.contents: dict[str, bytes] = {}
        self.announced = 0

    def load(self, name: str) -> bytes | None:
        return self.contents.get(name)

    def save(self, name: str, content: bytes) -> None:
        self.contents[name] = content

    def announce(self) -> None:
        self.announced += 1


def kernel_of(function: Any, kept: Memory | None = None) -> Any:
    """Return a compiled function that Python can call."""
    return compile_kernel(function, Memory(function) if kept is None else kept)


def test_one_module_alone_uses_private_parts() -> None:
    for path in sorted((SOURCE / "pontedeldiavolo").rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        plain = [node for node in nodes if isinstance(node, ast.Import)]
        found = {alias.name for node in plain for alias in node.names}
        found |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        of_numba = {name for name in found if name.partition(".")[0] == "numba"}
        if path.name != Path(numba_internals.__file__).name:
            assert of_numba <= {"numba", "numba.extending"}, path


# Compilation


def twice(number: int) -> int:
    return 2 * number


@compiled
@pytest.mark.parametrize("inline", [False, True])
def test_a_kernel_is_linked_with_all_that_it_calls(*, inline: bool) -> None:
    double: Any = compile_internal(twice, inline=inline)

    @lambda function: compile_internal(function, inline=inline)
    def fourfold(number: int) -> Any:
        return double(double(number))

    def run(numbers: Numbers) -> None:
        numbers[0] = fourfold(numbers[0])

    kernel = kernel_of(run)
    numbers = np.array([3])
    kernel(numbers)
    assert numbers.tolist() == [12]
    # Internal functions become part of the machine code of the kernel.
    [result] = kernel.overloads.values()
    assert type(result.library) is KernelCode
    functions: tuple[Any, ...] = (double, fourfold)
    for function in functions:
        [internal] = function.overloads.values()
        assert type(internal.library) is InternalCode
        assert internal.library in result.library._linking_libraries


@compiled
def test_a_kernel_is_optimised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def total(numbers: Numbers) -> int:
        found = 0
        for number in numbers:
            found += number
        return found

    def refuse(_: object) -> None:
        raise AssertionError

    # Numba's own method is not called.
    monkeypatch.setattr(JITCodeLibrary, "_optimize_final_module", refuse)
    kernel = kernel_of(total)
    assert kernel(np.arange(9)) == 36
    # The loop is unrolled or vectorised, which only an optimised one is.
    [text] = kernel.inspect_asm().values()
    assert "xmm" in text or "ymm" in text or "zmm" in text or ".2d" in text


def passes_of(function: Any) -> set[str]:
    """Return the names of the passes with which a function was compiled, without their numbers."""
    [result] = function.overloads.values()
    names = result.metadata["pipeline_times"]["nopython"]
    return {name.partition("_")[2] for name in names}


@compiled
def test_kernels_skip_passes_that_numba_runs() -> None:
    functions: tuple[Any, ...] = (kernel_of(twice), njit(twice))
    for function in functions:
        assert function(3) == 6
    ours, all_passes = map(passes_of, functions)
    own = {"kernel_ssa", "kernel_types", "kernel_phis", "kernel_lowering"}
    assert own <= ours
    assert ours - own < all_passes
    assert len(ours) < len(all_passes) / 2


@compiled
def test_internal_functions_return_their_results() -> None:
    """Numba's functions return a status, and every call checks it."""

    def run(number: int) -> Any:
        return double(number)

    double: Any = compile_internal(twice, inline=False)
    assert kernel_of(run)(4) == 8
    [internal] = double.overloads.values()
    text = str(internal.library._final_module)
    assert "define i64 @" in text
    assert "excinfo" not in text


@compiled
def test_ranges_and_tuples_need_no_exceptions() -> None:
    """Numba lets a range with a step of 0 and an index that is too large raise exceptions."""

    def total(numbers: Numbers, step: int) -> int:
        found = 0
        both = (numbers[0], numbers[1])
        for index in range(0, 4, step):
            found += both[index % 2]
            found <<= 1
        return found

    inner: Any = compile_internal(total, inline=False)

    def run(numbers: Numbers, step: int) -> Any:
        return inner(numbers, step)

    assert kernel_of(run)(np.array([3, 5]), 1) == total(np.array([3, 5]), 1)
    assert kernel_of(run)(np.array([3, 5]), 3) == total(np.array([3, 5]), 3)


@compiled
@pytest.mark.parametrize("enabled", [False, True])
def test_garbage_is_not_collected_while_a_kernel_is_compiled(
    monkeypatch: pytest.MonkeyPatch, *, enabled: bool
) -> None:
    seen: list[bool] = []
    optimise = KernelCode._optimize_final_module

    def observe(code: KernelCode) -> None:
        seen.append(gc.isenabled())
        optimise(code)

    monkeypatch.setattr(KernelCode, "_optimize_final_module", observe)
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert kernel_of(twice)(3) == 6
        assert seen == [False]
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


@compiled
def test_python_calls_no_internal_function() -> None:
    with pytest.raises(TypeError):
        compile_internal(twice, inline=False)(3)


@compiled
def test_constants_are_compiled_as_other_numbers() -> None:
    double: Any = compile_internal(twice, inline=False)

    def run(number: int) -> Any:
        return double(5) + double(6) + double(number)

    assert kernel_of(run)(7) == 36
    assert len(double.overloads) == 1


@compiled
def test_kernels_count_no_references() -> None:
    def keep(numbers: Numbers) -> Any:
        same = numbers
        return same[0] + numbers[1]

    kernel = kernel_of(keep)
    assert kernel(np.array([3, 4])) == 7
    [text] = kernel.inspect_asm().values()
    assert "NRT_incref" not in text
    assert "cfunc." not in text


# Cached code


@compiled
def test_code_is_kept_and_loaded() -> None:
    def run(number: int) -> int:
        return number + 1

    kept = Memory(run)
    assert kernel_of(run, kept)(4) == 5
    assert kept.announced == 1
    [name] = kept.contents
    assert name.endswith(".nbc")
    # A second process finds the code; other types are compiled and stored beside it.
    again = kernel_of(run, kept)
    assert again(4) == 5
    assert kept.announced == 1
    assert again(0.5) == 1.5
    assert kept.announced == 2
    assert len(kept.contents) == 2


@compiled
def test_code_that_cannot_be_loaded_is_compiled() -> None:
    def run(number: int) -> int:
        return number + 1

    kept = Memory(run)
    kernel_of(run, kept)(4)
    [name] = kept.contents
    kept.contents[name] = b"damaged"
    assert kernel_of(run, kept)(4) == 5
    assert kept.announced == 2
    assert kept.contents[name] != b"damaged"


@compiled
def test_compiled_functions_become_bytes_and_bytes_functions() -> None:
    def run(number: int) -> int:
        return number + 1

    kernel = kernel_of(run)
    kernel(4)
    [(signature, result)] = kernel.overloads.items()
    content = packed(result)
    assert isinstance(content, bytes)
    assert pickle.loads(content)
    target = result.target_context
    loaded: Any = unpacked(content, target)
    assert loaded.signature == result.signature
    name = file_name(run, signature, target.codegen())
    assert name == file_name(run, signature, target.codegen())
    assert name != file_name(run, (types.float64,), target.codegen())


def test_a_program_has_a_folder_among_the_caches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("numba.misc.appdirs.system", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert numba_internals.user_cache_folder("some") == tmp_path / "some"


# Instructions


def number_of(array: Any, length: Any) -> Any:
    """Return the signature of a function of an array and a number, whose result is a number."""
    return types.int64(array, length)


@intrinsic_from(number_of)
def sum_of(builder: Any, array: Any, length: Any) -> Any:
    """Return the sum of the first numbers of an array, by a loop over its memory."""
    total = builder.alloca(ir.IntType(64))
    builder.store(I64(0), total)
    with numba_internals.loop(builder, I64(0), length, I64(1)) as (at, _):
        number = builder.load(builder.gep(array, [at]))
        builder.store(builder.add(builder.load(total), number), total)
    return builder.load(total)


def nothing_of(array: Any) -> Any:
    """Return the signature of a function of an array without a result."""
    return types.void(array)


@intrinsic_from(nothing_of)
def set_first(builder: Any, array: Any) -> None:
    """Set the first number of an array; return nothing."""
    builder.store(I64(7), array)


@compiled
def test_intrinsics_loop_over_the_memory_of_arrays() -> None:
    def run(numbers: Numbers) -> Any:
        set_first(numbers)
        return sum_of(numbers, len(numbers) - 1)

    numbers = np.array([1, 2, 3, 4])
    assert kernel_of(run)(numbers) == 12
    assert numbers.tolist() == [7, 2, 3, 4]
